import { Checkbox, Code, MultiSelect, SegmentedControl, SimpleGrid, Stack, Switch, TextInput } from '@mantine/core'
import { notifications as toasts } from '@mantine/notifications'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { listJobs } from '../../../contract/jobs.ts'
import {
  type Notification,
  createNotification,
  getNotification,
  notificationTypes,
  channelEvents,
  updateNotification,
} from '../../../contract/notifications.ts'
import { call } from '../../api/client.ts'
import { useAction, useOperation } from '../../api/queries.ts'
import { useSaveOver } from '../../api/save-over.ts'
import { DialogFoot } from '../../ui/DialogFoot.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { ChannelFields } from './ChannelFields.tsx'
import { DesktopPermission } from './DesktopPermission.tsx'
import { type ChannelDraft, type ChannelEvent, bodyOf, draftOf, missing } from './channel-draft.ts'

function useSave(channel: Notification | null, onSaved: (saved: Notification) => void) {
  const { t } = useTranslation('notifications')
  const create = useAction(createNotification, { invalidates: ['listNotifications'] })
  const update = useSaveOver<Notification, ChannelDraft>({
    opened: channel,
    read: ({ id }) => call(getNotification, { params: { id } }),
    held: draftOf,
    // What the form does not show, as headers, is left as it is now.
    put: (now, draft, headers) =>
      call(updateNotification, { params: { id: now.id }, body: bodyOf(draft, now), headers }),
    invalidates: ['listNotifications'],
  })
  const onSuccess = (saved: Notification) => {
    toasts.show({ message: t('form.saved', { name: saved.name }) })
    onSaved(saved)
  }
  return {
    error: create.error ?? update.error,
    theirs: update.theirs,
    settle: update.settle,
    busy: create.isPending || update.busy,
    save(draft: ChannelDraft) {
      if (channel) update.save(draft, onSuccess)
      else create.mutate({ body: { ...bodyOf(draft, null), type: draft.type } }, { onSuccess })
    },
  }
}

/** What has no counterpart stands last, so that pairs share a row. */
const shownEvents = [
  ...channelEvents.filter((event) => event !== 'waiting_for_approval'),
  'waiting_for_approval',
] as const

function Events({ value, onChange }: { value: ChannelEvent[]; onChange: (value: ChannelEvent[]) => void }) {
  const { t } = useTranslation('notifications')
  return (
    <Checkbox.Group label={t('form.events')} value={value} onChange={onChange}>
      <SimpleGrid cols={2} spacing={6} verticalSpacing={6} mt={6}>
        {shownEvents.map((event) => (
          <Checkbox key={event} value={event} label={<span title={t(`onHint.${event}`)}>{t(`on.${event}`)}</span>} />
        ))}
      </SimpleGrid>
    </Checkbox.Group>
  )
}

/** In YAML as it stands in a template. */
const example = 'notify: [{on: [failed], channel: ops}]'

function NameHint() {
  const { t } = useTranslation('notifications')
  return (
    <>
      {t('form.nameHint')}
      <br />
      <Code fz={12}>{example}</Code>
    </>
  )
}

function ChannelForm({ channel, onDone }: { channel: Notification | null; onDone: (saved?: Notification) => void }) {
  const { t } = useTranslation('notifications')
  const { t: tUi } = useTranslation()
  const [draft, setDraft] = useState(() => draftOf(channel))
  const [tried, setTried] = useState(false)
  const jobs = useOperation(listJobs, { query: { limit: 200, status: 'active', sort: 'name', order: 'asc' } })
  const { save, busy, error, theirs, settle } = useSave(channel, onDone)
  const change = (values: Partial<ChannelDraft>) => setDraft((now) => ({ ...now, ...values }))
  const gaps = missing(draft, channel)
  const unshown = error?.detailFor('secrets.authorization')
  const errorOf = (field: keyof ChannelDraft, path: string) =>
    tried && gaps.includes(field) ? tUi('form.required') : error?.detailFor(path)?.message
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (theirs === null && gaps.length === 0) save(draft)
      }}
    >
      <Stack gap={12}>
        {channel ? null : (
          <SegmentedControl
            aria-label={t('form.type')}
            value={draft.type}
            data={notificationTypes.map((value) => ({ value, label: t(`type.${value}`) }))}
            onChange={(type) => change({ type })}
          />
        )}
        {draft.type === 'desktop' ? <DesktopPermission /> : null}
        <TextInput
          label={t('form.name')}
          description={<NameHint />}
          withAsterisk
          data-autofocus
          value={draft.name}
          error={errorOf('name', 'name')}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        <ChannelFields
          draft={draft}
          change={change}
          stored={(name) => channel?.secrets[name]?.set === true}
          errorOf={errorOf}
        />
        <Events value={draft.on} onChange={(on) => change({ on })} />
        <MultiSelect
          label={t('form.jobs')}
          description={t('form.jobsHint')}
          searchable
          data={(jobs.data?.result ?? []).map((job) => ({ value: String(job.id), label: job.name }))}
          value={draft.jobIds}
          onChange={(jobIds) => change({ jobIds })}
        />
        <Switch
          label={t('form.enabled')}
          checked={draft.enabled}
          onChange={(event) => change({ enabled: event.currentTarget.checked })}
        />
        <DialogFoot
          // Set over the interface only: the form has no field to say it at.
          error={unshown ? `authorization: ${unshown.message}` : error?.message}
          overtaken={
            theirs && {
              onKeep: settle,
              onTake: () => {
                setDraft(draftOf(theirs))
                settle()
              },
            }
          }
          submitLabel={channel ? t('form.save') : t('form.create')}
          busy={busy}
          onCancel={() => onDone()}
        />
      </Stack>
    </form>
  )
}

export interface ChannelDialogProps {
  opened: boolean
  /** null: a new one. */
  channel: Notification | null
  onClose: (saved?: Notification) => void
}

export function ChannelDialog({ opened, channel, onClose }: ChannelDialogProps) {
  const { t } = useTranslation('notifications')
  return (
    <FormDialog
      opened={opened}
      onClose={() => onClose()}
      title={channel ? t('form.titleEdit', { name: channel.name }) : t('form.create')}
      size={520}
    >
      <ChannelForm key={channel?.id ?? 0} channel={channel} onDone={onClose} />
    </FormDialog>
  )
}
