import { useMemo } from 'react'
import { type Run, listRuns } from '../../../contract/runs.ts'
import { useOperation } from '../../api/queries.ts'

/** The newest runs in one request; a task that is not among them has not run lately. */
const newest = 200

/** Task → its newest run, among the newest runs of all. */
export function useLastRuns(): ReadonlyMap<number, Run> {
  const runs = useOperation(listRuns, { query: { limit: newest } })
  return useMemo(() => {
    const last = new Map<number, Run>()
    for (const run of runs.data?.result ?? []) if (!last.has(run.task_id)) last.set(run.task_id, run)
    return last
  }, [runs.data])
}
