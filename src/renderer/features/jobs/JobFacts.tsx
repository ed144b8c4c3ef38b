import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { listConnectors } from '../../../contract/connectors.ts'
import { listDashboards } from '../../../contract/dashboards.ts'
import type { JobRun } from '../../../contract/job-runs.ts'
import type { JobDetail, JobRunStatus } from '../../../contract/jobs.ts'
import { useOperation } from '../../api/queries.ts'
import { paths } from '../../paths.ts'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { TimeSince } from '../../ui/TimeSince.tsx'
import { isUnfinished } from '../../ui/status.ts'
import { JobRunBadge } from '../job-runs/JobRunBadge.tsx'
import { jobRunLook } from '../job-runs/node-status.ts'
import { unfinishedSince } from '../recent-runs/recent-runs.rules.ts'
import runClasses from '../runs/RunPage.module.css'
import classes from './jobs.module.css'
import { useJobHistory } from './use-job-history.ts'
import type { JobShape } from './use-job-shape.ts'

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className={classes.template}>{children}</dd>
    </div>
  )
}

/** Leads to the job run, unless retention has removed it. */
function LastStatus({ id, status, run }: { id: number | null; status: JobRunStatus; run: JobRun | undefined }) {
  const { t } = useTranslation('jobs')
  const badge = run ? <JobRunBadge run={run} /> : <StatusBadge status={status === 'completed' ? 'success' : status} />
  return id === null ? <span title={t('facts.removed')}>{badge}</span> : <Link to={paths.jobRun(id)}>{badge}</Link>
}

/** So many dashboards are named. */
const namedDashboards = 4

/** The line of facts above a job's history: how it went last, when it goes next, what it is bound to. */
export function JobFacts({ job, shape }: { job: JobDetail; shape: JobShape }) {
  const { t } = useTranslation('jobs')
  const ids = [...new Set(Object.values(shape.mapping))]
  const found = useOperation(
    listConnectors,
    { query: { limit: 200, sort: 'name', order: 'asc' } },
    { enabled: ids.length > 0 },
  )
  const dashboards = useOperation(listDashboards, { query: { job_id: job.id, limit: namedDashboards } }).data
  // Of the job itself only the last change of that job run is known: beside the list it would be another age.
  const last = useJobHistory(job.id).data?.job_runs.find(({ job_run: run }) => run.id === job.last_run_id)?.job_run
  const bound = found.data?.result.filter(({ id }) => ids.includes(id)) ?? []
  return (
    <dl className={runClasses.bar} aria-label={t('facts.label')}>
      {job.last_run_status ? (
        <Fact name={t('facts.last')}>
          <LastStatus id={job.last_run_id} status={job.last_run_status} run={last} />
          {last && isUnfinished(jobRunLook(last)) ? (
            <TimeSince at={unfinishedSince(last)} />
          ) : (
            <RelativeTime at={last?.created_at ?? job.last_run_at} />
          )}
        </Fact>
      ) : null}
      <Fact name={t('facts.next')}>
        <RelativeTime at={job.next_fire_at} fallback={t('list.noTrigger')} />
      </Fact>
      {bound.length > 0 ? (
        <Fact name={t('facts.connectors')}>
          {bound.map(({ id, name }) => (
            <Link key={id} to={paths.connector(id)} className={classes.bound} title={name}>
              {name}
            </Link>
          ))}
        </Fact>
      ) : null}
      {dashboards && dashboards.result.length > 0 ? (
        <Fact name={t('facts.dashboards')}>
          {dashboards.result.map(({ id, name }) => (
            <Link key={id} to={paths.dashboard(id)} className={classes.bound} title={name}>
              {name}
            </Link>
          ))}
          {dashboards.total > namedDashboards ? (
            <Link to={paths.dashboards({ job_id: job.id })}>
              {t('facts.allDashboards', { count: dashboards.total })}
            </Link>
          ) : null}
        </Fact>
      ) : null}
    </dl>
  )
}
