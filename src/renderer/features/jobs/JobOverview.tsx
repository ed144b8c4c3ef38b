import { IconHistory } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { JobHistory } from '../../../contract/job-runs.ts'
import type { JobDetail } from '../../../contract/jobs.ts'
import { paths } from '../../paths.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { RunBar } from '../../ui/RunBar.tsx'
import { ScrollRegion } from '../../ui/ScrollRegion.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { dateText } from '../../ui/format.ts'
import { durationText } from '../../ui/time.ts'
import { jobRunLook, knownDuration, nodeLook, ownDuration } from '../job-runs/node-status.ts'
import { useReason } from '../job-runs/NotRunPane.tsx'
import { RunFigures } from '../metrics/RunFigures.tsx'
import { LatestJobRuns } from './LatestJobRuns.tsx'
import { NextFirings } from './NextFirings.tsx'
import classes from './JobOverview.module.css'
import { useJobHistory } from './use-job-history.ts'

type Column = JobHistory['job_runs'][number]

/** How long it took; of one that has not ended, how long it has been running. */
const elapsed = (run: Column['job_run'], now: number): number =>
  knownDuration(run) ?? (run.running_since === null ? 0 : run.ran_ms + Math.max(0, now - Date.parse(run.running_since)))

/** `share`: its height, of the longest. */
function Head({ column, share }: { column: Column; share: number }) {
  const { t } = useTranslation('jobs')
  const { t: word } = useTranslation()
  const { job_run: run } = column
  const look = jobRunLook(run)
  const facts = [
    t('history.run', { id: run.id, status: word(`status.${look}`) }),
    dateText(new Date(run.created_at), 'moment'),
    run.duration_ms === null ? null : durationText(run.duration_ms),
  ].filter(Boolean)
  return (
    <th scope="col">
      <Link
        to={paths.jobRun(run.id)}
        className={classes.head}
        title={facts.join('\n')}
        aria-label={facts[0] ?? undefined}
      >
        <span className={classes.bar}>
          <RunBar status={look} share={share} />
        </span>
        <StatusBadge status={look} size="icon" />
      </Link>
    </th>
  )
}

function Cell({ column, taskKey }: { column: Column; taskKey: string }) {
  const { t } = useTranslation('jobs')
  const { t: word } = useTranslation()
  const reason = useReason()
  const task = column.tasks[taskKey]
  // It was not part of that job run's template.
  if (!task) return <td aria-label={taskKey} />
  const look = nodeLook(task.status)
  const label = t('history.cell', { task: taskKey, id: column.job_run.id, status: word(`status.${look}`) })
  const took = ownDuration(task)
  const facts = [label, took === null ? null : durationText(took), reason({ ...task, pool: null })].filter(Boolean)
  return (
    <td>
      <Link
        to={paths.jobRun(column.job_run.id, { task: taskKey })}
        className={classes.cell}
        title={facts.join('\n')}
        aria-label={label}
      >
        <StatusBadge status={look} size="icon" />
      </Link>
    </td>
  )
}

function showNewest(table: HTMLTableElement | null): void {
  const region = table?.parentElement
  if (region) region.scrollLeft = region.scrollWidth
}

/** Each column a job run (newest right, its height how long it took), each row a task. */
function HistoryGrid({ history, now }: { history: JobHistory; now: number }) {
  const { t } = useTranslation('jobs')
  const columns = history.job_runs.toReversed()
  const longest = Math.max(1, ...columns.map(({ job_run: run }) => elapsed(run, now)))
  return (
    <div className={classes.history}>
      <div className={classes.above}>
        <h2>{t('history.title')}</h2>
      </div>
      <ScrollRegion className={classes.grid} label={t('history.title')}>
        <table key={columns.length} ref={showNewest}>
          <thead>
            <tr>
              <th scope="col">{t('history.task')}</th>
              {columns.map((column) => (
                <Head key={column.job_run.id} column={column} share={elapsed(column.job_run, now) / longest} />
              ))}
              <td className={classes.rest} aria-hidden />
            </tr>
          </thead>
          <tbody>
            {history.task_keys.map((key) => (
              <tr key={key}>
                <th scope="row" title={key}>
                  {key}
                </th>
                {columns.map((column) => (
                  <Cell key={column.job_run.id} column={column} taskKey={key} />
                ))}
                <td aria-hidden />
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </div>
  )
}

/** What a job did and is going to do: its newest job runs as a grid and in words, and its next firings. */
export function JobOverview({ job }: { job: JobDetail }) {
  const { id: jobId, status } = job
  const { t } = useTranslation('jobs')
  const history = useJobHistory(jobId)
  const runs = useMemo(() => history.data?.job_runs.map(({ job_run: run }) => run) ?? [], [history.data])
  if (history.error && !history.data) {
    return <ErrorState what="job-runs" error={history.error} onRetry={() => void history.refetch()} />
  }
  if (!history.data) return null
  return (
    <div className={classes.overview}>
      <div className={classes.band}>
        {runs.length > 0 ? (
          <HistoryGrid history={history.data} now={history.dataUpdatedAt} />
        ) : (
          <EmptyState
            icon={IconHistory}
            // What ran last is said above, even where retention has removed it.
            title={t(job.last_run_status === null ? 'history.empty' : 'history.noneKept')}
            text={t('history.emptyText')}
          />
        )}
        {status === 'archived' ? null : <NextFirings jobId={jobId} />}
      </div>
      {runs.length > 0 ? <RunFigures of={{ job_id: jobId }} /> : null}
      {runs.length > 0 ? <LatestJobRuns jobId={jobId} runs={runs} /> : null}
    </div>
  )
}
