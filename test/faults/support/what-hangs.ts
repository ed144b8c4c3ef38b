import type { Paginated } from '../../../src/contract/common.ts'
import type { JobRun, JobRunGraph } from '../../../src/contract/job-runs.ts'
import type { Run } from '../../../src/contract/runs.ts'
import type { PersistentClient } from './persistent-client.ts'

const isOpen = ({ status }: { status: string }) => ['pending', 'queued', 'running', 'paused'].includes(status)

/** What is open, and who could work on it: for the message of a test that waited in vain. */
export async function whatHangs(client: PersistentClient): Promise<string> {
  // The paths say what is answered.
  const get = async <T>(path: string) => (await client.send('GET', path)).body as T
  const { result: jobRuns } = await get<Paginated<JobRun>>('/api/job-runs?limit=200')
  const { result: runs } = await get<Paginated<Run>>('/api/runs?limit=200')
  const graphs = jobRuns.filter(isOpen).map(async ({ id, status, pause_reason }) => {
    const { nodes } = await get<JobRunGraph>(`/api/job-runs/${id}/graph`)
    return {
      id,
      status,
      pause_reason,
      nodes: nodes.filter(isOpen).map(({ key, status: of, run_id }) => [key, of, run_id]),
    }
  })
  return JSON.stringify({
    job_runs: await Promise.all(graphs),
    runs: runs
      .filter(isOpen)
      .map(({ id, status, attempt, executor_id, started_at }) => [id, status, attempt, executor_id, started_at]),
    executors: await get('/api/server/executors'),
    health: await get('/api/health'),
  })
}
