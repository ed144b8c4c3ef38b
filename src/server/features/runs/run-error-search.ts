import { setImmediate } from 'node:timers/promises'
import { listLimit } from '../../../contract/common.ts'
import type { QueryOf } from '../../../contract/operation.ts'
import { type Run, mostErrorsSearched, type searchRunErrors } from '../../../contract/runs.ts'
import type { RunPlace, createRunListStore } from './run-list.store.ts'
import { presentRun } from './run-presentation.ts'

/** Read in one piece: some milliseconds, after which other requests have their turn. */
const step = 250
const mostMs = 1000

/** Walks failed runs from the newest on, along the index that lists them; no text is indexed, so how far it goes is bounded. */
export const createErrorSearch =
  (list: Pick<ReturnType<typeof createRunListStore>, 'page'>, now: () => number = () => performance.now()) =>
  async ({ q, limit = listLimit.default }: QueryOf<typeof searchRunErrors>, signal?: AbortSignal) => {
    const words = q.toLowerCase()
    const end = now() + mostMs
    const result: Run[] = []
    let searched = 0
    let place: RunPlace | undefined
    for (;;) {
      const rows = list.page({ status: ['failed'] }, place, false, step)
      for (const row of rows) {
        searched += 1
        if (!row.error_message?.toLowerCase().includes(words)) continue
        result.push(presentRun(row))
        if (result.length === limit) return { result, searched, complete: true }
      }
      const last = rows.at(-1)
      if (!last || rows.length < step) return { result, searched, complete: true }
      if (searched >= mostErrorsSearched || now() >= end || signal?.aborted)
        return { result, searched, complete: false }
      place = { at: last.created_at, id: last.id }
      await setImmediate()
    }
  }
