import { expect, vi } from 'vitest'
import { createConnector } from '../../../src/contract/connectors.ts'
import {
  type QueryPage,
  type QueryResult,
  cancelQuery,
  getQueryPage,
  queryConnector,
} from '../../../src/contract/queries.ts'
import type { ErrorBody } from '../../../src/contract/errors.ts'
import type { BoundConnector } from '../../../src/contract/executor-protocol.ts'
import type { Answer, TestClient } from '../../support/server.ts'
import { startRealWorld, type RealWorld } from '../process/real-world.ts'

/** Asks a query without its `▮`, and puts that where the answer says that its mistake is. */
export async function markMistake(world: ResultWorld, connector: number, marked: string, parameters = {}) {
  const query = marked.replace('▮', '')
  const { body } = await world.ask(connector, query, { parameters })
  const { line = 0, column = 0 } = (body as ErrorBody).details?.find((detail) => detail.line) ?? {}
  return query
    .split('\n')
    .map((text, at) => (at + 1 === line ? `${text.slice(0, column - 1)}▮${text.slice(column - 1)}` : text))
    .join('\n')
}

/** Queries through the server, an executor process and its workers: nothing is stood in for. */
export interface ResultWorld extends RealWorld {
  editor: TestClient
  /** Saves a connector; its id. */
  connect(connector: Omit<BoundConnector, 'id' | 'name'>): Promise<number>
  run(connector: number, rawQuery: string, more?: Partial<RunOptions>): Promise<QueryResult>
  /** The answer as it came. */
  ask(connector: number, rawQuery: string, more?: Partial<RunOptions>): Promise<Answer>
  next(connector: number, queryId: string, cursor: string, page_size?: number): Promise<QueryPage>
  /** Rows from a number on. */
  at(connector: number, queryId: string, row: number, page_size?: number): Promise<QueryPage>
  /** A value in full. */
  cell(connector: number, queryId: string, row: number, field: number): Promise<unknown>
  /** All rows, page by page. `visit` sees each page. */
  all(
    connector: number,
    rawQuery: string,
    visit: (page: QueryPage) => void | Promise<void>,
    page_size?: number,
  ): Promise<QueryResult>
  cancel(connector: number, queryId: string): Promise<unknown>
  /** Ends every query that `run` began and that is still open, so that a test that failed leaves none to the next. */
  cancelAll(): Promise<void>
  exported(connector: number, queryId: string, body: object): Promise<Response>
}

export interface RunOptions {
  parameters: Record<string, unknown>
  page_size: number
  timeout_s: number
  client: TestClient
}

let connectors = 0

export async function startResultWorld(...options: Parameters<typeof startRealWorld>): Promise<ResultWorld> {
  const world = await startRealWorld(...options)
  await vi.waitFor(async () => expect(await world.online()).toBe('online'), { timeout: 60_000, interval: 10 })
  const editor = world.server.as('editor')
  const bodyOf = (rawQuery: string, { client: _, ...more }: Partial<RunOptions>) => ({
    definition: { mode: 'raw' as const, rawQuery },
    ...more,
  })
  const begun: { client: TestClient; path: string }[] = []
  const result: ResultWorld = {
    ...world,
    editor,
    connect: async ({ type, config, secrets }) =>
      (
        await world.client.call(createConnector, {
          body: { name: `${type} ${++connectors}`, type: type as 'postgres', config, secrets },
        })
      ).id,
    async run(id, rawQuery, more = {}) {
      const client = more.client ?? editor
      const first = await client.call(queryConnector, { params: { id }, body: bodyOf(rawQuery, more) })
      begun.push({ client, path: `/api/connectors/${id}/query/${first.query_id}/cancel` })
      return first
    },
    ask: (id, rawQuery, more = {}) =>
      (more.client ?? editor).post(`/api/connectors/${id}/query`, bodyOf(rawQuery, more)),
    next: (id, queryId, cursor, page_size) =>
      editor.call(getQueryPage, { params: { id, queryId }, query: { cursor, page_size } }),
    at: (id, queryId, row, page_size) =>
      editor.call(getQueryPage, { params: { id, queryId }, query: { row, page_size } }),
    cell: async (id, queryId, row, field) =>
      (await editor.get(`/api/connectors/${id}/query/${queryId}/cell`, { query: { row, field } })).body,
    async all(id, rawQuery, visit, page_size = 5000) {
      const first = await result.run(id, rawQuery, { page_size })
      await visit(first)
      for (let cursor = first.nextCursor; cursor !== null;) {
        const page = await result.next(id, first.query_id, cursor, page_size)
        await visit(page)
        cursor = page.nextCursor
      }
      return first
    },
    cancel: (id, queryId) => editor.call(cancelQuery, { params: { id, queryId } }),
    async cancelAll() {
      // Most have ended by themselves, and are refused.
      await Promise.all(begun.splice(0).map(({ client, path }) => client.post(path)))
    },
    exported: (id, queryId, body) =>
      fetch(new URL(`/api/connectors/${id}/query/${queryId}/export`, world.server.url), {
        method: 'POST',
        headers: { ...editor.headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
  }
  return result
}
