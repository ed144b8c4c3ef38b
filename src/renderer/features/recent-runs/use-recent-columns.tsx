import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { RecentSubject } from '../../../contract/recent-runs.ts'
import type { TableColumn } from '../../ui/table.types.ts'
import { LastFailure, RunHistory, SuccessRate } from './RunHistory.tsx'
import { useRecentRuns } from './use-recent-runs.ts'

interface Row {
  id: number
  /** When it ran last, where its kind knows. */
  last_run_at?: string | null
  last_triggered_at?: string | null
}
export type RecentColumn = TableColumn<Row>

/** How the records of a list did lately: bars of the newest runs, how many of them succeeded, and the newest failure. */
export function useRecentColumns(
  of: RecentSubject,
  rows: readonly Row[],
  /** The list has many columns: the rate is shown only where somebody chooses it. */
  brief = false,
): RecentColumn[] {
  const { t } = useTranslation('lists')
  const recent = useRecentRuns(of, rows)
  return useMemo(
    () => [
      {
        id: 'recent',
        header: t('history.column'),
        minWidth: 164,
        grow: 0,
        cell: (row) => (
          <RunHistory recent={recent.get(row.id)} hasRun={Boolean(row.last_run_at ?? row.last_triggered_at)} />
        ),
      },
      {
        id: 'rate',
        yields: 1,
        header: t('history.rate'),
        width: 100,
        align: 'right',
        hidden: brief,
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
    [t, recent, brief],
  )
}
