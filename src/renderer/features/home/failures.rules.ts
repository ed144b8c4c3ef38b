/** What needs somebody's eye: failures gathered by the job or task that they belong to. Pure. */
import type { JobRun } from '../../../contract/job-runs.ts'
import type { Run } from '../../../contract/runs.ts'

export interface Failure {
  kind: 'job' | 'task'
  /** Of the job or the task. */
  id: number
  name: string
  /** The newest job run or run that failed. */
  run_id: number
  /** Keys of the tasks that failed in it. */
  steps: readonly string[]
  error: string | null
  at: string
  /** How many of the runs that were looked at failed. */
  count: number
}

type FailedJobRun = Pick<JobRun, 'id' | 'job_id' | 'job_name' | 'error_message' | 'created_at' | 'run_state'>
type FailedRun = Pick<Run, 'id' | 'task_id' | 'task_name' | 'error_message' | 'created_at' | 'job_run_id'>

/** Keys of failed tasks, of the state that a job run keeps as JSON. */
function failedSteps(state: string | null): string[] {
  if (state === null) return []
  try {
    const parsed: unknown = JSON.parse(state)
    if (typeof parsed !== 'object' || parsed === null) return []
    return Object.entries(parsed).flatMap(([key, status]) => (status === 'failed' ? [key] : []))
  } catch {
    return []
  }
}

/** One row for each job and for each task that failed outside of a job, the newest first. */
export function failuresOf(jobRuns: readonly FailedJobRun[], runs: readonly FailedRun[]): Failure[] {
  const found = new Map<string, Failure>()
  const add = (failure: Failure) => {
    const key = `${failure.kind} ${failure.id}`
    const known = found.get(key)
    if (!known) found.set(key, failure)
    else found.set(key, { ...(known.at >= failure.at ? known : failure), count: known.count + 1 })
  }
  for (const run of jobRuns) {
    const { id, job_id, job_name: name, error_message: error, created_at: at } = run
    add({ kind: 'job', id: job_id, name, run_id: id, steps: failedSteps(run.run_state), error, at, count: 1 })
  }
  for (const { id, task_id, task_name: name, error_message: error, created_at: at, job_run_id } of runs) {
    // What failed within a job run stands there.
    if (job_run_id === null) add({ kind: 'task', id: task_id, name, run_id: id, steps: [], error, at, count: 1 })
  }
  return [...found.values()].toSorted((a, b) => (a.at < b.at ? 1 : -1))
}

/** What is still broken goes before what has run well since. */
export const brokenFirst = <Row extends { mended: boolean }>(rows: readonly Row[]): Row[] =>
  rows.toSorted((a, b) => Number(a.mended) - Number(b.mended))
