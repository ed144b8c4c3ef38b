import { IconCircleCheck } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { type Failure, listFailures, mostFailuresCounted } from '../../../contract/failures.ts'
import { useOperation } from '../../api/queries.ts'
import { paths } from '../../paths.ts'
import { CodeWords } from '../../ui/CodeWords.tsx'
import { DataTable, rowHeight } from '../../ui/DataTable.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import type { TableColumn } from '../../ui/table.types.ts'
import { brokenFirst, isRecovered } from './failures.rules.ts'
import classes from './home.module.css'

/** So many are asked for: what runs well again must not hide what does not. */
const looked = 50
const shown = 6

function useColumns(): TableColumn<Failure>[] {
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
            {row.failed_task_keys.length > 0 ? (
              <span className={classes.part}>{row.failed_task_keys.join(', ')}</span>
            ) : null}
          </span>
        ),
      },
      {
        id: 'error',
        header: t('columns.error'),
        minWidth: 180,
        cell: (row) => (
          <span className={isRecovered(row) ? classes.part : classes.error} title={row.error_message ?? undefined}>
            {row.error_message === null ? null : <CodeWords text={row.error_message} />}
          </span>
        ),
      },
      {
        id: 'count',
        header: t('failures.times'),
        width: 60,
        align: 'right',
        cell: ({ count }) => `${count.toLocaleString()}${count === mostFailuresCounted ? '+' : ''}`,
      },
      {
        id: 'now',
        header: t('failures.now'),
        width: 140,
        cell: (row) =>
          isRecovered(row) ? (
            <StatusBadge status="success" label={t('failures.mended')} />
          ) : (
            <StatusBadge status={row.status} />
          ),
      },
      { id: 'at', header: t('failures.last'), width: 96, cell: (row) => <RelativeTime at={row.failed_at} /> },
    ],
    [t],
  )
}

/** What failed and whether it still does: one row for each job or task, which opens the log of the step that failed. */
export function Failures({ from }: { from: string }) {
  const { t } = useTranslation('home')
  const navigate = useNavigate()
  const columns = useColumns()
  const failures = useOperation(listFailures, { query: { from, limit: looked } }, { keepPrevious: true })
  const rows = useMemo(() => brokenFirst(failures.data ?? []).slice(0, shown), [failures.data])
  const leads = (row: Failure) => (row.kind === 'job' ? paths.jobRun(row.run_id) : paths.run(row.run_id))
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
      {failures.error && rows.length === 0 ? (
        <ErrorState compact error={failures.error} onRetry={() => void failures.refetch()} />
      ) : !failures.isPending && rows.length === 0 ? (
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
            rowKey={(row) => `${row.kind} ${row.id}`}
            rowHref={leads}
            onOpen={(row) => void navigate(leads(row))}
            loading={failures.isPending}
            height={(Math.max(1, rows.length) + 1) * rowHeight + 2}
          />
        </div>
      )}
    </section>
  )
}
