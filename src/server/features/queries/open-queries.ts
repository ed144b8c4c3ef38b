/** Queries that were opened and not ended: whose they are, what is read of them, and when they are idle too long. */
import { mostChunkBytes, type ResultPlan } from '../../../contract/executor-results.ts'
import { type Message, msg } from '../../../contract/messages.ts'
import type { QueryPage } from '../../../contract/queries.ts'
import type { QueryField } from '../../../contract/query-values.ts'
import type { Caller } from '../../platform/caller.ts'
import type { Platform } from '../../platform/platform.ts'
import { conflict } from '../../platform/refusal.ts'
import type { ConnectorsService } from '../connectors/connectors.service.ts'
import type { HeldResult } from './held-result.ts'
import { rowsOf } from './page.rules.ts'

export interface Query {
  readonly id: string
  readonly connectorId: number
  readonly userId: number
  readonly mode: 'visual' | 'raw'
  readonly asked: Omit<ResultPlan, 'result_id' | 'connector' | 'format'>
  readonly result: HeldResult
  fields: QueryField[]
  readonly exports: Set<HeldResult>
  /** Of the history, until the last row is known. */
  noteRows: ((rows: number) => void) | undefined
  /** Requests under way. */
  busy: number
  idle: NodeJS.Timeout | undefined
  /** Ends with its caller's credential. */
  forget(): void
}

export const idleMs = 5 * 60_000
/** Also those whose rows were all read count, as these are kept on disk. */
const mostKept = 20

export function createOpenQueries(
  { cursors, connectors }: { cursors: Platform['store']['cursors']; connectors: Pick<ConnectorsService, 'get'> },
  idle: number,
) {
  const queries = new Map<string, Query>()

  function drop(query: Query, why: Message): void {
    if (!queries.delete(query.id)) return
    clearTimeout(query.idle)
    query.forget()
    for (const result of [query.result, ...query.exports]) result.end(why)
  }

  /** Does something with a query, which is not idle meanwhile. */
  async function using<T>(query: Query, work: () => Promise<T>): Promise<T> {
    hold(query)
    try {
      return await work()
    } finally {
      release(query)
    }
  }

  function hold(query: Query): void {
    clearTimeout(query.idle)
    query.busy += 1
    query.result.isIdle = false
  }

  function release(query: Query): void {
    query.busy -= 1
    if (query.busy > 0 || !queries.has(query.id)) return
    query.result.isIdle = true
    query.idle = setTimeout(() => drop(query, msg('query_gone')), idle)
    query.idle.unref()
  }

  /** Another's is as gone as one that never was. */
  function mine(connectorId: number, queryId: string, caller: Caller): Query {
    connectors.get(connectorId)
    const query = queries.get(queryId)
    if (query?.connectorId !== connectorId || query.userId !== caller.user_id) conflict(msg('query_gone'))
    return query
  }

  /** Makes room for it among those of its user. */
  function add(query: Query): void {
    const own = [...queries.values()].filter(({ userId, result }) => userId === query.userId && result.isOver)
    for (const one of own.slice(0, Math.max(0, own.length - mostKept + 1))) {
      if (one.busy === 0) drop(one, msg('query_gone'))
    }
    queries.set(query.id, query)
  }

  function cancel(connectorId: number, queryId: string, caller: Caller): void {
    connectors.get(connectorId)
    const query = queries.get(queryId)
    if (query?.connectorId === connectorId && query.userId === caller.user_id) drop(query, msg('query_cancelled'))
  }

  /** Rows from `row` on: waits for the first of them, and takes with it what has come already. */
  async function read(query: Query, row: number, size: number, signal: AbortSignal): Promise<QueryPage> {
    const { result } = query
    const rows: unknown[][] = []
    const cut: QueryPage['cut'] = []
    let bytes = 0
    let chunk = await result.chunkAt(row, signal)
    while (chunk) {
      const part = rowsOf(chunk, row + rows.length, size - rows.length)
      rows.push(...part.rows)
      cut.push(...part.cut)
      bytes += chunk.bytes.length
      chunk = rows.length < size && bytes < mostChunkBytes ? await result.chunkHere(row + rows.length) : null
    }
    const { state } = result
    if (state.complete) {
      query.noteRows?.(state.row_count)
      query.noteRows = undefined
    }
    const end = row + rows.length
    const isLast = state.complete && end >= state.row_count
    return { offset: row, rows, cut, nextCursor: isLast ? null : cursorAt(query, end), ...state }
  }

  const sortOf = (query: Query) => `query:${query.id}`
  const cursorAt = (query: Query, row: number) => cursors.encode({ direction: 'next', values: [row] }, sortOf(query))
  const rowAt = (query: Query, cursor: string) => Number(cursors.decode(cursor, sortOf(query)).values[0])

  return { add, drop, cancel, hold, release, using, mine, read, rowAt }
}
