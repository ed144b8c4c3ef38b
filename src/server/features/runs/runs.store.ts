import type { Statement } from 'better-sqlite3'
import type { RunStatus } from '../../../contract/runs.ts'
import type { Store } from '../../platform/store.ts'
import { type MoveName, moves } from './runs.rules.ts'
import type { CommitPermit, RunAttemptRow, RunRow, TriggerType } from './runs.table.ts'

export interface NewRun {
  task_id: number
  task_name: string
  task_version: number
  trigger_type: TriggerType
  arguments: string | null
  connector_mapping: string | null
  logical_date: string
  max_attempts: number
  retry_delay_ms: number
  retry_backoff: number
  timeout_ms: number | null
  full_refresh: 0 | 1
  retried_from: number | null
  created_by: number | null
  created_at: string
  priority: number
  /** Of the job run that it belongs to; all null for a run of its own. */
  job_run_id: number | null
  job_id: number | null
  task_key: string | null
  item_index: number | null
  state_key: string | null
  override_hash: string | null
  pool: string | null
  rejects_of: number | null
  rejects_start: string | null
}

/** An attempt that waits for an executor. */
export interface ReadyAttempt {
  run_id: number
  attempt: number
}

/** Columns that a move may set beside the status. */
export type RunChange = Partial<
  Pick<
    RunRow,
    | 'attempt'
    | 'ready_at'
    | 'executor_id'
    | 'executor_name'
    | 'lease_token'
    | 'cancel_requested'
    | 'started_at'
    | 'completed_at'
    | 'duration_ms'
    | 'item_count'
    | 'reject_count'
    | 'error_message'
    | 'error_code'
    | 'error_params'
    | 'metrics_summary'
    | 'outputs'
    | 'log_seq'
    | 'reject_seq'
    | 'rejects_stored'
    | 'commit_permit'
    | 'commit_state'
  >
>

export function createRunsStore({ sqlite }: Store) {
  const insert = sqlite.prepare<[NewRun], RunRow>(`
    INSERT INTO runs (task_id, task_name, task_version, trigger_type, status, arguments, connector_mapping, logical_date,
      max_attempts, retry_delay_ms, retry_backoff, timeout_ms, full_refresh, ready_at, retried_from, created_by, created_at, updated_at,
      priority, job_run_id, job_id, task_key, item_index, state_key, override_hash, pool, rejects_of, rejects_start)
    VALUES (@task_id, @task_name, @task_version, @trigger_type, 'pending', @arguments, @connector_mapping, @logical_date,
      @max_attempts, @retry_delay_ms, @retry_backoff, @timeout_ms, @full_refresh, @created_at, @retried_from, @created_by, @created_at,
      @created_at, @priority, @job_run_id, @job_id, @task_key, @item_index, @state_key, @override_hash, @pool, @rejects_of, @rejects_start)
    RETURNING *`)
  const get = sqlite.prepare<[number], RunRow>('SELECT * FROM runs WHERE id = ?')
  // Without the name of the index SQLite takes that of all statuses, and sorts every run that waits for each claim.
  const ready = sqlite.prepare<[string, number], ReadyAttempt>(`
    SELECT id AS run_id, attempt FROM runs INDEXED BY runs_ready WHERE status = 'pending' AND ready_at <= ?
    ORDER BY priority DESC, ready_at, id LIMIT ?`)
  const nextReadyAt = sqlite.prepare<[string], { ready_at: string }>(
    "SELECT ready_at FROM runs INDEXED BY runs_waiting WHERE status = 'pending' AND ready_at > ? ORDER BY ready_at LIMIT 1",
  )
  const running = sqlite.prepare<[], RunRow>("SELECT * FROM runs WHERE status = 'running' ORDER BY id")
  const askToCancel = sqlite.prepare<[string, number]>(
    "UPDATE runs SET cancel_requested = 1, updated_at = ? WHERE id = ? AND status = 'running'",
  )
  const setStarted = sqlite.prepare<[string, string, number]>(
    'UPDATE runs SET started_at = ?, updated_at = ? WHERE id = ?',
  )
  const setLogs = sqlite.prepare<[number, number, number]>('UPDATE runs SET log_seq = ?, log_lines = ? WHERE id = ?')
  const setRejects = sqlite.prepare<[number, number, number, number]>(
    'UPDATE runs SET reject_seq = ?, reject_count = ?, rejects_stored = ? WHERE id = ?',
  )
  const setPermit = sqlite.prepare<[CommitPermit, string | null, string, number]>(
    'UPDATE runs SET commit_permit = ?, commit_state = ?, updated_at = ? WHERE id = ?',
  )
  const setCommitted = sqlite.prepare<[string, number | null, string, number]>(
    'UPDATE runs SET committed_at = ?, item_count = ?, updated_at = ? WHERE id = ?',
  )
  const setStateRevision = sqlite.prepare<[string | null, number]>('UPDATE runs SET state_revision = ? WHERE id = ?')
  const pastAttempt = sqlite.prepare<[number, number], RunAttemptRow>(
    'SELECT * FROM run_attempts WHERE run_id = ? AND attempt = ?',
  )
  const keepAttempt = sqlite.prepare<[RunAttemptRow]>(`
    INSERT INTO run_attempts (run_id, attempt, lease_token, executor_id, executor_name, started_at, ended_at, duration_ms, error_code,
      error_message, error_params, log_seq, reject_seq)
    VALUES (@run_id, @attempt, @lease_token, @executor_id, @executor_name, @started_at, @ended_at, @duration_ms, @error_code,
      @error_message, @error_params, @log_seq, @reject_seq)`)
  const moveStatements = new Map<string, Statement<[MoveParameters], RunRow>>()

  interface MoveParameters extends RunChange {
    id: number
    guard_attempt: number
    guard_lease: string | null
    to: RunStatus
    from: RunStatus
    at: string
  }

  // The set of changed columns is fixed by the callers in this folder, so there are few of these.
  function moveStatement(columns: string[]): Statement<[MoveParameters], RunRow> {
    const key = columns.join()
    let statement = moveStatements.get(key)
    if (!statement) {
      const set = columns.map((column) => `, ${column} = @${column}`).join('')
      statement = sqlite.prepare<[MoveParameters], RunRow>(`
        UPDATE runs SET status = @to, updated_at = @at${set}
        WHERE id = @id AND status = @from AND attempt = @guard_attempt AND lease_token IS @guard_lease
        RETURNING *`)
      moveStatements.set(key, statement)
    }
    return statement
  }

  return {
    insert(run: NewRun): RunRow {
      // RETURNING of a plain insert always gives the row.
      return insert.get(run)!
    },
    get: (id: number): RunRow | undefined => get.get(id),
    ready: (now: string, limit: number): ReadyAttempt[] => ready.all(now, limit),
    /** When the next waiting run becomes ready; undefined when none waits for a time to come. */
    nextReadyAt: (now: string): string | undefined => nextReadyAt.get(now)?.ready_at,
    running: (): RunRow[] => running.all(),

    /**
     * The one way in which a status changes: guarded by the status, attempt and lease that the run was seen with. The
     * changed row, or undefined when it has moved meanwhile.
     */
    move(
      seen: Pick<RunRow, 'id' | 'attempt' | 'lease_token'>,
      name: MoveName,
      to: RunStatus,
      at: string,
      change: RunChange = {},
    ): RunRow | undefined {
      const { from, to: allowed } = moves[name]
      const targets: readonly RunStatus[] = allowed
      if (!targets.includes(to)) throw new Error(`No run can ${name} to ${to}`)
      return moveStatement(Object.keys(change)).get({
        ...change,
        id: seen.id,
        guard_attempt: seen.attempt,
        guard_lease: seen.lease_token,
        from,
        to,
        at,
      })
    },

    askToCancel: (id: number, at: string): boolean => askToCancel.run(at, id).changes === 1,
    setStarted: (id: number, startedAt: string, at: string) => void setStarted.run(startedAt, at, id),
    setLogs: (id: number, seq: number, lines: number) => void setLogs.run(seq, lines, id),
    setRejects: (id: number, seq: number, count: number, stored: number) => void setRejects.run(seq, count, stored, id),
    setPermit: (id: number, permit: CommitPermit, state: string | null, at: string) =>
      void setPermit.run(permit, state, at, id),
    setCommitted: (id: number, itemCount: number | null, at: string) => void setCommitted.run(at, itemCount, at, id),
    setStateRevision: (id: number, revision: string | null) => void setStateRevision.run(revision, id),
    pastAttempt: (id: number, attempt: number): RunAttemptRow | undefined => pastAttempt.get(id, attempt),
    keepAttempt: (attempt: RunAttemptRow) => void keepAttempt.run(attempt),
  }
}
export type RunsStore = ReturnType<typeof createRunsStore>
