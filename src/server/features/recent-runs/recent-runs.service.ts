import type { QueryOf } from '../../../contract/operation.ts'
import type { RecentRun, RecentRuns, listRecentRuns } from '../../../contract/recent-runs.ts'
import { shownParams } from '../../platform/kept-error.ts'
import type { Platform } from '../../platform/platform.ts'
import { type RecentRow, createRecentRunsStore } from './recent-runs.store.ts'

export function createRecentRunsService({ store }: Platform) {
  const recent = createRecentRunsStore(store)
  return {
    list({ of, ids, limit = 12 }: QueryOf<typeof listRecentRuns>): RecentRuns[] {
      const kind = of === 'task' || of === 'connector' ? 'run' : 'job_run'
      const present = ({ error_params, ...row }: RecentRow): RecentRun => ({
        ...row,
        kind,
        error_params: shownParams(error_params),
      })
      return ids.map((id) => {
        const runs = recent.runs(of, id, limit)
        const failure = runs.find(({ status }) => status === 'failed') ?? recent.lastFailure(of, id)
        return { id, runs: runs.map(present), last_failure: failure ? present(failure) : null }
      })
    },
  }
}
export type RecentRunsService = ReturnType<typeof createRecentRunsService>
