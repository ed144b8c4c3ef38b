import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import type { JobRun } from '../../../contract/job-runs.ts'
import { useSession } from '../../api/session.ts'
import { paths } from '../../paths.ts'
import { DataTable } from '../../ui/DataTable.tsx'
import type { TableColumn } from '../../ui/table.types.ts'
import { durationText } from '../../ui/time.ts'
import { JobRunDuration } from '../job-runs/JobRunDuration.tsx'
import { startedByText } from '../job-runs/started-by.ts'
import { jobRunColumns } from '../job-runs/job-run-columns.tsx'
import classes from './JobOverview.module.css'

const keyOf = (run: JobRun) => run.id
const hrefOf = (run: JobRun) => paths.jobRun(run.id)

/** Those of the list of all job runs, but for the job. */
function useColumns(): TableColumn<JobRun>[] {
  const { t } = useTranslation('jobRuns')
  const { t: word } = useTranslation('runs')
  const { t: ofJobs } = useTranslation('jobs')
  const { me } = useSession()
  return useMemo(() => {
    const startedBy = (run: JobRun): string =>
      startedByText(
        t,
        run.event_trigger_id === null ? word(`trigger.${run.trigger_type}`) : ofJobs('history.event'),
        run,
        me.user.id,
      )
    const changes: Record<string, Partial<TableColumn<JobRun>>> = {
      id: { width: 80 },
      status: { width: 168 },
      duration: {
        width: 128,
        // Beside its age, which goes on, a duration alone would be read as that of all of it.
        cell: (run) =>
          run.status === 'paused' ? (
            t('list.active', { duration: durationText(run.ran_ms) })
          ) : (
            <JobRunDuration run={run} />
          ),
      },
      trigger: { header: t('page.startedBy'), width: 112 },
    }
    return jobRunColumns(t, startedBy)
      .filter(({ id }) => id !== 'job')
      .map((column) => ({ ...column, ...changes[column.id] }))
  }, [t, word, ofJobs, me])
}

/** The newest job runs in words, beside the grid that shows them as columns; each leads to what failed in it. */
export function LatestJobRuns({ jobId, runs }: { jobId: number; runs: readonly JobRun[] }) {
  const { t } = useTranslation('jobs')
  const navigate = useNavigate()
  const columns = useColumns()
  return (
    <section className={classes.latest} aria-labelledby="job-latest">
      <div className={classes.above}>
        <h2 id="job-latest">{t('history.latest')}</h2>
        <span>
          <Link to={paths.jobRuns({ job_id: jobId })}>{t('history.all')}</Link>
        </span>
      </div>
      <DataTable
        id="job-latest"
        label={t('history.latest')}
        rows={runs}
        columns={columns}
        rowKey={keyOf}
        rowHref={hrefOf}
        onOpen={(run) => void navigate(hrefOf(run))}
      />
    </section>
  )
}
