import { msg } from '../../../contract/messages.ts'
import type { backfillJob } from '../../../contract/job-run-control.ts'
import type { BodyOf, ResultOf } from '../../../contract/operation.ts'
import type { Platform } from '../../platform/platform.ts'
import { conflict, invalid, invalidState } from '../../platform/refusal.ts'
import type { JobsService } from '../jobs/jobs.service.ts'
import type { Origin } from '../runs/runs.service.ts'
import { backfillDates } from './job-run-backfill.rules.ts'
import type { JobRunsService } from './job-runs.service.ts'

interface Dependencies {
  jobRuns: Pick<JobRunsService, 'start' | 'check' | 'together'>
  jobs: Pick<JobsService, 'forRun' | 'heldSnapshot'>
}

export function createJobRunBackfillService({ store, ids }: Platform, { jobRuns, jobs }: Dependencies) {
  function datesOf({ from, to, every = 'day' }: BodyOf<typeof backfillJob>, timezone: string): string[] {
    const found = backfillDates({ from, to, every }, timezone)
    if (found.kind === 'dates') return found.dates
    return invalid([{ path: `body.${found.field}`, ...found.reason }])
  }

  return {
    /** All job runs or none; a dry run refuses what the backfill would refuse. */
    backfill: (jobId: number, body: BodyOf<typeof backfillJob>, origin: Origin): ResultOf<typeof backfillJob> =>
      store.transaction(() => {
        const { arguments: given, selected_tasks, skip_deps, full_refresh, max_parallel = 1, dry_run = false } = body
        const { name, status, snapshot_id } = jobs.forRun(jobId)
        if (status === 'archived') invalidState(msg('job_archived', { name }))
        const timezone = body.timezone ?? jobs.heldSnapshot(snapshot_id).document.timezone
        const logical_dates = datesOf(body, timezone)
        const backfill_id = ids.uuid()
        const backfill = { id: backfill_id, max_parallel }
        const options = { arguments: given, selected_tasks, skip_deps, full_refresh, timezone, backfill }
        const job_run_ids = jobRuns.together(() =>
          logical_dates.flatMap((logical_date) => {
            if (dry_run) {
              const { in_its_way } = jobRuns.check(jobId, { ...options, logical_date }, origin)
              return in_its_way === null ? [] : refuseOverlap(in_its_way)
            }
            const started = jobRuns.start(jobId, { ...options, logical_date }, origin)
            return started.kind === 'started' ? [started.job_run.id] : refuseOverlap(started.job_run_id)
          }),
        )
        return { backfill_id, dry_run, logical_dates, job_run_ids }
      }),
  }
}
export type JobRunBackfillService = ReturnType<typeof createJobRunBackfillService>

const refuseOverlap = (jobRunId: number): never => conflict(msg('job_run_overlaps', { id: jobRunId }))
