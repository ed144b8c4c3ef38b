/** What users have asked and changed, for themselves alone. */
import type { listQueryHistory } from '../../../contract/query-history.ts'
import type { QueryOf } from '../../../contract/operation.ts'
import type { Caller } from '../../platform/caller.ts'
import type { Platform } from '../../platform/platform.ts'
import type { ConnectorsService } from '../connectors/connectors.service.ts'
import { createQueryHistoryStore } from './query-history.store.ts'
import type { QueryHistoryRow } from './query-history.table.ts'

export const keptDays = 90
export const keptOfUser = 5000
const mostCharacters = 100_000

type Asked = Pick<QueryHistoryRow, 'user_id' | 'connector_id' | 'kind' | 'text'>

export function createQueryHistoryService(
  { store, clock, logger }: Platform,
  { connectors, kept = keptOfUser }: { connectors: Pick<ConnectorsService, 'get'>; kept?: number },
) {
  const history = createQueryHistoryStore(store)

  function add(asked: Asked, began: number, outcome: Pick<QueryHistoryRow, 'rows' | 'error'>): void {
    try {
      store.transaction(() => {
        const text = asked.text.slice(0, mostCharacters).toWellFormed()
        const duration_ms = Math.round(performance.now() - began)
        history.insert({ ...asked, text, at: clock.iso(), duration_ms, ...outcome })
        history.prune(asked.user_id, kept, new Date(clock.now().getTime() - keptDays * 86_400_000).toISOString())
      })
    } catch (error) {
      // A query that was answered is not taken back for that.
      logger.warn({ err: error }, 'A query could not be added to the history')
    }
  }

  return {
    list(connectorId: number, query: QueryOf<typeof listQueryHistory>, caller: Caller) {
      connectors.get(connectorId)
      const { rows, ...page } = history.list(caller.user_id, connectorId, query)
      return { result: rows.map(({ user_id: _, search_text: __, ...entry }) => entry), ...page }
    },

    /** Does the work, and keeps what became of it. */
    async keep<T>(asked: Asked, rowsOf: (result: T) => number | null, work: () => Promise<T>): Promise<T> {
      const began = performance.now()
      try {
        const result = await work()
        add(asked, began, { rows: rowsOf(result), error: null })
        return result
      } catch (error) {
        add(asked, began, { rows: null, error: error instanceof Error ? error.message.slice(0, 4000) : String(error) })
        throw error
      }
    },
  }
}
export type QueryHistoryService = ReturnType<typeof createQueryHistoryService>
