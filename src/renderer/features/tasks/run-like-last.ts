import { type Run, listRuns, triggerRun } from '../../../contract/runs.ts'
import { call } from '../../api/client.ts'
import { inputsOfRun } from './run-inputs.ts'

/** Runs the current version of a task with the arguments and connectors of its newest run; without one, with none. */
export async function runLikeLast(taskId: number): Promise<Run> {
  const { result } = await call(listRuns, { query: { task_id: [taskId], limit: 1 } })
  const [last] = result
  return call(triggerRun, {
    params: { taskId },
    body: last ? inputsOfRun(last) : {},
    headers: { 'idempotency-key': crypto.randomUUID() },
  })
}
