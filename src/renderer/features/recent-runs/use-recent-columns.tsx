import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { RecentSubject } from '../../../contract/recent-runs.ts'
import type { TableColumn } from '../../ui/table.types.ts'
import { LastFailure, LastRun, RunHistory, SuccessRate } from './RunHistory.tsx'
import { shownRuns, useRecentRuns } from './use-recent-runs.ts'

interface Row {
  id: number
  /** When it ran last, where its kind knows. */
  last_run_at?: string | null
  last_triggered_at?: string | null
}
export type RecentColumn = TableColumn<Row>

/** How the records of a list did lately: bars of the newest runs, the newest in words, how many succeeded, and the newest failure. */
export function useRecentColumns(
  of: RecentSubject,
  rows: readonly Row[],
  /** The list has many columns: these are shown only where somebody chooses them. */
  hidden: readonly ('last' | 'rate')[] = [],
): RecentColumn[] {
  const { t } = useTranslation('lists')
  const recent = useRecentRuns(of, rows)
  const kind = of === 'task' || of === 'connector' ? 'run' : 'job_run'
  return useMemo(
    () => [
      {
        id: 'recent',
        header: t(`history.column.${kind}`),
        minWidth: 156,
        grow: 0,
        cell: (row) => (
          <RunHistory recent={recent.get(row.id)} hasRun={Boolean(row.last_run_at ?? row.last_triggered_at)} />
        ),
      },
      {
        id: 'last_run',
        header: t('history.last'),
        uncut: true,
        width: 168,
        hidden: hidden.includes('last'),
        cell: (row) => <LastRun recent={recent.get(row.id)} />,
      },
      {
        id: 'rate',
        yields: 1,
        header: t('history.rate', { count: shownRuns }),
        label: t(`history.rateOf.${kind}`, { count: shownRuns }),
        width: 116,
        align: 'right',
        hidden: hidden.includes('rate'),
        cell: (row) => <SuccessRate recent={recent.get(row.id)} />,
      },
      {
        id: 'failure',
        header: t('history.failure'),
        width: 112,
        hidden: true,
        cell: (row) => <LastFailure recent={recent.get(row.id)} />,
      },
    ],
    [t, kind, recent, hidden],
  )
}
