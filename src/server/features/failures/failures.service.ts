import type { Failure, listFailures } from '../../../contract/failures.ts'
import type { QueryOf } from '../../../contract/operation.ts'
import { instant } from '../../platform/instant.ts'
import type { Platform } from '../../platform/platform.ts'
import { type FailureRow, createFailuresStore } from './failures.store.ts'
import { shownParams } from '../../platform/kept-error.ts'

interface LastFailure extends FailureRow {
  kind: Failure['kind']
}

export function createFailuresService(platform: Platform) {
  const store = createFailuresStore(platform.store)

  /** Failed at or after `from`, as the store writes times; newest first. */
  function newest(from: string, limit: number): LastFailure[] {
    const found: LastFailure[] = [
      ...store.ofJobs(from, limit).map((row) => ({ ...row, kind: 'job' as const })),
      ...store.ofTasks(from, limit).map((row) => ({ ...row, kind: 'task' as const })),
    ]
    return found
      .toSorted((a, b) => (a.failed_at < b.failed_at ? 1 : a.failed_at > b.failed_at ? -1 : 0))
      .slice(0, limit)
  }

  function present(failure: LastFailure): Failure {
    const { kind, id, run_id } = failure
    const job = kind === 'job'
    return {
      ...failure,
      error_params: shownParams(failure.error_params),
      failed_task_keys: job ? store.failedTasks(run_id) : [],
      status: (job ? store.jobStatus(id) : store.taskStatus(id)) ?? 'failed',
    }
  }

  return {
    newest,
    list: ({ from, limit = 20 }: QueryOf<typeof listFailures>): Failure[] =>
      newest(instant(from, 'query.from'), limit).map(present),
  }
}
export type FailuresService = ReturnType<typeof createFailuresService>
