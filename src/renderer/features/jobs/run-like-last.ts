import { runJob } from '../../../contract/job-run-control.ts'
import { listAllJobRuns } from '../../../contract/job-runs.ts'
import { call } from '../../api/client.ts'
import { jsonObject } from '../runs/run-facts.ts'

/** Runs all tasks of a job with the arguments of its newest job run; without one, with the job’s own. */
export async function runJobLikeLast(id: number) {
  const { result } = await call(listAllJobRuns, { query: { job_id: [id], limit: 1 } })
  const given = jsonObject(result[0]?.arguments ?? null)
  return call(runJob, {
    params: { id },
    body: given ? { arguments: given } : {},
    headers: { 'idempotency-key': crypto.randomUUID() },
  })
}
