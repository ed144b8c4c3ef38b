import type { Store } from '../../platform/store.ts'
import type { JobRunItemRow } from './job-runs.table.ts'
import { runMessage } from '../../../contract/run-messages.ts'
import { asPart, keptError, type KeptError } from '../../platform/kept-error.ts'

export interface NewItem {
  item_index: number
  /** JSON; null without for_each. */
  item: string | null
  item_key: string
}
interface OfNode {
  job_run_id: number
  task_key: string
}
/** What all units of work of a node share. */
interface ItemsOfNode extends OfNode {
  pool: string | null
  priority: number
  queued_at: string
}
/** What became of a unit of work. */
export type ItemEnd = OfNode &
  Pick<
    JobRunItemRow,
    | 'item_index'
    | 'outputs'
    | 'item_count'
    | 'reject_count'
    | 'error_message'
    | 'error_params'
    | 'started_at'
    | 'completed_at'
  > & {
    status: 'success' | 'completed' | 'failed' | 'cancelled'
  }
type Moved = OfNode & { item_index: number }
type Result = Pick<JobRunItemRow, 'item' | 'status' | 'outputs' | 'item_count'>

/** Every UPDATE is guarded by the statuses that the unit of work may come from. */
export function createJobRunItemsStore({ sqlite }: Store) {
  const insert = sqlite.prepare<[ItemsOfNode & { items: string }]>(`
    INSERT INTO job_run_items (job_run_id, task_key, item_index, item, item_key, status, pool, priority, queued_at)
    SELECT @job_run_id, @task_key, value ->> 'item_index', value ->> 'item', value ->> 'item_key', 'queued', @pool, @priority,
      @queued_at FROM json_each(@items)`)
  const byRun = sqlite.prepare<[number], JobRunItemRow>('SELECT * FROM job_run_items WHERE run_id = ?')
  const ofNode = 'job_run_id = ? AND task_key = ?'
  // SQLite would rather walk all units of work of the task, those that are done as well.
  const byStatus = 'job_run_items INDEXED BY job_run_items_by_status'
  const nextQueued = sqlite.prepare<[number, string], JobRunItemRow>(
    `SELECT * FROM ${byStatus} WHERE ${ofNode} AND status = 'queued' ORDER BY item_index LIMIT 1`,
  )
  const active = sqlite.prepare<[number], JobRunItemRow>(`
    SELECT items.* FROM job_run_tasks AS tasks CROSS JOIN job_run_items AS items INDEXED BY job_run_items_by_status
      ON items.job_run_id = tasks.job_run_id AND items.task_key = tasks.task_key AND items.status IN ('pending', 'running')
    WHERE tasks.job_run_id = ? AND tasks.n_active > 0 ORDER BY tasks.position, items.item_index`)
  const results = sqlite.prepare<[number, string], Result>(
    `SELECT item, status, outputs, item_count FROM job_run_items WHERE ${ofNode} ORDER BY item_index`,
  )
  const bad = sqlite.prepare<
    [number, string],
    { n: number; error_message: string | null; error_params: string | null }
  >(`
    SELECT count(*) OVER () AS n, error_message, error_params FROM ${byStatus} WHERE ${ofNode} AND status = 'failed'
    ORDER BY item_index LIMIT 1`)
  const rejected = sqlite.prepare<[number], { task_key: string; rejected: number }>(`
    SELECT items.task_key, sum(items.reject_count) AS rejected
    FROM job_run_tasks AS tasks CROSS JOIN job_run_items AS items INDEXED BY job_run_items_by_status
      ON items.job_run_id = tasks.job_run_id AND items.task_key = tasks.task_key AND items.status = 'completed'
    WHERE tasks.job_run_id = ? AND tasks.n_completed > 0 AND tasks.reused_from IS NULL
    GROUP BY tasks.position, items.task_key HAVING rejected > 0 ORDER BY tasks.position`)
  const one = 'job_run_id = @job_run_id AND task_key = @task_key AND item_index = @item_index'
  const give = sqlite.prepare<[Moved & { run_id: number }]>(
    `UPDATE job_run_items SET status = 'pending', run_id = @run_id, again = 0 WHERE ${one} AND status = 'queued'`,
  )
  const begin = sqlite.prepare<[Moved & { at: string }]>(
    `UPDATE job_run_items SET status = 'running', started_at = @at WHERE ${one} AND status = 'pending'`,
  )
  const end = sqlite.prepare<[ItemEnd]>(`
    UPDATE job_run_items SET status = @status, outputs = @outputs, item_count = @item_count, reject_count = @reject_count,
      error_message = @error_message, error_params = @error_params, started_at = @started_at, completed_at = @completed_at, again = 0
    WHERE ${one} AND status IN ('queued', 'pending', 'running')`)
  const skip = sqlite.prepare<[string, number, string, 0 | 1]>(`
    UPDATE job_run_items SET status = 'skipped', completed_at = ?, again = 0
    WHERE ${ofNode} AND status = 'queued' AND again <= ?`)
  const mark = sqlite.prepare<[Moved]>(
    `UPDATE job_run_items SET again = 1 WHERE ${one} AND status IN ('pending', 'running')`,
  )
  const blank = `status = 'queued', run_id = NULL, outputs = NULL, item_count = NULL, reject_count = NULL,
    error_message = NULL, error_params = NULL, started_at = NULL, completed_at = NULL`
  const back = sqlite.prepare<[Moved]>(
    `UPDATE job_run_items SET ${blank} WHERE ${one} AND status IN ('pending', 'running')`,
  )
  const reopen = sqlite.prepare<[string, number, string]>(`
    UPDATE job_run_items SET ${blank}, again = 0, queued_at = ? WHERE ${ofNode} AND status IN ('failed', 'cancelled', 'skipped')`)
  const drop = sqlite.prepare<[number, string]>(`DELETE FROM job_run_items WHERE ${ofNode}`)
  const moved = (changes: number) => changes === 1

  return {
    insert: (node: ItemsOfNode, items: readonly NewItem[]) =>
      void insert.run({ ...node, items: JSON.stringify(items) }),
    /** The unit of work whose newest run this is. */
    byRun: (runId: number): JobRunItemRow | undefined => byRun.get(runId),
    nextQueued: (jobRunId: number, key: string): JobRunItemRow | undefined => nextQueued.get(jobRunId, key),
    /** Of a job run: those whose run has not ended. */
    active: (jobRunId: number): JobRunItemRow[] => active.all(jobRunId),
    /** In order, for expressions. */
    results: (jobRunId: number, key: string): Result[] => results.all(jobRunId, key),

    /** Rows that each task rejected in a run that completed, in the order of the template; not of tasks whose results are reused. */
    rejected: (jobRunId: number): { task_key: string; rejected: number }[] => rejected.all(jobRunId),
    /** Why a node of so many units of work failed. */
    errorOf(jobRunId: number, key: string, total: number): KeptError | null {
      const found = bad.get(jobRunId, key)
      if (!found) return null
      const { n: failed, error_message: message, error_params: params } = found
      if (total === 1) return message === null ? null : { message, params }
      return keptError(
        message === null
          ? runMessage('items_failed', { failed, total })
          : runMessage('items_failed_first', { failed, total, first: asPart({ message, params }) }),
      )
    },

    /** It has a run now. */
    give: (item: Moved & { run_id: number }): boolean => moved(give.run(item).changes),
    begin: (item: Moved & { at: string }): boolean => moved(begin.run(item).changes),
    end: (item: ItemEnd): boolean => moved(end.run(item).changes),
    /** What of a node still waits is not started any more; `also` what a pause has taken back. */
    skipQueued: (jobRunId: number, key: string, at: string, also: { takenBack: boolean }) =>
      void skip.run(at, jobRunId, key, also.takenBack ? 1 : 0),
    /** Its run is being stopped by a pause. That stays known until it has another one. */
    markAgain: (item: Moved) => void mark.run(item),
    /** It waits again, without a run. */
    back: (item: Moved): boolean => moved(back.run(item).changes),
    /** What is not done of a node waits again; how many those are. */
    reopen: (jobRunId: number, key: string, at: string): number => reopen.run(at, jobRunId, key).changes,
    drop: (jobRunId: number, key: string) => void drop.run(jobRunId, key),
  }
}
export type JobRunItemsStore = ReturnType<typeof createJobRunItemsStore>
