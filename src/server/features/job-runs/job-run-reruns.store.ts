import type { Store } from '../../platform/store.ts'

/** Taking over the outcome of tasks of an earlier job run. */
export function createJobRunRerunsStore({ sqlite }: Pick<Store, 'sqlite'>) {
  const keys = 'SELECT value FROM json_each(@keys)'
  const takeNodes = sqlite.prepare<[{ to: number; from: number; keys: string }]>(`
    UPDATE job_run_tasks AS tasks SET status = old.status, reason = 'reused', item_total = old.item_total, message = old.message,
      decided_by = old.decided_by, note = old.note, reused_from = coalesce(old.reused_from, old.job_run_id),
      error_message = old.error_message, error_params = old.error_params, started_at = old.started_at, completed_at = old.completed_at
    FROM job_run_tasks AS old
    WHERE old.job_run_id = @from AND old.task_key = tasks.task_key AND tasks.job_run_id = @to AND tasks.status = 'pending'
      AND tasks.task_key IN (${keys})`)
  const takeItems = sqlite.prepare<[{ to: number; from: number; keys: string }]>(`
    INSERT INTO job_run_items (job_run_id, task_key, item_index, item, item_key, status, run_id, outputs, item_count, reject_count,
      error_message, error_params, pool, priority, queued_at, started_at, completed_at)
    SELECT @to, task_key, item_index, item, item_key, status, run_id, outputs, item_count, reject_count,
      error_message, error_params, pool, priority, queued_at, started_at, completed_at
    FROM job_run_items WHERE job_run_id = @from AND task_key IN (${keys})`)

  return {
    /** All of these tasks have ended in the job run `from` and are pending in `to`. */
    takeOver(from: number, to: number, taskKeys: readonly string[]): void {
      const given = { from, to, keys: JSON.stringify(taskKeys) }
      takeNodes.run(given)
      takeItems.run(given)
    },
  }
}
