import { msg } from '../../../contract/messages.ts'
import type { JobRun } from '../../../contract/job-runs.ts'
import type { runJob } from '../../../contract/job-run-control.ts'
import type { BodyOf } from '../../../contract/operation.ts'
import type { Platform } from '../../platform/platform.ts'
import { conflict } from '../../platform/refusal.ts'
import type { JobsService } from '../jobs/jobs.service.ts'
import type { PoolsService } from '../pools/pools.service.ts'
import type { Origin, RunsService } from '../runs/runs.service.ts'
import { createJobRunControl } from './job-run-control.ts'
import { createJobRunEndings } from './job-run-endings.ts'
import { createJobRunEngine } from './job-run-engine.ts'
import { createJobRunEvents } from './job-run-events.ts'
import { createJobRunItemsStore } from './job-run-items.store.ts'
import { createPlans } from './job-run-plan.ts'
import { type RunnableJobs, createJobRunStarts } from './job-run-starts.ts'
import { createJobRunTasksStore } from './job-run-tasks.store.ts'
import { createJobRunTimer } from './job-run-timer.ts'
import { createJobRunsStore } from './job-runs.store.ts'
import type { JobRunRow } from './job-runs.table.ts'

export type { Launch, StartOptions } from './job-run-starts.ts'

interface Dependencies {
  jobs: RunnableJobs & Pick<JobsService, 'noteRun'>
  runs: Pick<RunsService, 'startInJob' | 'attempts' | 'driftOf'>
  pools: Pick<PoolsService, 'onChanged'>
}
type Present = (row: JobRunRow) => JobRun

export function createJobRunsService(platform: Platform, { jobs, runs, pools }: Dependencies) {
  const { store, clock } = platform
  const jobRuns = createJobRunsStore(store)
  const nodes = createJobRunTasksStore(store)
  const items = createJobRunItemsStore(store)
  const timer = createJobRunTimer(platform, jobRuns, sweep)
  const announce = createJobRunEvents(platform, jobs.noteRun)
  const events = {
    ...announce,
    created(row: JobRunRow) {
      timer.at(row.late_at)
      announce.created(row)
    },
    changed(row: JobRunRow) {
      timer.at(row.timeout_at, row.late_at)
      announce.changed(row)
    },
  }
  const plans = createPlans(jobs.heldSnapshot)
  const endings = createJobRunEndings({
    jobRuns,
    nodes,
    events,
    clock,
    driftOf: runs.driftOf,
    rejectsOf: items.rejected,
  })
  const engine = createJobRunEngine(platform, { jobRuns, nodes, items, events, plans, runs, endings })
  const control = createJobRunControl(platform, {
    jobRuns,
    nodes,
    items,
    events,
    endings,
    engine,
    plans,
    attempts: runs.attempts,
  })
  const starts = createJobRunStarts(platform, { jobs, jobRuns, nodes, events, engine, control, plans })

  pools.onChanged((pool) => engine.change(() => engine.hasRoom(pool)))

  /** Job runs whose time is up or that are late by now. */
  function sweep(): void {
    const now = clock.iso()
    const late = (id: number) => {
      const run = jobRuns.get(id)
      if (run) engine.change(() => endings.late(run))
    }
    const failed: unknown[] = []
    const each = (ids: number[], work: (id: number) => void) => {
      for (const id of ids) {
        try {
          store.transaction(() => work(id))
        } catch (error) {
          // The others do not wait for it; the timer comes back to it.
          failed.push(error)
        }
      }
    }
    each(jobRuns.timedOut(now), control.expire)
    each(jobRuns.late(now), late)
    if (failed.length > 0) throw failed[0]
  }

  /**
   * Whatever could go on when the server ended goes on. Every transaction leaves job runs complete, so there is little to find:
   * what became possible while nobody was there, such as a limit that a newer release counts in another way.
   */
  function recover(): void {
    for (const id of jobRuns.running()) store.transaction(() => engine.change(() => engine.lookAt(id)))
    for (const id of jobRuns.jobsWaiting()) store.transaction(() => engine.change(() => engine.lookAtJob(id)))
    timer.wait()
  }

  return {
    /** In the caller's transaction. */
    start: starts.start,
    check: starts.check,
    /** In the caller's transaction: a job run that is not started from what its job holds now. */
    launch: starts.launch,
    /** In the caller's transaction: many starts, of which what follows is worked out once. */
    together: engine.change,

    run: (
      jobId: number,
      body: BodyOf<typeof runJob>,
      origin: Origin,
      present: Present,
      remember: (run: JobRun) => void,
    ) =>
      store.group(() => {
        const started = starts.start(jobId, body, origin)
        if (started.kind === 'overlap') {
          conflict(msg('job_run_overlaps', { id: started.job_run_id }))
        }
        const run = present(started.job_run)
        remember(run)
        return run
      }),
    pause: (id: number, stopRunning: boolean) => store.group(() => done(control.pause(id, stopRunning))),
    resume: (id: number, userId: number | null) => store.group(() => done(control.resume(id, userId))),
    cancel: (id: number) => store.group(() => done(control.cancel(id))),
    decideGate: (id: number, key: string, open: boolean, by: { user_id: number | null; note: string | null }) =>
      store.group(() => done(control.decideGate(id, key, open, by))),

    /** Called in the transaction in which a job run ends. */
    onEnded: endings.onEnded,
    /** Called in the transaction in which a job run begins. */
    onStarted: endings.onStarted,
    /** Called in the transaction in which a gate begins to wait. */
    onGate: endings.onGate,
    /** Called in the transaction that finds a job run late. */
    onLate: endings.onLate,
    sweep,
    recover,
  }
}
export type JobRunsService = ReturnType<typeof createJobRunsService>

const done = (_: void) => ({ success: true })
