/**
 * The newest failure of each job, and of each task that ran on its own, unless it is archived. From one owner that ever failed the index leads to the next,
 * and at each to its newest: it costs the same however often one of them fails.
 */
import { mostFailuresCounted } from '../../../contract/failures.ts'
import type { JobRunStatus } from '../../../contract/jobs.ts'
import type { RunStatus } from '../../../contract/runs.ts'
import type { Store } from '../../platform/store.ts'

export interface FailureRow {
  /** Of the job or the task. */
  id: number
  name: string
  run_id: number
  error_message: string | null
  error_params: string | null
  failed_at: string
  count: number
}

const ofJobs = {
  table: 'job_runs',
  owner: 'job_id',
  name: 'job_name',
  archived: "SELECT 1 FROM jobs WHERE jobs.id = times.id AND jobs.status = 'archived'",
  failed: "INDEXED BY job_runs_failed_by_job WHERE status = 'failed' AND removed_at IS NULL",
}
const ofTasks = {
  table: 'runs',
  owner: 'task_id',
  name: 'task_name',
  archived: 'SELECT 1 FROM tasks WHERE tasks.id = times.id AND tasks.archived = 1',
  failed: "INDEXED BY runs_failed_by_task WHERE status = 'failed' AND job_run_id IS NULL",
}

const newest = ({ table, owner, name, archived, failed }: typeof ofJobs) => `
  WITH RECURSIVE
    owners (id) AS (
      SELECT min(${owner}) FROM ${table} ${failed}
      UNION ALL
      SELECT (SELECT min(${owner}) FROM ${table} ${failed} AND ${owner} > owners.id) FROM owners WHERE owners.id IS NOT NULL
    ),
    times (id, at) AS MATERIALIZED (
      SELECT id, (SELECT max(completed_at) FROM ${table} ${failed} AND ${owner} = owners.id) FROM owners WHERE id IS NOT NULL
    ),
    chosen AS (SELECT id, at FROM times WHERE at >= @from AND NOT EXISTS (${archived}) ORDER BY at DESC, id DESC LIMIT @limit)
  SELECT chosen.id, last.${name} AS name, last.id AS run_id, last.error_message, last.error_params, chosen.at AS failed_at,
    (SELECT count(*) FROM (SELECT 1 FROM ${table} ${failed} AND ${owner} = chosen.id AND completed_at >= @from
      LIMIT ${mostFailuresCounted})) AS count
  FROM chosen JOIN ${table} AS last ON last.id =
    (SELECT max(id) FROM ${table} ${failed} AND ${owner} = chosen.id AND completed_at = chosen.at)`

export function createFailuresStore({ sqlite }: Pick<Store, 'sqlite'>) {
  const jobs = sqlite.prepare<[{ from: string; limit: number }], FailureRow>(newest(ofJobs))
  const tasks = sqlite.prepare<[{ from: string; limit: number }], FailureRow>(newest(ofTasks))
  const failedTasks = sqlite
    .prepare<[number], string>(
      "SELECT task_key FROM job_run_tasks WHERE job_run_id = ? AND status = 'failed' ORDER BY position",
    )
    .pluck()
  const lastStatus = sqlite
    .prepare<[number], JobRunStatus | null>('SELECT last_run_status FROM jobs WHERE id = ?')
    .pluck()

  const lastAlone = sqlite
    .prepare<[number], RunStatus>(
      'SELECT status FROM runs INDEXED BY runs_alone_by_task WHERE task_id = ? AND job_run_id IS NULL AND rejects_of IS NULL ORDER BY created_at DESC, id DESC LIMIT 1',
    )
    .pluck()

  return {
    ofJobs: (from: string, limit: number): FailureRow[] => jobs.all({ from, limit }),
    ofTasks: (from: string, limit: number): FailureRow[] => tasks.all({ from, limit }),
    /** Keys of the tasks of a job run that failed. */
    failedTasks: (jobRunId: number): string[] => failedTasks.all(jobRunId),
    jobStatus: (jobId: number): JobRunStatus | null => lastStatus.get(jobId) ?? null,
    /** Of its newest run of its own; one of a few rejected rows says nothing about the others. */
    taskStatus: (taskId: number): RunStatus | null => lastAlone.get(taskId) ?? null,
  }
}
