import { IconCalendarClock } from '@tabler/icons-react'
import { useCallback, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type Trigger, listTriggers, triggerKinds } from '../../../contract/triggers.ts'
import { useList } from '../../api/queries.ts'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { SplitPane } from '../../ui/SplitPane.tsx'
import { type DateLook, dateText } from '../../ui/format.ts'
import type { TableColumn } from '../../ui/table.types.ts'
import { ownZone } from '../../ui/time.ts'
import { useAddress } from '../../ui/use-address.ts'
import { idsOf, known } from '../../ui/work-list/list-address.rules.ts'
import { type ListAddress, useListAddress } from '../../ui/work-list/use-list-address.ts'
import { FiringsPane } from './FiringsPane.tsx'
import type { RecentColumn } from '../recent-runs/use-recent-columns.tsx'
import { TriggersList, type TriggersListProps } from './TriggersList.tsx'
import { CutWith } from '../../ui/Cut.tsx'
import type { SharedColumns } from './trigger-columns.tsx'
import { enabledOf } from './trigger-filters.tsx'
import classes from './triggers.module.css'
import { useCronWords } from './use-cron-words.ts'

const filters = ['enabled', 'type', 'job_id']
const sortable = ['next']
const soonestFirst = { id: 'next', order: 'asc' } as const

function useQueryOf({ q, sort, values }: ListAddress, jobId: number | undefined) {
  return useMemo(() => {
    const order = { sort: 'next_fire_at', order: sort?.order } as const
    return jobId === undefined
      ? {
          ...order,
          q: q || undefined,
          job_id: idsOf(values('job_id'))?.[0],
          type: known(values('type'), triggerKinds)?.[0],
          enabled: enabledOf(values('enabled')),
        }
      : { ...order, job_id: jobId }
  }, [q, sort, values, jobId])
}

function useWhen() {
  const { t } = useTranslation('triggers')
  return useCallback(
    ({ type, cron_expression: expression }: Trigger, look: DateLook = 'zonedMoment') =>
      type === 'one_off' && expression ? t('oneOff', { at: dateText(new Date(expression), look) }) : (expression ?? ''),
    [t],
  )
}

/** What the five fields say where that can be said in few words, and after it the fields as they were written. */
function When({ trigger, text }: { trigger: Trigger; text: string }) {
  const words = useCronWords()(trigger.type === 'cron' ? text : '')
  if (trigger.type !== 'cron') return text
  if (!words) return <code>{text}</code>
  return (
    <CutWith text={words} title={`${words} (${text})`}>
      <code className={classes.fields}>{text}</code>
    </CutWith>
  )
}

function useColumns(when: ReturnType<typeof useWhen>) {
  const { t } = useTranslation('triggers')
  return useCallback(
    (shared: SharedColumns<Trigger>, recent: readonly RecentColumn[]): TableColumn<Trigger>[] => [
      shared.enabled,
      shared.job,
      {
        id: 'when',
        header: t('columns.when'),
        minWidth: 280,
        grow: 3,
        // Its zone has a column.
        cell: (row) => <When trigger={row} text={when(row, 'weekdayMoment')} />,
      },
      {
        id: 'zone',
        // Without it the times beside it could mean any zone.
        yields: 1,
        header: t('columns.zone'),
        width: 124,
        // A moment is shown as clocks here show it.
        cell: (row) => (row.type === 'cron' ? row.timezone : ownZone()),
      },
      shared.what,
      ...recent.map((column) => ({ ...column, yields: 2, ...(column.id === 'recent' && { minWidth: 140 }) })),
      {
        id: 'next',
        header: t('columns.next'),
        width: 132,
        sortable: true,
        cell: (row) => <RelativeTime at={row.enabled === 1 ? row.next_fire_at : null} />,
      },
      { ...shared.last, hidden: true },
      shared.created,
    ],
    [t, when],
  )
}

/** Triggers by the clock; what became of the times of the chosen one below. */
export function TimedTriggers({ jobId, quiet }: TriggersListProps) {
  const { t } = useTranslation('triggers')
  const listAddress = useListAddress(filters, sortable, soonestFirst)
  const [address, setAddress] = useAddress()
  const list = useList(listTriggers, { query: useQueryOf(listAddress, jobId) }, { keepPrevious: true })
  const when = useWhen()
  const nameOf = useCallback((row: Trigger) => `${row.job_name} · ${when(row)}`, [when])
  const switchName = useCallback((row: Trigger) => t('switch', { job: row.job_name, when: when(row) }), [t, when])
  const columns = useColumns(when)
  const chosen = list.rows.find((row) => String(row.id) === address.get('trigger'))
  return (
    <SplitPane id="triggers" direction="vertical" initial={0.6} minSize={120}>
      <TriggersList<Trigger>
        of="trigger"
        jobId={jobId}
        quiet={quiet ?? false}
        label={t('atTimes')}
        list={list}
        address={listAddress}
        nameOf={nameOf}
        switchName={switchName}
        columns={columns}
        kinds={triggerKinds}
        kindLabel={t('form.type')}
        active={chosen}
        onChoose={(trigger) => setAddress({ trigger: String(trigger.id) })}
        empty={{ icon: IconCalendarClock, title: t('empty.title'), text: t('empty.text') }}
      />
      {chosen ? <FiringsPane key={chosen.id} triggerId={chosen.id} /> : null}
    </SplitPane>
  )
}
