import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { type JobRun, listAllJobRuns } from '../../../contract/job-runs.ts'
import { useOperation } from '../../api/queries.ts'
import { paths } from '../../paths.ts'
import { DataTable, rowHeight } from '../../ui/DataTable.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import type { TableColumn } from '../../ui/table.types.ts'
import classes from './home.module.css'

const shown = 5

function useColumns(): TableColumn<JobRun>[] {
  const { t } = useTranslation('home')
  return useMemo(
    () => [
      { id: 'id', header: t('columns.jobRun'), width: 76, cell: (run) => `#${run.id}` },
      { id: 'job', header: t('columns.job'), minWidth: 120, cell: (run) => run.job_name },
      {
        id: 'error',
        header: t('columns.error'),
        minWidth: 200,
        cell: (run) => (
          <span className={classes.error} title={run.error_message ?? undefined}>
            {run.error_message}
          </span>
        ),
      },
      {
        id: 'created',
        header: t('columns.started'),
        width: 104,
        cell: (run) => <RelativeTime at={run.created_at} />,
      },
    ],
    [t],
  )
}

/** The newest job runs that failed; each opens at the log of its first failed step. Nothing where none did. */
export function FailedJobRuns({ from }: { from: string }) {
  const { t } = useTranslation('home')
  const navigate = useNavigate()
  const columns = useColumns()
  const query = { status: 'failed', from, limit: shown } as const
  const runs = useOperation(listAllJobRuns, { query }, { keepPrevious: true })
  const rows = runs.data?.result ?? []
  if (rows.length === 0 && !runs.error) return null
  return (
    <section className={classes.section}>
      <div className={classes.head}>
        <h2>{t('failedJobs.title')}</h2>
        <Link to={paths.jobRuns({ status: 'failed', from })}>{t('failedJobs.all')}</Link>
      </div>
      {runs.error && !runs.data ? (
        <ErrorState compact error={runs.error} onRetry={() => void runs.refetch()} />
      ) : (
        <div className={classes.boxed}>
          <DataTable
            label={t('failedJobs.title')}
            rows={rows}
            columns={columns}
            rowKey={(run) => run.id}
            rowHref={(run) => paths.jobRun(run.id)}
            onOpen={(run) => void navigate(paths.jobRun(run.id))}
            height={(Math.max(2, rows.length) + 1) * rowHeight + 2}
          />
        </div>
      )}
    </section>
  )
}
