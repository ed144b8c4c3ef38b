import type { Statement } from 'better-sqlite3'
import type { JobRunStatus } from '../../../contract/jobs.ts'
import type { Store } from '../../platform/store.ts'
import { type JobRunMove, moves } from './job-runs.rules.ts'
import type { JobRunRow } from './job-runs.table.ts'

/** A job run as it is written first: pending. */
export type NewJobRun = Pick<
  JobRunRow,
  | 'job_id'
  | 'job_name'
  | 'snapshot_id'
  | 'template_version'
  | 'trigger_type'
  | 'trigger_id'
  | 'event_trigger_id'
  | 'logical_date'
  | 'timezone'
  | 'arguments'
  | 'parameters'
  | 'connector_mapping'
  | 'overrides'
  | 'selected_tasks'
  | 'skip_deps'
  | 'full_refresh'
  | 'priority'
  | 'on_overlap'
  | 'max_tasks'
  | 'timeout_ms'
  | 'late_at'
  | 'rerun_of'
  | 'backfill_id'
  | 'backfill_parallel'
  | 'created_by'
  | 'created_at'
>

/** Columns that may change beside the status. */
export type JobRunChange = Partial<
  Pick<
    JobRunRow,
    | 'pause_reason'
    | 'cancel_requested'
    | 'stop_reason'
    | 'timeout_ms'
    | 'ran_ms'
    | 'running_since'
    | 'timeout_at'
    | 'late_at'
    | 'was_failed'
    | 'success'
    | 'error_message'
    | 'error_params'
    | 'started_at'
    | 'completed_at'
    | 'duration_ms'
  >
>

type Unfinished = Pick<JobRunRow, 'id' | 'status' | 'backfill_id'>

export function createJobRunsStore({ sqlite }: Store) {
  const insert = sqlite.prepare<[NewJobRun], JobRunRow>(`
    INSERT INTO job_runs (job_id, job_name, snapshot_id, template_version, status, trigger_type, trigger_id, event_trigger_id,
      logical_date, timezone, arguments, parameters, connector_mapping, overrides, selected_tasks, skip_deps, full_refresh, priority,
      on_overlap, max_tasks, timeout_ms, late_at, rerun_of, backfill_id, backfill_parallel, created_by, created_at, updated_at)
    VALUES (@job_id, @job_name, @snapshot_id, @template_version, 'pending', @trigger_type, @trigger_id, @event_trigger_id,
      @logical_date, @timezone, @arguments, @parameters, @connector_mapping, @overrides, @selected_tasks, @skip_deps, @full_refresh, @priority,
      @on_overlap, @max_tasks, @timeout_ms, @late_at, @rerun_of, @backfill_id, @backfill_parallel, @created_by, @created_at,
      @created_at)
    RETURNING *`)
  const get = sqlite.prepare<[number], JobRunRow>('SELECT * FROM job_runs WHERE id = ? AND removed_at IS NULL')
  const setParameters = sqlite.prepare<[string, number], JobRunRow>(
    'UPDATE job_runs SET parameters = ? WHERE id = ? RETURNING *',
  )
  const open = "status IN ('pending', 'running', 'paused')"
  const unfinished = sqlite.prepare<[number], Unfinished>(
    `SELECT id, status, backfill_id FROM job_runs WHERE job_id = ? AND ${open} ORDER BY id`,
  )
  // Those under way are few, so the first that waits is soon found.
  const firstPending = sqlite.prepare<[number], JobRunRow>(
    `SELECT * FROM job_runs WHERE job_id = ? AND ${open} AND +status = 'pending' ORDER BY id LIMIT 1`,
  )
  const before = sqlite.prepare<[number, number], Unfinished>(
    `SELECT id, status, backfill_id FROM job_runs WHERE job_id = ? AND id < ? AND ${open} ORDER BY id`,
  )
  const running = sqlite.prepare<[], { id: number }>("SELECT id FROM job_runs WHERE status = 'running' ORDER BY id")
  const jobsWaiting = sqlite.prepare<[], { job_id: number }>(
    "SELECT DISTINCT job_id FROM job_runs WHERE status = 'pending' ORDER BY job_id",
  )
  const latestEnded = sqlite.prepare<
    [number, JobRunStatus, string, number],
    Pick<JobRunRow, 'id' | 'status' | 'created_at'>
  >(`
    SELECT id, status, created_at FROM job_runs WHERE job_id = ? AND status = ? AND (created_at, id) < (?, ?)
    ORDER BY created_at DESC, id DESC LIMIT 1`)
  const timedOut = sqlite.prepare<[string], { id: number }>(
    'SELECT id FROM job_runs WHERE timeout_at <= ? ORDER BY timeout_at LIMIT 100',
  )
  const late = sqlite.prepare<[string], { id: number }>(
    'SELECT id FROM job_runs WHERE late_at <= ? ORDER BY late_at LIMIT 100',
  )
  const nextDue = sqlite.prepare<[], { at: string | null }>(`
    SELECT min(at) AS at FROM (SELECT min(timeout_at) AS at FROM job_runs WHERE timeout_at IS NOT NULL
      UNION ALL SELECT min(late_at) FROM job_runs WHERE late_at IS NOT NULL)`)
  const statements = new Map<string, Statement<unknown[], JobRunRow>>()

  /** The sets of columns are fixed by the callers in this folder, so there are few of these. */
  function update(
    change: JobRunChange,
    set: string,
    where: string,
    values: Record<string, unknown>,
  ): JobRunRow | undefined {
    const columns = Object.keys(change).map((column) => `, ${column} = @${column}`)
    const sql = `UPDATE job_runs SET updated_at = @at${set}${columns.join('')} WHERE id = @id AND ${where} RETURNING *`
    let statement = statements.get(sql)
    if (!statement) statements.set(sql, (statement = sqlite.prepare<unknown[], JobRunRow>(sql)))
    return statement.get({ ...change, ...values })
  }

  return {
    insert(run: NewJobRun): JobRunRow {
      // RETURNING of a plain insert always gives the row.
      return insert.get(run)!
    },
    get: (id: number): JobRunRow | undefined => get.get(id),
    /** Only while it is being made: what its parameters are may depend on its number. */
    setParameters: (id: number, parameters: string): JobRunRow => setParameters.get(parameters, id)!,

    /** The one way in which a status changes. The changed row, or undefined when it has moved meanwhile. */
    move(id: number, name: JobRunMove, to: JobRunStatus, at: string, change: JobRunChange = {}): JobRunRow | undefined {
      const { from, to: allowed } = moves[name]
      const targets: readonly JobRunStatus[] = allowed
      if (!targets.includes(to)) throw new Error(`No job run can ${name} to ${to}`)
      const guard = `status IN (${from.map((status) => `'${status}'`).join(', ')})`
      return update(change, ', status = @to', guard, { id, to, at })
    },
    /** What changes while it is open and stays as it is. */
    note: (id: number, change: JobRunChange, at: string): JobRunRow | undefined => update(change, '', open, { id, at }),

    /** Of a job, oldest first. */
    unfinished: (jobId: number): Unfinished[] => unfinished.all(jobId),
    firstPending: (jobId: number): JobRunRow | undefined => firstPending.get(jobId),
    unfinishedBefore: ({ job_id, id }: JobRunRow): Unfinished[] => before.all(job_id, id),

    running: (): number[] => running.all().map(({ id }) => id),
    jobsWaiting: (): number[] => jobsWaiting.all().map(({ job_id }) => job_id),
    /** How the job's newest job run before this one ended; null when none has. */
    statusBefore({ job_id, created_at, id }: JobRunRow): JobRunStatus | null {
      const ended: readonly JobRunStatus[] = ['completed', 'failed', 'cancelled']
      const found = ended.flatMap((status) => latestEnded.get(job_id, status, created_at, id) ?? [])
      found.sort((a, b) => (a.created_at === b.created_at ? b.id - a.id : a.created_at < b.created_at ? 1 : -1))
      return found[0]?.status ?? null
    },

    timedOut: (now: string): number[] => timedOut.all(now).map(({ id }) => id),
    late: (now: string): number[] => late.all(now).map(({ id }) => id),
    /** When the next job run is late or its time is up. */
    nextDue: (): string | null => nextDue.get()?.at ?? null,
  }
}
export type JobRunsStore = ReturnType<typeof createJobRunsStore>
