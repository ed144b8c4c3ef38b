import { IconCalendarClock, IconKey } from '@tabler/icons-react'
import { useCallback, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type EventTrigger, eventTriggerTypes, listEventTriggers } from '../../../contract/event-triggers.ts'
import { getJob } from '../../../contract/jobs.ts'
import { useList, useOperation } from '../../api/queries.ts'
import { translateKept } from '../../i18n/translate.ts'
import type { TableColumn } from '../../ui/table.types.ts'
import { byName, idsOf, known } from '../../ui/work-list/list-address.rules.ts'
import { useListAddress } from '../../ui/work-list/use-list-address.ts'
import type { ListAction } from '../../ui/work-list/work-list.types.ts'
import type { RecentColumn } from '../recent-runs/use-recent-columns.tsx'
import { RotateDialog } from './RotateDialog.tsx'
import { TriggersList, type TriggersListProps } from './TriggersList.tsx'
import type { SharedColumns } from './trigger-columns.tsx'
import { jobEnds } from './trigger-draft.ts'
import { enabledOf } from './trigger-filters.tsx'

/** `After Sales, nightly: completed, failed`; the other job is known by its id alone until it has been read. */
function AfterJob({ id, on }: { id: number; on: readonly unknown[] }) {
  const { t } = useTranslation('triggers')
  const job = useOperation(getJob, { params: { id } })
  const ends = jobEnds.filter((end) => on.includes(end)).map((end) => t(`event.ons.${end}`))
  return t('event.afterOf', { job: job.data?.name ?? `#${id}`, on: ends.join(', ') })
}

function OnWhat({ trigger: { type, config } }: { trigger: EventTrigger }) {
  const { t } = useTranslation('triggers')
  if (type === 'webhook') return t('form.types.webhook')
  if (type === 'file_arrival') return t('event.filesOf', { glob: String(config['glob']) })
  return <AfterJob id={Number(config['job_id'])} on={Array.isArray(config['on']) ? config['on'] : ['completed']} />
}

const filters = ['enabled', 'type', 'job_id']
/** What the server sorts by, by the column that shows it. */
const sorts = { name: 'name', last: 'last_triggered_at' } as const
const sortable = ['name', 'last'] as const
const nameOf = (row: EventTrigger) => row.name

function useColumns() {
  const { t } = useTranslation('triggers')
  return useCallback(
    (shared: SharedColumns<EventTrigger>, recent: readonly RecentColumn[]): TableColumn<EventTrigger>[] => [
      shared.enabled,
      { id: 'name', header: t('columns.name'), minWidth: 130, names: true, sortable: true, cell: nameOf },
      shared.job,
      { id: 'type', header: t('columns.type'), minWidth: 116, yields: 1, cell: (row) => <OnWhat trigger={row} /> },
      shared.what,
      ...recent,
      { ...shared.last, yields: 5, sortable: true, largestFirst: true },
      {
        id: 'error',
        yields: 4,
        header: t('columns.error'),
        minWidth: 120,
        cell: (row) => {
          const text = translateKept(row.last_error, row.last_error_params)
          return text && <span title={text}>{text}</span>
        },
      },
      shared.created,
    ],
    [t],
  )
}

/** Triggers on events. */
export function EventTriggers({ jobId, quiet }: TriggersListProps) {
  const { t } = useTranslation('triggers')
  const address = useListAddress(filters, sortable, byName)
  const { q, sort, values } = address
  const sortBy = sortable.find((one) => one === sort?.id)
  const query = useMemo(() => {
    const order = { sort: sortBy && sorts[sortBy], order: sort?.order }
    return jobId === undefined
      ? {
          ...order,
          q: q || undefined,
          job_id: idsOf(values('job_id'))?.[0],
          type: known(values('type'), eventTriggerTypes)?.[0],
          enabled: enabledOf(values('enabled')),
        }
      : { ...order, job_id: jobId }
  }, [q, sortBy, sort, values, jobId])
  const columns = useColumns()
  const list = useList(listEventTriggers, { query }, { keepPrevious: true })
  const [rotating, setRotating] = useState<EventTrigger | null>(null)
  const own = useMemo(
    (): ListAction<EventTrigger>[] => [
      {
        id: 'rotate',
        label: t('event.rotateDialog'),
        icon: IconKey,
        only: 1,
        when: ({ type }) => type === 'webhook',
        go: ([row]) => row && setRotating(row),
      },
    ],
    [t],
  )
  return (
    <>
      <TriggersList<EventTrigger>
        of="event_trigger"
        jobId={jobId}
        quiet={quiet ?? false}
        label={t('views.events')}
        list={list}
        address={address}
        nameOf={nameOf}
        switchName={nameOf}
        columns={columns}
        kinds={eventTriggerTypes}
        kindLabel={t('columns.type')}
        own={own}
        empty={{ icon: IconCalendarClock, title: t('emptyEvents.title'), text: t('emptyEvents.text') }}
      />
      <RotateDialog trigger={rotating} onClose={() => setRotating(null)} />
    </>
  )
}
