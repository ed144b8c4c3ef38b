import { useQueries } from '@tanstack/react-query'
import { IconCircleCheck } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { listAllJobRuns } from '../../../contract/job-runs.ts'
import { listRuns } from '../../../contract/runs.ts'
import { operationQuery, useOperation } from '../../api/queries.ts'
import { paths } from '../../paths.ts'
import { CodeWords } from '../../ui/CodeWords.tsx'
import { DataTable, rowHeight } from '../../ui/DataTable.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import type { Status } from '../../ui/status.ts'
import type { TableColumn } from '../../ui/table.types.ts'
import { type Failure, brokenFirst, failuresOf } from './failures.rules.ts'
import classes from './home.module.css'

/** So many are looked at, and of what they belong to so many are shown. */
const looked = 100
const shown = 6

interface Row extends Failure {
  key: string
  /** How its newest run stands; the failed one itself while nothing came after it. */
  now: Status
  mended: boolean
}

/** How the newest run of each stands: what runs well again needs nobody's eye. */
function useNewest(failures: readonly Failure[]): (Status | undefined)[] {
  return useQueries({
    queries: failures.map(({ kind, id }) =>
      kind === 'job'
        ? operationQuery(listAllJobRuns, { query: { job_id: id, limit: 1 } })
        : operationQuery(listRuns, { query: { task_id: id, limit: 1 } }),
    ),
    combine: (results) => results.map(({ data }) => data?.result[0]?.status),
  })
}

const isMended = (status: Status) => status === 'success' || status === 'completed'

function useColumns(): TableColumn<Row>[] {
  const { t } = useTranslation('home')
  return useMemo(
    () => [
      {
        id: 'what',
        header: t('failures.what'),
        width: 196,
        cell: (row) => (
          <span className={classes.what}>
            <span>{row.name}</span>
            {row.steps.length > 0 ? <span className={classes.part}>{row.steps.join(', ')}</span> : null}
          </span>
        ),
      },
      {
        id: 'error',
        header: t('columns.error'),
        minWidth: 180,
        cell: (row) => (
          <span className={row.mended ? classes.part : classes.error} title={row.error ?? undefined}>
            {row.error === null ? null : <CodeWords text={row.error} />}
          </span>
        ),
      },
      {
        id: 'count',
        header: t('failures.times'),
        width: 60,
        align: 'right',
        cell: (row) => row.count.toLocaleString(),
      },
      {
        id: 'now',
        header: t('failures.now'),
        width: 140,
        cell: (row) =>
          row.mended ? <StatusBadge status="success" label={t('failures.mended')} /> : <StatusBadge status={row.now} />,
      },
      { id: 'at', header: t('failures.last'), width: 96, cell: (row) => <RelativeTime at={row.at} /> },
    ],
    [t],
  )
}

/** What failed and whether it still does: one row for each job or task, which opens the log of the step that failed. */
export function Failures({ from }: { from: string }) {
  const { t } = useTranslation('home')
  const navigate = useNavigate()
  const columns = useColumns()
  const query = { status: 'failed', from, limit: looked } as const
  const jobRuns = useOperation(listAllJobRuns, { query: { ...query, limit: looked / 2 } }, { keepPrevious: true })
  const runs = useOperation(listRuns, { query }, { keepPrevious: true })
  const failures = useMemo(
    () => failuresOf(jobRuns.data?.result ?? [], runs.data?.result ?? []).slice(0, shown),
    [jobRuns.data, runs.data],
  )
  const newest = useNewest(failures)
  const rows = brokenFirst(
    failures.map((failure, at): Row => {
      const now = newest[at] ?? 'failed'
      return { ...failure, key: `${failure.kind} ${failure.id}`, now, mended: isMended(now) }
    }),
  )
  const error = jobRuns.error ?? runs.error
  const loading = jobRuns.isPending || runs.isPending
  const leads = (row: Row) => (row.kind === 'job' ? paths.jobRun(row.run_id) : paths.run(row.run_id))
  return (
    <section className={classes.section} aria-labelledby="home-failures">
      <div className={classes.head}>
        <h2 id="home-failures">{t('failures.title')}</h2>
        {rows.length > 0 ? (
          <>
            <Link to={paths.jobRuns({ status: 'failed', from })}>{t('failures.allJobs')}</Link>
            <Link to={paths.runs({ status: 'failed', from })}>{t('failures.allRuns')}</Link>
          </>
        ) : null}
      </div>
      {error && rows.length === 0 ? (
        <ErrorState
          compact
          error={error}
          onRetry={() => {
            void jobRuns.refetch()
            void runs.refetch()
          }}
        />
      ) : !loading && rows.length === 0 ? (
        <p className={classes.calm}>
          <IconCircleCheck size={15} aria-hidden />
          {t('failures.none')}
        </p>
      ) : (
        <div className={classes.boxed}>
          <DataTable
            label={t('failures.title')}
            rows={rows}
            columns={columns}
            rowKey={(row) => row.key}
            rowHref={leads}
            onOpen={(row) => void navigate(leads(row))}
            loading={loading}
            height={(Math.max(1, rows.length) + 1) * rowHeight + 2}
          />
        </div>
      )}
    </section>
  )
}
