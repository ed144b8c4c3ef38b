import { Button, Group, Input, NativeSelect, SegmentedControl, Stack, Switch, TextInput, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type EventTrigger,
  createEventTrigger,
  eventTriggerTypes,
  getEventTrigger,
  updateEventTrigger,
} from '../../../contract/event-triggers.ts'
import { getJobSnapshot } from '../../../contract/jobs.ts'
import { call } from '../../api/client.ts'
import { useAction, useOperation } from '../../api/queries.ts'
import { useSaveOver } from '../../api/save-over.ts'
import { DialogFoot } from '../../ui/DialogFoot.tsx'
import { CopyIcon } from '../../ui/CopyIcon.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { JobFilter } from '../job-runs/JobFilter.tsx'
import classes from '../triggers/triggers.module.css'
import { EventFields } from './EventFields.tsx'
import { type EventDraft, argumentsOf, bodyOf, draftOf, missing } from './event-draft.ts'

const hookAddress = (token: string) => `${globalThis.location.origin}/api/hooks/${token}`

/** The address of a webhook, which is told once. */
export function MadeHook({ token, onDone }: { token: string; onDone: () => void }) {
  const { t } = useTranslation('triggers')
  const line = `curl -X POST -H 'Content-Type: application/json' -d '{}' ${hookAddress(token)}`
  return (
    <>
      <p style={{ margin: 0 }}>{t('event.madeText')}</p>
      <div className={classes.address}>
        <code data-testid="hook-address">{hookAddress(token)}</code>
        <CopyIcon value={hookAddress(token)} />
      </div>
      <div className={classes.address}>
        <code>{line}</code>
        <CopyIcon value={line} />
      </div>
      <Group justify="flex-end">
        <Button onClick={onDone} data-autofocus>
          {t('event.done')}
        </Button>
      </Group>
    </>
  )
}

function useSave(trigger: EventTrigger | null, onSaved: (token: string | null) => void) {
  const { t } = useTranslation('triggers')
  const create = useAction(createEventTrigger, { invalidates: ['listEventTriggers'] })
  const update = useSaveOver<EventTrigger, ReturnType<typeof bodyOf>>({
    opened: trigger,
    read: ({ id }) => call(getEventTrigger, { params: { id } }),
    held: (one) => draftOf(one, null),
    put: ({ id }, body, headers) => call(updateEventTrigger, { params: { id }, body, headers }),
    invalidates: ['listEventTriggers'],
  })
  const saved = (token: string | null) => {
    notifications.show({ message: t('saved') })
    onSaved(token)
  }
  return {
    error: create.error ?? update.error,
    theirs: update.theirs,
    settle: update.settle,
    busy: create.isPending || update.busy,
    save(draft: EventDraft, args: Record<string, unknown>) {
      const body = bodyOf(draft, args)
      if (trigger) update.save(body, () => saved(null))
      else if (draft.jobId !== null) {
        create.mutate(
          { body: { ...body, job_id: draft.jobId, type: draft.type } },
          { onSuccess: (made) => saved(made.token) },
        )
      }
    },
  }
}

interface FormProps {
  trigger: EventTrigger | null
  jobId: number | null
  onSaved: (token: string | null) => void
  onCancel: () => void
}

function Rest({
  draft,
  change,
  argsError,
}: {
  draft: EventDraft
  change: (values: Partial<EventDraft>) => void
  argsError: string | undefined
}) {
  const { t } = useTranslation('triggers')
  const snapshot = useOperation(getJobSnapshot, { params: { id: draft.jobId ?? 0 } }, { enabled: draft.jobId !== null })
  const taskKeys = (snapshot.data?.nodes ?? []).filter((node) => node.kind === 'task').map((node) => node.key)
  return (
    <>
      <NativeSelect
        label={t('form.task')}
        description={draft.taskKey ? t('form.taskHint') : undefined}
        value={draft.taskKey}
        data={[{ value: '', label: t('wholeJob') }, ...taskKeys]}
        onChange={(event) => change({ taskKey: event.currentTarget.value })}
      />
      <Textarea
        label={t('event.arguments')}
        description={t('event.argumentsHint', { open: '${{', close: '}}' })}
        autosize
        minRows={2}
        maxRows={10}
        placeholder={'{"day": "${{ event.body.day }}"}'}
        value={draft.args}
        error={argsError}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        onChange={(event) => change({ args: event.currentTarget.value })}
      />
      <Switch
        label={t('form.enabled')}
        checked={draft.enabled}
        onChange={(event) => change({ enabled: event.currentTarget.checked })}
      />
    </>
  )
}

function EventTriggerForm({ trigger, jobId, onSaved, onCancel }: FormProps) {
  const { t } = useTranslation('triggers')
  const { t: tUi } = useTranslation()
  const [draft, setDraft] = useState(() => draftOf(trigger, jobId))
  const [tried, setTried] = useState(false)
  const { save, busy, error, theirs, settle } = useSave(trigger, onSaved)
  const change = (values: Partial<EventDraft>) => setDraft((now) => ({ ...now, ...values }))
  const gaps = missing(draft)
  const errorOf = (field: keyof EventDraft, path: string) =>
    tried && gaps.includes(field) ? tUi('form.required') : error?.detailFor(path)?.message
  const args = argumentsOf(draft.args)
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (theirs === null && gaps.length === 0 && args) save(draft, args)
      }}
    >
      <Stack gap={12}>
        {trigger ? null : (
          <SegmentedControl
            aria-label={t('columns.type')}
            value={draft.type}
            data={eventTriggerTypes.map((value) => ({ value, label: t(`event.types.${value}`) }))}
            onChange={(type) => change({ type })}
          />
        )}
        {trigger || jobId !== null ? null : (
          <Input.Wrapper label={t('form.job')} withAsterisk labelElement="div" error={errorOf('jobId', 'job_id')}>
            <JobFilter
              field={{ placeholder: t('form.chooseJob'), error: tried && draft.jobId === null }}
              value={draft.jobId ?? undefined}
              onChange={(id) => change({ jobId: id, taskKey: '' })}
            />
          </Input.Wrapper>
        )}
        <TextInput
          label={t('event.name')}
          withAsterisk
          data-autofocus
          value={draft.name}
          error={errorOf('name', 'name')}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        <EventFields draft={draft} change={change} errorOf={errorOf} />
        <Rest draft={draft} change={change} argsError={tried && !args ? t('event.badJson') : undefined} />
        <DialogFoot
          error={error?.message}
          overtaken={
            theirs && {
              onKeep: settle,
              onTake: () => {
                setDraft(draftOf(theirs, jobId))
                settle()
              },
            }
          }
          submitLabel={trigger ? t('form.save') : t('event.create')}
          busy={busy}
          onCancel={onCancel}
        />
      </Stack>
    </form>
  )
}

export interface EventTriggerDialogProps {
  opened: boolean
  /** null: a new one. */
  trigger: EventTrigger | null
  jobId: number | null
  onClose: () => void
}

export function EventTriggerDialog({ opened, trigger, jobId, onClose }: EventTriggerDialogProps) {
  const { t } = useTranslation('triggers')
  const [token, setToken] = useState<string | null>(null)
  const close = () => {
    setToken(null)
    onClose()
  }
  const title = trigger ? t('event.titleEdit', { name: trigger.name }) : t('event.titleNew')
  return (
    <FormDialog
      opened={opened}
      onClose={close}
      stays={token !== null}
      title={token ? t('event.made') : title}
      size={520}
    >
      {token ? (
        <MadeHook token={token} onDone={close} />
      ) : (
        <EventTriggerForm
          key={trigger?.id ?? 0}
          trigger={trigger}
          jobId={jobId}
          onSaved={(made) => (made ? setToken(made) : close())}
          onCancel={close}
        />
      )}
    </FormDialog>
  )
}
