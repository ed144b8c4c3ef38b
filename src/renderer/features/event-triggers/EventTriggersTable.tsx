import { translateKept } from '../../i18n/translate.ts'
import { notifications } from '@mantine/notifications'
import { IconBolt, IconKey, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type EventTrigger,
  deleteEventTrigger,
  listEventTriggers,
  updateEventTrigger,
} from '../../../contract/event-triggers.ts'
import { getJob } from '../../../contract/jobs.ts'
import { useAction, useList, useOperation } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { CommandButton } from '../../ui/CommandButton.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { RowActions } from '../../ui/RowActions.tsx'
import { listProps } from '../../ui/list-props.ts'
import type { TableColumn } from '../../ui/table.types.ts'
import { RemoveTriggerDialog } from '../triggers/RemoveTriggerDialog.tsx'
import { triggerColumns } from '../triggers/trigger-columns.tsx'
import { EventTriggerDialog } from './EventTriggerDialog.tsx'
import { RotateDialog } from './RotateDialog.tsx'
import { jobEnds } from './event-draft.ts'

/** The button with its dialog; nothing for those who may not. */
export function NewEventTrigger({ jobId, ...button }: { jobId?: number | undefined; variant?: 'default' }) {
  const { t } = useTranslation('triggers')
  const { can } = useSession()
  const [opened, setOpened] = useState(false)
  if (!can('createEventTrigger')) return null
  return (
    <>
      <CommandButton
        {...button}
        id="event-trigger.new"
        label={t('newEvent')}
        icon={IconPlus}
        onClick={() => setOpened(true)}
      />
      <EventTriggerDialog opened={opened} trigger={null} jobId={jobId ?? null} onClose={() => setOpened(false)} />
    </>
  )
}

/** `After Sales, nightly: completed, failed`; the other job is known by its id alone until it has been read. */
function AfterJob({ id, on }: { id: number; on: readonly unknown[] }) {
  const { t } = useTranslation('triggers')
  const job = useOperation(getJob, { params: { id } })
  const ends = jobEnds.filter((end) => on.includes(end)).map((end) => t(`event.ons.${end}`))
  return t('event.afterOf', { job: job.data?.name ?? `#${id}`, on: ends.join(', ') })
}

function OnWhat({ trigger: { type, config } }: { trigger: EventTrigger }) {
  const { t } = useTranslation('triggers')
  if (type === 'webhook') return t('event.webhookOf')
  if (type === 'file_arrival') return t('event.filesOf', { glob: String(config['glob']) })
  return <AfterJob id={Number(config['job_id'])} on={Array.isArray(config['on']) ? config['on'] : ['completed']} />
}

interface Deeds {
  edit: (trigger: EventTrigger) => void
  remove: (trigger: EventTrigger) => void
  rotate: (trigger: EventTrigger) => void
  toggle: (trigger: EventTrigger, enabled: boolean) => void
}

function Actions({ row, deeds }: { row: EventTrigger; deeds: Deeds }) {
  const { t } = useTranslation('triggers')
  const token = { label: `${t('event.rotate')}: ${row.name}`, icon: IconKey, run: () => deeds.rotate(row) }
  return (
    <RowActions
      actions={[
        { label: t('editOf', { name: row.name }), icon: IconPencil, shortcut: 'e', run: () => deeds.edit(row) },
        ...(row.type === 'webhook' ? [token] : []),
        { label: t('removeOf', { name: row.name }), icon: IconTrash, shortcut: 'Delete', run: () => deeds.remove(row) },
      ]}
    />
  )
}

function useColumns(withJob: boolean, deeds: Deeds | null): TableColumn<EventTrigger>[] {
  const { t } = useTranslation('triggers')
  return useMemo(() => {
    const shared = triggerColumns<EventTrigger>(t, { label: (row) => row.name, toggle: deeds && deeds.toggle })
    return [
      shared.enabled,
      { id: 'name', header: t('columns.name'), minWidth: 130, cell: (row) => row.name },
      ...(withJob ? [shared.job] : []),
      { id: 'type', header: t('columns.type'), minWidth: 150, cell: (row) => <OnWhat trigger={row} /> },
      shared.what,
      shared.last,
      {
        id: 'error',
        header: t('columns.error'),
        minWidth: 120,
        cell: (row) => {
          const text = translateKept(row.last_error, row.last_error_params)
          return <span title={text ?? undefined}>{text}</span>
        },
      },
      ...(deeds
        ? [
            {
              id: 'action',
              header: '',
              label: t('edit'),
              width: 108,
              cell: (row: EventTrigger) => <Actions row={row} deeds={deeds} />,
            },
          ]
        : []),
    ]
  }, [t, withJob, deeds])
}

/** Event triggers as a table; `jobId`: those of one job. */
export function EventTriggersTable({ jobId }: { jobId?: number | undefined }) {
  const { t } = useTranslation('triggers')
  const { can } = useSession()
  const list = useList(listEventTriggers, { query: { job_id: jobId } }, { keepPrevious: true })
  const [editing, setEditing] = useState<EventTrigger | null>(null)
  const [removing, setRemoving] = useState<EventTrigger | null>(null)
  const [rotating, setRotating] = useState<EventTrigger | null>(null)
  const { mutate: update } = useAction(updateEventTrigger, {
    invalidates: ['listEventTriggers'],
    ahead: ({ params, body }) => ({
      record: 'getEventTrigger',
      list: 'listEventTriggers',
      id: params?.id ?? 0,
      fields: { enabled: body?.enabled ? 1 : 0 },
    }),
  })
  const mayChange = can('updateEventTrigger')
  const deeds = useMemo((): Deeds | null => {
    if (!mayChange) return null
    const onError = (error: Error) => notifications.show({ color: 'red', message: error.message })
    return {
      edit: setEditing,
      remove: setRemoving,
      rotate: setRotating,
      toggle: (trigger, enabled) => update({ params: { id: trigger.id }, body: { enabled } }, { onError }),
    }
  }, [mayChange, update])
  const columns = useColumns(jobId === undefined, deeds)
  return (
    <>
      <DataTable
        id="event-triggers"
        label={t('views.events')}
        rows={list.rows}
        columns={columns}
        rowKey={(row) => row.id}
        isMuted={(row) => row.enabled === 0}
        {...listProps(list)}
        empty={
          <EmptyState
            icon={IconBolt}
            title={t('emptyEvents.title')}
            text={t('emptyEvents.text')}
            action={<NewEventTrigger jobId={jobId} />}
          />
        }
      />
      <EventTriggerDialog
        opened={editing !== null}
        trigger={editing}
        jobId={jobId ?? null}
        onClose={() => setEditing(null)}
      />
      <RemoveTriggerDialog
        trigger={removing}
        operation={deleteEventTrigger}
        invalidates={['listEventTriggers']}
        onClose={() => setRemoving(null)}
      />
      <RotateDialog trigger={rotating} onClose={() => setRotating(null)} />
    </>
  )
}
