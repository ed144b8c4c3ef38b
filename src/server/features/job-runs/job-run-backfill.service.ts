import type { backfillJob } from '../../../contract/job-run-control.ts'
import type { BodyOf, ResultOf } from '../../../contract/operation.ts'
import type { Platform } from '../../platform/platform.ts'
import { conflict, invalid, invalidState } from '../../platform/refusal.ts'
import type { JobsService } from '../jobs/jobs.service.ts'
import type { Origin } from '../runs/runs.service.ts'
import { backfillDates } from './job-run-backfill.rules.ts'
import type { JobRunsService } from './job-runs.service.ts'

interface Dependencies {
  jobRuns: Pick<JobRunsService, 'start' | 'together'>
  jobs: Pick<JobsService, 'forRun'>
}

export function createJobRunBackfillService({ store, ids }: Platform, { jobRuns, jobs }: Dependencies) {
  function datesOf({ from, to, every = 'day', timezone = 'UTC' }: BodyOf<typeof backfillJob>): string[] {
    const found = backfillDates({ from, to, every }, timezone)
    if (found.kind === 'dates') return found.dates
    return invalid([{ path: `body.${found.field}`, message: found.message }])
  }

  function startAll(jobId: number, id: string, dates: string[], body: BodyOf<typeof backfillJob>, origin: Origin) {
    const { arguments: given, selected_tasks, skip_deps, full_refresh, max_parallel = 1 } = body
    const options = { arguments: given, selected_tasks, skip_deps, full_refresh, backfill: { id, max_parallel } }
    return dates.map((logical_date) => {
      const started = jobRuns.start(jobId, { ...options, logical_date }, origin)
      if (started.kind === 'started') return started.job_run.id
      return conflict(
        `Job run ${started.job_run_id} of this job has not ended, and the job template says \`on_overlap: skip\`.`,
      )
    })
  }

  return {
    /** All job runs or none. */
    backfill: (jobId: number, body: BodyOf<typeof backfillJob>, origin: Origin): ResultOf<typeof backfillJob> =>
      store.transaction(() => {
        const { name, status } = jobs.forRun(jobId)
        if (status === 'archived') invalidState(`Job ${name} is archived: restore it to run it.`)
        const logical_dates = datesOf(body)
        const backfill_id = ids.uuid()
        const dry_run = body.dry_run ?? false
        const job_run_ids = dry_run
          ? []
          : jobRuns.together(() => startAll(jobId, backfill_id, logical_dates, body, origin))
        return { backfill_id, dry_run, logical_dates, job_run_ids }
      }),
  }
}
export type JobRunBackfillService = ReturnType<typeof createJobRunBackfillService>
