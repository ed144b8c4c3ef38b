/** Queries of people: whose they are, and when nobody wants them any longer. */
import { Readable } from 'node:stream'
import type { ResultFormat } from '../../../contract/executor-results.ts'
import { msg } from '../../../contract/messages.ts'
import type { BodyOf, QueryOf } from '../../../contract/operation.ts'
import { atLeast } from '../../../contract/roles.ts'
import type { ColumnProfile, profileColumn } from '../../../contract/column-profile.ts'
import type { QueryPlan, explainQuery } from '../../../contract/explain.ts'
import type {
  QueryPage,
  QueryResult,
  exportQuery,
  getQueryCell,
  getQueryPage,
  queryConnector,
} from '../../../contract/queries.ts'
import type { Caller } from '../../platform/caller.ts'
import type { Platform } from '../../platform/platform.ts'
import { Refusal, forbidden, invalid } from '../../platform/refusal.ts'
import type { CallsService } from '../calls/calls.service.ts'
import type { ConnectorsService } from '../connectors/connectors.service.ts'
import type { ExplorerPresetsService } from '../explorer-presets/explorer-presets.service.ts'
import type { QueryHistoryService } from '../query-history/query-history.service.ts'
import { createAskedQueries } from './asked-query.ts'
import type { HeldResult } from './held-result.ts'
import { type Query, createOpenQueries, idleMs } from './open-queries.ts'
import { rowsOf } from './page.rules.ts'
import { type ResultsService, serverUser } from './results.service.ts'

interface Dependencies {
  connectors: Pick<ConnectorsService, 'get' | 'opened' | 'resource'>
  presets: Pick<ExplorerPresetsService, 'mistakes'>
  results: ResultsService
  calls: Pick<CallsService, 'call'>
  history: Pick<QueryHistoryService, 'keep'>
}

/** Calls back when the caller's access ends; returns what forgets that. */
type Watch = (end: () => void) => () => void

const defaults = { pageSize: 100, timeoutSeconds: 300, explainSeconds: 60, profileSeconds: 30 }
const profileRetrySeconds = 2

export function createQueriesService(
  { ids, store }: Pick<Platform, 'ids' | 'store'>,
  { connectors, presets, results, calls, history }: Dependencies,
  { idle = idleMs } = {},
) {
  const queries = createOpenQueries({ cursors: store.cursors, connectors }, idle)
  /** One at a time: tests of connectors and lists of tables wait for the same two workers. */
  let isProfiling = false
  const asked = createAskedQueries({ connectors, presets })

  /** Whoever may change nothing writes queries where the connector says so. */
  function mustBeAllowed(connectorId: number, mode: 'visual' | 'raw', { role }: Caller): void {
    if (mode === 'visual' || atLeast(role, 'editor') || connectors.get(connectorId).viewer_raw) return
    forbidden(msg('query_raw_not_for_viewers'))
  }

  /** One's own query, as long as one may still run it: rows that are here already are no exception. */
  function allowed(connectorId: number, queryId: string, caller: Caller): Query {
    const query = queries.mine(connectorId, queryId, caller)
    mustBeAllowed(connectorId, query.mode, caller)
    return query
  }

  const service = {
    /** The first rows of a query that the server writes itself; nothing is held after it. `userId`: whose limits count. */
    async few(connectorId: number, query: string, most: number, signal: AbortSignal, userId = serverUser) {
      const connector = connectors.opened(connectorId)
      const plan = { query, parameters: {}, timeout_ms: defaults.timeoutSeconds * 1000 }
      const result = results.open({ ...plan, connector, format: { kind: 'rows' } }, userId)
      try {
        const { fields } = await result.start(signal)
        const rows: unknown[][] = []
        for (let chunk = await result.chunkAt(0, signal); chunk; chunk = await result.chunkAt(rows.length, signal)) {
          rows.push(...rowsOf(chunk, rows.length, most - rows.length).rows)
          if (rows.length >= most) break
        }
        return { fields, rows }
      } finally {
        result.end(msg('query_cancelled'))
      }
    },

    /** Opens a query and gives its first page. Whoever leaves before it is there cancels it. */
    async run(
      connectorId: number,
      body: BodyOf<typeof queryConnector>,
      caller: Caller,
      signal: AbortSignal,
      watch: Watch,
    ): Promise<QueryResult> {
      const began = performance.now()
      const { page_size = defaults.pageSize, timeout_s = defaults.timeoutSeconds } = body
      mustBeAllowed(connectorId, body.definition.mode, caller)
      const connector = connectors.opened(connectorId)
      const plan = { ...(await asked.read(connector, body, signal)), timeout_ms: timeout_s * 1000 }
      const result = results.open({ ...plan, connector, format: { kind: 'rows' } }, caller.user_id)
      const query: Query = {
        id: ids.token(24),
        connectorId,
        userId: caller.user_id,
        mode: body.definition.mode,
        asked: plan,
        result,
        fields: [],
        exports: new Set(),
        noteRows: undefined,
        busy: 0,
        idle: undefined,
        forget: () => undefined,
      }
      queries.add(query)
      query.forget = watch(() => queries.drop(query, msg('query_cancelled')))
      const { definition, resource, parameters } = body
      const entry = {
        user_id: caller.user_id,
        connector_id: connectorId,
        kind: 'query',
        text: plan.query,
        asked: { definition, ...(resource !== undefined && { resource }), ...(parameters && { parameters }) },
      } as const
      const rowsOf = (page: QueryResult) => (page.complete ? page.row_count : null)
      const open = async (): Promise<QueryResult> => {
        try {
          const { fields, statement } = await result.start(signal)
          query.fields = fields
          const page = await queries.read(query, 0, page_size, signal)
          return { query_id: query.id, statement, fields, duration_ms: Math.round(performance.now() - began), ...page }
        } catch (error) {
          queries.drop(query, msg('query_cancelled'))
          throw error
        }
      }
      const { result: page, noteRows } = await queries.using(query, () => history.keep(entry, rowsOf, open))
      if (!page.complete) query.noteRows = noteRows
      return page
    },

    /** How the system would run a query, or has run it now. */
    async explain(
      connectorId: number,
      { analyze = false, timeout_s = defaults.explainSeconds, ...body }: BodyOf<typeof explainQuery>,
      caller: Caller,
      signal: AbortSignal,
    ): Promise<QueryPlan> {
      mustBeAllowed(connectorId, body.definition.mode, caller)
      const connector = connectors.opened(connectorId)
      const plan = await asked.read(connector, body, signal)
      const timeout_ms = timeout_s * 1000
      const work = { kind: 'explain', connector, ...plan, analyze, timeout_ms } as const
      return calls.call(work, timeout_ms, signal, { userId: caller.user_id })
    },

    /** What the values of a column are, over all rows that the system has. */
    async profile(
      connectorId: number,
      queryId: string,
      { field, timeout_s = defaults.profileSeconds }: BodyOf<typeof profileColumn>,
      caller: Caller,
      signal: AbortSignal,
    ): Promise<ColumnProfile> {
      const query = allowed(connectorId, queryId, caller)
      const { fields } = query
      if (field >= fields.length) invalid([{ path: 'body.field', ...msg('no_such_field', { field }) }])
      const connector = connectors.opened(connectorId)
      const work = { kind: 'profile', connector, ...query.asked, fields, field, timeout_ms: timeout_s * 1000 } as const
      if (isProfiling)
        throw new Refusal('UNAVAILABLE', msg('profile_one_at_a_time'), { retryAfterSeconds: profileRetrySeconds })
      isProfiling = true
      try {
        return await queries.using(query, () => calls.call(work, work.timeout_ms, signal, { userId: caller.user_id }))
      } finally {
        isProfiling = false
      }
    },

    page(
      connectorId: number,
      queryId: string,
      { cursor, row, page_size = defaults.pageSize }: QueryOf<typeof getQueryPage>,
      caller: Caller,
      signal: AbortSignal,
    ): Promise<QueryPage> {
      const query = allowed(connectorId, queryId, caller)
      if (cursor !== undefined && row !== undefined) invalid([{ path: 'query.row', ...msg('row_or_cursor') }])
      const from = cursor === undefined ? (row ?? 0) : queries.rowAt(query, cursor)
      return queries.using(query, () => queries.read(query, from, page_size, signal))
    },

    /** One value in full, in JSON. */
    async cell(
      connectorId: number,
      queryId: string,
      { row, field }: QueryOf<typeof getQueryCell>,
      caller: Caller,
      signal: AbortSignal,
    ): Promise<{ pieces: AsyncIterable<Buffer>; abandon: () => void }> {
      const query = allowed(connectorId, queryId, caller)
      const value = await queries.using(query, async () => {
        const page = await queries.read(query, row, 1, signal)
        const [values] = page.rows
        if (!values || field >= values.length) invalid([{ path: 'query', ...msg('no_such_cell', { row, field }) }])
        return values[field]
      })
      // Held while it is sent.
      queries.hold(query)
      const whole = query.result.cell(row, field) ?? [Buffer.from(JSON.stringify(value))]
      return { pieces: Readable.from(whole), abandon: () => queries.release(query) }
    },

    /** Ends it at the far side, too. */
    cancel(connectorId: number, queryId: string, caller: Caller): { success: boolean } {
      queries.cancel(connectorId, queryId, caller)
      return { success: true }
    },

    /** Runs the query once more, for a file of all rows. Resolves when the first bytes are certain to come. */
    async export(
      connectorId: number,
      queryId: string,
      { format, delimiter = ',', header = true, formula_guard = false }: BodyOf<typeof exportQuery>,
      caller: Caller,
      signal: AbortSignal,
    ): Promise<{ pieces: AsyncIterable<Buffer>; abandon: () => void }> {
      const query = allowed(connectorId, queryId, caller)
      const connector = connectors.opened(connectorId)
      const wanted: ResultFormat =
        format === 'csv' ? { kind: 'csv', delimiter, header, formula_guard } : { kind: format }
      const result = results.open({ ...query.asked, connector, format: wanted }, caller.user_id)
      queries.hold(query)
      query.exports.add(result)
      const abandon = () => {
        if (!query.exports.delete(result)) return
        result.end(msg('query_cancelled'))
        queries.release(query)
      }
      try {
        await result.start(signal)
      } catch (error) {
        abandon()
        throw error
      }
      return { pieces: piecesOf(result, signal), abandon }
    },
  }
  return service
}
export type QueriesService = ReturnType<typeof createQueriesService>

/** A chunk is let go of when the next one is wanted: what the client has not taken holds the executor back. */
async function* piecesOf(result: HeldResult, signal: AbortSignal): AsyncGenerator<Buffer> {
  for (let chunk = await result.first(signal); chunk; chunk = await result.first(signal)) {
    yield* chunk.pieces
    await result.drop(chunk)
  }
}
