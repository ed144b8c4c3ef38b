/** Finds what retention lets go, oldest first, and removes it in small pieces. */
import type { Store } from '../../platform/store.ts'

export interface Place {
  created_at: string
  id: number
}
export const beginning: Place = { created_at: '', id: 0 }

export interface OldRun extends Place {
  task_id: number
}
export interface RunWithDetails extends Place {
  log_lines: number
  rejects_stored: number
}

const statuses = ['success', 'completed', 'failed', 'cancelled', 'pending', 'running']
const triggerTypes = ['manual', 'cron', 'api']
// The oldest are asked for, a few at a time: left to itself, SQLite would sort all of them by status.
const ended = "status IN ('success', 'completed', 'failed', 'cancelled')"
/** The terms of the partial index. */
const hasDetails = '(log_lines > 0 OR rejects_stored > 0)'

export function createRetentionStore({ sqlite }: Pick<Store, 'sqlite'>) {
  const oldRuns = sqlite.prepare<[{ at: string; id: number; before: string; limit: number }], OldRun>(`
    SELECT id, task_id, created_at FROM runs INDEXED BY runs_alone
    WHERE job_run_id IS NULL AND (created_at, id) > (@at, @id) AND created_at < @before AND updated_at < @before AND ${ended}
    ORDER BY created_at, id LIMIT @limit`)
  const newest = sqlite.prepare<[number, string, string], Place & { job_run_id: number | null }>(`
    SELECT id, created_at, job_run_id FROM runs WHERE task_id = ? AND status = ? AND trigger_type = ?
    ORDER BY created_at DESC, id DESC LIMIT 1`)
  const oldJobRuns = sqlite.prepare<[{ at: string; id: number; before: string; limit: number }], Place>(`
    SELECT id, created_at FROM job_runs AS old INDEXED BY job_runs_by_created
    WHERE (created_at, id) > (@at, @id) AND created_at < @before AND updated_at < @before
      AND status IN ('completed', 'failed', 'cancelled') AND active = 0 AND removed_at IS NULL
      AND NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.id = old.job_id AND jobs.last_run_id = old.id)
      AND NOT EXISTS (SELECT 1 FROM job_runs AS again WHERE again.rerun_of = old.id AND again.removed_at IS NULL)
    ORDER BY created_at, id LIMIT @limit`)
  const tasksOf = sqlite.prepare<[number], { task_id: number }>(
    'SELECT DISTINCT task_id FROM runs WHERE job_run_id = ?',
  )
  const markRemoved = sqlite.prepare<[string, number]>(
    'UPDATE job_runs SET removed_at = ? WHERE id = ? AND removed_at IS NULL',
  )
  const removedJobRun = sqlite.prepare<[], { id: number }>(
    'SELECT id FROM job_runs WHERE removed_at IS NOT NULL ORDER BY id LIMIT 1',
  )
  const runOf = sqlite.prepare<[number], { id: number }>('SELECT id FROM runs WHERE job_run_id = ? LIMIT 1')
  const countOf = sqlite.prepare<[number], { n: number }>('SELECT count(*) AS n FROM runs WHERE job_run_id = ?')
  const endedRuns = sqlite.prepare<[], { n: number | null }>(
    'SELECT sum(n) AS n FROM run_counts WHERE task_id = 0 AND grain = 0',
  )
  const withDetails = sqlite.prepare<[{ at: string; id: number; before: string; limit: number }], RunWithDetails>(`
    SELECT id, created_at, log_lines, rejects_stored FROM runs INDEXED BY runs_with_details
    WHERE ${hasDetails} AND (created_at, id) > (@at, @id) AND created_at < @before AND updated_at < @before AND ${ended}
    ORDER BY created_at, id LIMIT @limit`)
  const noteLogRemoved = sqlite.prepare<[string, number]>(
    'UPDATE runs SET log_lines = 0, log_removed_at = ? WHERE id = ?',
  )
  const noteRejectsRemoved = sqlite.prepare<[string, number]>(
    'UPDATE runs SET rejects_stored = 0, log_removed_at = ? WHERE id = ?',
  )
  const logBytes = sqlite.prepare<[], { bytes: number }>('SELECT bytes FROM log_size')
  const chunks = sqlite.prepare<[number, number], { lines: number }>(`
    DELETE FROM run_log_chunks WHERE id IN (SELECT id FROM run_log_chunks WHERE run_id = ? ORDER BY first_line LIMIT ?)
    RETURNING line_count AS lines`)
  const limited = (table: string, where: string, order = 'id') =>
    `DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} WHERE ${where} ORDER BY ${order} LIMIT @limit)`
  const rejects = sqlite.prepare<[{ run: number; limit: number }]>(limited('run_rejects', 'run_id = @run'))
  // Rejected rows that it has read go with those that it rejected: they hold the same values.
  const rerunRows = sqlite.prepare<[number]>('DELETE FROM run_rerun_rows WHERE run_id = ?')
  const run = sqlite.prepare<[number]>(`DELETE FROM runs WHERE id = ? AND ${ended}`)
  // These two have no rowid: their key is one.
  const items = sqlite.prepare<[{ run: number; limit: number }]>(`
    DELETE FROM job_run_items WHERE job_run_id = @run AND (task_key, item_index) IN
      (SELECT task_key, item_index FROM job_run_items WHERE job_run_id = @run LIMIT @limit)`)
  const tasks = sqlite.prepare<[{ run: number; limit: number }]>(`
    DELETE FROM job_run_tasks WHERE job_run_id = @run AND task_key IN
      (SELECT task_key FROM job_run_tasks WHERE job_run_id = @run LIMIT @limit)`)
  const jobRun = sqlite.prepare<[number]>('DELETE FROM job_runs WHERE id = ? AND removed_at IS NOT NULL')
  const oldDeliveries = sqlite.prepare<[number, number], Place & { status: string; updated_at: string }>(
    'SELECT id, status, created_at, updated_at FROM notification_deliveries WHERE id > ? ORDER BY id LIMIT ?',
  )
  const delivery = sqlite.prepare<[number]>("DELETE FROM notification_deliveries WHERE id = ? AND status <> 'pending'")
  const firings = sqlite.prepare<[{ before: string; limit: number }]>(
    limited('trigger_firings', 'scheduled_at < @before AND fired_at < @before', 'scheduled_at'),
  )
  const keys = sqlite.prepare<[{ before: string; limit: number }]>(
    limited('idempotency_keys', 'created_at < @before', 'created_at'),
  )
  const oldSnapshots = sqlite.prepare<[number, string, number], { id: number; held: 0 | 1 }>(`
    SELECT id, EXISTS (SELECT 1 FROM jobs WHERE jobs.id = snapshot.job_id AND jobs.snapshot_id = snapshot.id)
      OR EXISTS (SELECT 1 FROM job_runs WHERE job_runs.snapshot_id = snapshot.id) AS held
    FROM job_snapshots AS snapshot WHERE id > ? AND created_at < ? ORDER BY id LIMIT ?`)
  const snapshot = sqlite.prepare<[number]>('DELETE FROM job_snapshots WHERE id = ?')

  const from = ({ created_at, id }: Place, before: string, limit: number) => ({ at: created_at, id, before, limit })

  return {
    oldRuns: (after: Place, before: string, limit: number): OldRun[] => oldRuns.all(from(after, before, limit)),
    oldJobRuns: (after: Place, before: string, limit: number): Place[] => oldJobRuns.all(from(after, before, limit)),
    withDetails: (after: Place, before: string, limit: number): RunWithDetails[] =>
      withDetails.all(from(after, before, limit)),
    /** The newest run of a task: one look into the index for each status and way to start it. */
    newestOf(taskId: number): { id: number; job_run_id: number | null } | undefined {
      const found = statuses.flatMap((status) => triggerTypes.flatMap((type) => newest.get(taskId, status, type) ?? []))
      return found.toSorted((a, b) =>
        a.created_at < b.created_at ? 1 : a.created_at > b.created_at ? -1 : b.id - a.id,
      )[0]
    },
    tasksOf: (jobRunId: number): number[] => tasksOf.all(jobRunId).map(({ task_id }) => task_id),
    runsOf: (jobRunId: number): number => countOf.get(jobRunId)!.n,
    endedRuns: (): number => endedRuns.get()?.n ?? 0,
    logBytes: (): number => logBytes.get()?.bytes ?? 0,

    /** From now on it is not there any more; what belongs to it goes piece by piece. */
    markRemoved: (jobRunId: number, at: string): boolean => markRemoved.run(at, jobRunId).changes === 1,
    removedJobRun: (): number | undefined => removedJobRun.get()?.id,
    aRunOf: (jobRunId: number): number | undefined => runOf.get(jobRunId)?.id,

    /** Lines that were removed; undefined when nothing was left. */
    dropChunks(runId: number, limit: number): number | undefined {
      const gone = chunks.all(runId, limit)
      return gone.length === 0 ? undefined : gone.reduce((sum, { lines }) => sum + lines, 0)
    },
    dropRejects: (run_id: number, limit: number): number => rejects.run({ run: run_id, limit }).changes,
    noteLogRemoved(runId: number, at: string): void {
      noteLogRemoved.run(at, runId)
      rerunRows.run(runId)
    },
    noteRejectsRemoved(runId: number, at: string): void {
      noteRejectsRemoved.run(at, runId)
      rerunRows.run(runId)
    },
    dropRun: (runId: number): boolean => run.run(runId).changes === 1,
    dropItems: (run_id: number, limit: number): number => items.run({ run: run_id, limit }).changes,
    dropTasks: (run_id: number, limit: number): number => tasks.run({ run: run_id, limit }).changes,
    dropJobRun: (id: number): boolean => jobRun.run(id).changes === 1,

    oldDeliveries: (after: number, limit: number) => oldDeliveries.all(after, limit),
    dropDelivery: (id: number): number => delivery.run(id).changes,
    dropFirings: (before: string, limit: number): number => firings.run({ before, limit }).changes,
    dropKeys: (before: string, limit: number): number => keys.run({ before, limit }).changes,
    oldSnapshots: (after: number, before: string, limit: number) => oldSnapshots.all(after, before, limit),
    dropSnapshot: (id: number) => void snapshot.run(id),
  }
}
export type RetentionStore = ReturnType<typeof createRetentionStore>
