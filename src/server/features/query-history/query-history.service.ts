/** What users have asked and changed, for themselves alone. */
import {
  type HistoryAsked,
  type QueryHistoryEntry,
  type listQueryHistory,
  mostHistoryCharacters,
} from '../../../contract/query-history.ts'
import type { Message } from '../../../contract/messages.ts'
import type { QueryOf } from '../../../contract/operation.ts'
import type { Caller } from '../../platform/caller.ts'
import { type KeptError, keptError, shownParams } from '../../platform/kept-error.ts'
import type { Platform } from '../../platform/platform.ts'
import { Refusal, notFound } from '../../platform/refusal.ts'
import type { ConnectorsService } from '../connectors/connectors.service.ts'
import { createQueryHistoryStore } from './query-history.store.ts'
import type { QueryHistoryRow } from './query-history.table.ts'

const rowsAtOnce = 100

type Sent = Pick<QueryHistoryRow, 'user_id' | 'connector_id' | 'kind' | 'text'> & { asked?: HistoryAsked }

export interface Kept<T> {
  result: T
  /** Rows that became known later: the result was read to its end. */
  noteRows(rows: number): void
}

export function createQueryHistoryService(
  { store, clock, config, logger }: Platform,
  { connectors }: { connectors: Pick<ConnectorsService, 'get'> },
) {
  const history = createQueryHistoryStore(store)

  /** A query that was answered is not taken back because of its history. */
  function quietly<T>(work: () => T): T | undefined {
    try {
      return store.transaction(work)
    } catch (error) {
      logger.warn({ err: error }, 'The history of queries could not be written')
      return undefined
    }
  }

  function add({ asked, ...sent }: Sent, began: number, rows: number | null, failure: KeptError | null) {
    const duration_ms = Math.round(performance.now() - began)
    const again = asked ? JSON.stringify(asked) : null
    return quietly(() =>
      history.insert({
        ...sent,
        text: sent.text.slice(0, mostHistoryCharacters).toWellFormed(),
        asked: again !== null && again.length <= mostHistoryCharacters ? again : null,
        at: clock.iso(),
        duration_ms,
        rows,
        error: failure?.message.slice(0, mostOfError) ?? null,
        error_params: failure?.params ?? null,
      }),
    )
  }

  return {
    list(connectorId: number, query: QueryOf<typeof listQueryHistory>, caller: Caller) {
      connectors.get(connectorId)
      const { rows, ...page } = history.list(caller.user_id, connectorId, query)
      return { result: rows.map(present), ...page }
    },

    /** Another's is as gone as one that never was. */
    remove(connectorId: number, id: number, caller: Caller): void {
      connectors.get(connectorId)
      if (!history.remove(caller.user_id, connectorId, id)) notFound()
    },

    clear(connectorId: number, caller: Caller): void {
      connectors.get(connectorId)
      history.clear(caller.user_id, connectorId)
    },

    /** Does the work, and keeps what became of it. */
    async keep<T>(sent: Sent, rowsOf: (result: T) => number | null, work: () => Promise<T>): Promise<Kept<T>> {
      const began = performance.now()
      try {
        const result = await work()
        const id = add(sent, began, rowsOf(result), null)
        return { result, noteRows: (rows) => void (id !== undefined && quietly(() => history.noteRows(id, rows))) }
      } catch (error) {
        add(sent, began, null, failureOf(error))
        throw error
      }
    },

    /** Pieces of work that let go of what the settings no longer keep. */
    lettingGo(): (() => boolean)[] {
      const { queriesMs, queriesMax } = config.retention
      const before = new Date(clock.now().getTime() - queriesMs).toISOString()
      return [
        ...(queriesMs > 0 ? [() => history.dropBefore(before, rowsAtOnce) === rowsAtOnce] : []),
        ...(queriesMax > 0
          ? history
              .usersWithMore(queriesMax)
              .map((user) => () => history.dropBeyond(user, queriesMax, rowsAtOnce) === rowsAtOnce)
          : []),
      ]
    },
  }
}
export type QueryHistoryService = ReturnType<typeof createQueryHistoryService>

const mostOfError = 4000

function present({ user_id: _, search_text: __, asked, error_params, ...entry }: QueryHistoryRow): QueryHistoryEntry {
  // Written by `add`.
  const again = asked === null ? null : (JSON.parse(asked) as HistoryAsked)
  return { ...entry, asked: again, error_params: shownParams(error_params) }
}

/** What a system refuses is a detail; the message is the same for all. */
function failureOf(error: unknown): KeptError {
  if (!(error instanceof Refusal))
    return { message: error instanceof Error ? error.message : String(error), params: null }
  const [detail] = error.code === 'VALIDATION_ERROR' ? (error.details ?? []) : []
  const reason: Message | undefined = detail ?? error.reason
  return reason ? keptError(reason) : { message: error.message, params: null }
}
