import type { JobRunStatus } from '../../../contract/jobs.ts'
import type { ColumnDrift } from '../../../contract/schema-drift.ts'
import type { OnFailure } from '../../../language/job/job.types.ts'
import type { Clock } from '../../platform/clock.ts'
import type { JobRunEvents } from './job-run-events.ts'
import type { JobRunTasksStore } from './job-run-tasks.store.ts'
import { between, jobRunEnding } from './job-runs.rules.ts'
import type { JobRunsStore } from './job-runs.store.ts'
import type { JobRunRow } from './job-runs.table.ts'

/** The end of a job run, or that it is late, for those who make something of it in the same transaction. */
export interface JobRunEnd {
  id: number
  job_id: number
  job_name: string
  snapshot_id: number
  status: JobRunStatus
  /** How the job's job run before it ended; of one that was resumed, how it had ended itself. */
  previous_status: JobRunStatus | null
  logical_date: string
  timezone: string
  trigger_type: JobRunRow['trigger_type']
  started_at: string | null
  completed_at: string | null
  duration_ms: number | null
  error_message: string | null
  backfill_id: string | null
  failed_task_keys: string[]
  /** Where rows and tables differed, by task. */
  drift: { task_key: string; drift: ColumnDrift[] }[]
  /** How many rows its tasks rejected; those that rejected none are left out. */
  rejects: { task_key: string; rejected: number }[]
}
type Listener = (end: JobRunEnd) => void
/** A job run as it is when one of its gates begins to wait. */
export type JobRunGate = JobRunEnd & { gate: { task_key: string; message: string } }

interface Parts {
  jobRuns: JobRunsStore
  nodes: JobRunTasksStore
  events: JobRunEvents
  clock: Clock
  driftOf(jobRunId: number): JobRunEnd['drift']
  rejectsOf(jobRunId: number): JobRunEnd['rejects']
}

/** How job runs begin and come to rest, for those who make something of it. */
export function createJobRunEndings({ jobRuns, nodes, events, clock, driftOf, rejectsOf }: Parts) {
  const endListeners: Listener[] = []
  const lateListeners: Listener[] = []
  const gateListeners: ((waiting: JobRunGate) => void)[] = []
  const startListeners: ((run: JobRunRow) => void)[] = []

  const endOf = (row: JobRunRow): JobRunEnd => ({
    id: row.id,
    job_id: row.job_id,
    job_name: row.job_name,
    snapshot_id: row.snapshot_id,
    status: row.status,
    previous_status: row.was_failed === 1 ? 'failed' : jobRuns.statusBefore(row),
    logical_date: row.logical_date,
    timezone: row.timezone,
    trigger_type: row.trigger_type,
    started_at: row.started_at,
    completed_at: row.completed_at,
    duration_ms: row.duration_ms,
    error_message: row.error_message,
    backfill_id: row.backfill_id,
    failed_task_keys: nodes.all(row.id).flatMap(({ task_key, status }) => (status === 'failed' ? [task_key] : [])),
    drift: driftOf(row.id),
    rejects: rejectsOf(row.id),
  })

  /** Time spent running, pauses left out, and that no time is running any more. */
  function rested(run: JobRunRow, at: string) {
    const ran_ms = run.ran_ms + (run.running_since === null ? 0 : between(run.running_since, at))
    return { ran_ms, running_since: null, timeout_at: null }
  }

  return {
    rested,

    /** Nothing is under way and nothing waits any more. */
    finish(run: JobRunRow, onFailure: (key: string) => OnFailure): void {
      const at = clock.iso()
      const { status, error, success } = jobRunEnding(run, nodes.all(run.id), onFailure)
      const time = rested(run, at)
      const row = jobRuns.move(run.id, status === 'cancelled' ? 'cancel' : 'finish', status, at, {
        ...time,
        late_at: null,
        pause_reason: null,
        success: success ? 1 : 0,
        error_message: error?.message ?? null,
        error_params: error?.params ?? null,
        completed_at: at,
        duration_ms: run.started_at === null ? null : time.ran_ms,
      })
      if (!row) return
      events.changed(row)
      const end = endOf(row)
      for (const listener of endListeners) listener(end)
    },

    /** Only gates are left to wait for. */
    awaitGates(run: JobRunRow): void {
      const row = rest(run, 'gate')
      if (row) events.changed(row)
    },
    rest,
    /** A gate has begun to wait. */
    asked(run: JobRunRow, gate: JobRunGate['gate']): void {
      const waiting = { ...endOf(run), gate }
      for (const listener of gateListeners) listener(waiting)
    },

    /** It has begun. */
    begun(run: JobRunRow): void {
      for (const listener of startListeners) listener(run)
    },

    late(run: JobRunRow): void {
      if (!jobRuns.note(run.id, { late_at: null }, clock.iso())) return
      const end = endOf(run)
      for (const listener of lateListeners) listener(end)
    },

    onStarted: (listener: (run: JobRunRow) => void) => void startListeners.push(listener),
    onEnded: (listener: Listener) => void endListeners.push(listener),
    onGate: (listener: (waiting: JobRunGate) => void) => void gateListeners.push(listener),
    onLate: (listener: Listener) => void lateListeners.push(listener),
  }

  function rest(run: JobRunRow, pause_reason: 'asked' | 'gate'): JobRunRow | undefined {
    const at = clock.iso()
    // The time that it has left goes on when it is resumed.
    const left = run.timeout_at === null ? {} : { timeout_ms: Math.max(1, between(at, run.timeout_at)) }
    return jobRuns.move(run.id, 'pause', 'paused', at, { pause_reason, ...rested(run, at), ...left })
  }
}
export type JobRunEndings = ReturnType<typeof createJobRunEndings>
