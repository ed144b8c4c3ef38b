import { notifications } from '@mantine/notifications'
import { IconBolt, IconKey, IconPlus } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type EventTrigger,
  deleteEventTrigger,
  eventTriggerTypes,
  listEventTriggers,
  updateEventTrigger,
} from '../../../contract/event-triggers.ts'
import { getJob } from '../../../contract/jobs.ts'
import { call } from '../../api/client.ts'
import { useAction, useList, useOperation } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { translateKept } from '../../i18n/translate.ts'
import { CommandButton } from '../../ui/CommandButton.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import type { TableColumn } from '../../ui/table.types.ts'
import { WorkList } from '../../ui/work-list/WorkList.tsx'
import { idsOf, known } from '../../ui/work-list/list-address.rules.ts'
import { useListAddress } from '../../ui/work-list/use-list-address.ts'
import type { ListAction } from '../../ui/work-list/work-list.types.ts'
import { useRecentColumns } from '../recent-runs/use-recent-columns.tsx'
import { triggerColumns } from '../triggers/trigger-columns.tsx'
import { JobsFilter, NoTriggersMatch, enabledOf, useEnabledFilter } from '../triggers/trigger-filters.tsx'
import { type TriggerDeeds, useTriggerActions } from '../triggers/use-trigger-actions.ts'
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

interface ColumnOptions {
  withJob: boolean
  toggle: ((trigger: EventTrigger, enabled: boolean) => void) | null
  recent: readonly TableColumn<{ id: number }>[]
}

function useColumns({ withJob, toggle, recent }: ColumnOptions): TableColumn<EventTrigger>[] {
  const { t } = useTranslation('triggers')
  return useMemo((): TableColumn<EventTrigger>[] => {
    const shared = triggerColumns<EventTrigger>(t, { label: (row) => row.name, toggle })
    return [
      shared.enabled,
      { id: 'name', header: t('columns.name'), minWidth: 130, cell: (row) => row.name },
      ...(withJob ? [shared.job] : []),
      { id: 'type', header: t('columns.type'), minWidth: 150, cell: (row) => <OnWhat trigger={row} /> },
      shared.what,
      ...recent,
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
      shared.created,
    ]
  }, [t, withJob, toggle, recent])
}

export interface EventTriggersTableProps {
  /** Those of one job; all without it. */
  jobId?: number | undefined
  /** The user works in the other list of the page. */
  quiet?: boolean
}

const filters = ['enabled', 'type', 'job_id']
const invalidates = ['listEventTriggers'] as const
const keyOf = (row: EventTrigger) => row.id
const nameOf = (row: EventTrigger) => row.name
const isDisabled = (row: EventTrigger) => row.enabled === 0

/** What can be done with triggers, and with one of them its token. */
function useActions(deeds: TriggerDeeds<EventTrigger> | null, rotate: (row: EventTrigger) => void) {
  const { t } = useTranslation('triggers')
  const shared = useTriggerActions(deeds)
  return useMemo((): ListAction<EventTrigger>[] => {
    const token: ListAction<EventTrigger> = {
      id: 'rotate',
      label: t('event.rotateDialog'),
      icon: IconKey,
      only: 1,
      when: ({ type }) => type === 'webhook',
      go: ([row]) => row && rotate(row),
    }
    return shared.length > 0 ? [...shared.slice(0, -1), token, ...shared.slice(-1)] : shared
  }, [t, shared, rotate])
}

/** Triggers by events. */
export function EventTriggersTable({ jobId, quiet = false }: EventTriggersTableProps) {
  const { t } = useTranslation('triggers')
  const { can } = useSession()
  const address = useListAddress(filters)
  const { q, values } = address
  const query = useMemo(
    () =>
      jobId === undefined
        ? {
            q: q || undefined,
            job_id: idsOf(values('job_id'))?.[0],
            type: known(values('type'), eventTriggerTypes)?.[0],
            enabled: enabledOf(values('enabled')),
          }
        : { job_id: jobId },
    [q, values, jobId],
  )
  const list = useList(listEventTriggers, { query }, { keepPrevious: true })
  const [editing, setEditing] = useState<EventTrigger | null>(null)
  const [rotating, setRotating] = useState<EventTrigger | null>(null)
  const { mutate: update } = useAction(updateEventTrigger, {
    invalidates,
    ahead: ({ params, body }) => ({
      record: 'getEventTrigger',
      list: 'listEventTriggers',
      id: params?.id ?? 0,
      fields: { enabled: body?.enabled ? 1 : 0 },
    }),
  })
  const mayChange = can('updateEventTrigger')
  const toggle = useMemo(
    () =>
      mayChange
        ? ({ id }: EventTrigger, enabled: boolean) =>
            update(
              { params: { id }, body: { enabled } },
              { onError: (error) => notifications.show({ color: 'red', message: error.message }) },
            )
        : null,
    [mayChange, update],
  )
  const deeds = useMemo(
    (): TriggerDeeds<EventTrigger> | null =>
      mayChange
        ? {
            edit: setEditing,
            enable: (id, enabled) => call(updateEventTrigger, { params: { id }, body: { enabled } }),
            remove: (id) => call(deleteEventTrigger, { params: { id } }),
          }
        : null,
    [mayChange],
  )
  const actions = useActions(deeds, setRotating)
  const recent = useRecentColumns('event_trigger', list.rows, true)
  const columns = useColumns({ withJob: jobId === undefined, toggle, recent })
  const enabledFilter = useEnabledFilter()
  const choices = useMemo(
    () => [
      enabledFilter,
      {
        id: 'type',
        label: t('columns.type'),
        single: true as const,
        options: eventTriggerTypes.map((value) => ({ value, label: t(`event.types.${value}`) })),
      },
    ],
    [enabledFilter, t],
  )
  return (
    <>
      <WorkList
        id="event-triggers"
        label={t('views.events')}
        list={list}
        columns={columns}
        rowKey={keyOf}
        nameOf={nameOf}
        isMuted={isDisabled}
        address={address}
        search={t('search')}
        choices={choices}
        more={<JobsFilter address={address} />}
        actions={actions}
        invalidates={invalidates}
        part={jobId !== undefined}
        quiet={quiet}
        total={list.total === undefined ? null : t('count', { count: list.total })}
        empty={
          jobId === undefined && address.filtered ? (
            <NoTriggersMatch onClear={address.clear} />
          ) : (
            <EmptyState
              icon={IconBolt}
              title={t('emptyEvents.title')}
              text={t('emptyEvents.text')}
              action={<NewEventTrigger jobId={jobId} />}
            />
          )
        }
      />
      <EventTriggerDialog
        opened={editing !== null}
        trigger={editing}
        jobId={jobId ?? null}
        onClose={() => setEditing(null)}
      />
      <RotateDialog trigger={rotating} onClose={() => setRotating(null)} />
    </>
  )
}
