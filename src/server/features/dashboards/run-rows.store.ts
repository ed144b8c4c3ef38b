/** Runs of a job as widgets show them. */
import type { Store } from '../../platform/store.ts'

export interface RunLine {
  id: number
  status: string
  started_at: string | null
  completed_at: string | null
  duration_ms: number | null
  item_count: number | null
}

export function createRunRowsStore({ sqlite }: Pick<Store, 'sqlite'>) {
  const jobRuns = sqlite.prepare<[number, number], RunLine>(`
    SELECT id, CASE WHEN success = 1 THEN 'success' ELSE status END AS status, started_at, completed_at, duration_ms,
      (SELECT sum(item_count) FROM job_run_items WHERE job_run_id = job_runs.id) AS item_count
    FROM job_runs WHERE job_id = ? AND +removed_at IS NULL ORDER BY id DESC LIMIT ?`)
  // A rerun that takes a task over has the run of the job run before: it is one run.
  const taskRuns = sqlite.prepare<[number, string, number], RunLine>(`
    SELECT DISTINCT runs.id, runs.status, runs.started_at, runs.completed_at, runs.duration_ms, runs.item_count
    FROM (SELECT id FROM job_runs WHERE job_id = ? AND +removed_at IS NULL ORDER BY id DESC LIMIT 1000) AS job_run
    CROSS JOIN job_run_items AS item ON item.job_run_id = job_run.id AND item.task_key = ?
    CROSS JOIN runs ON runs.id = item.run_id
    ORDER BY runs.id DESC LIMIT ?`)
  const lastFailed = sqlite.prepare<[number], { run_id: number }>(`
    SELECT run_id FROM job_run_items
    WHERE job_run_id = (SELECT max(id) FROM job_runs WHERE job_id = ? AND removed_at IS NULL) AND run_id IS NOT NULL
    ORDER BY status = 'failed' DESC, completed_at DESC, run_id DESC LIMIT 1`)
  const oneRun = sqlite.prepare<[number], RunLine>(
    'SELECT id, status, started_at, completed_at, duration_ms, item_count FROM runs WHERE id = ?',
  )
  const outputs = sqlite.prepare<[{ job: number; key: string }], { outputs: string | null }>(`
    SELECT outputs FROM job_run_items WHERE task_key = :key AND job_run_id = (
      SELECT job_run_id FROM job_run_items JOIN job_runs ON job_runs.id = job_run_id
      WHERE job_id = :job AND task_key = :key AND outputs IS NOT NULL ORDER BY job_run_id DESC LIMIT 1)
    ORDER BY item_index`)
  return {
    ofJob: (jobId: number, last: number): RunLine[] => jobRuns.all(jobId, last),
    ofTask: (jobId: number, key: string, last: number): RunLine[] => taskRuns.all(jobId, key, last),
    /** Of the last job run: the run that failed last, else the one that ended last. */
    ofLog(jobId: number): RunLine | undefined {
      const found = lastFailed.get(jobId)
      return found && oneRun.get(found.run_id)
    },
    /** JSON of what the last run of a task with outputs put out; of a `for_each` one for each item. */
    outputsOf: (job: number, key: string): (string | null)[] => outputs.all({ job, key }).map((row) => row.outputs),
  }
}
