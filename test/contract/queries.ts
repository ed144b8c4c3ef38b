import { expect } from 'vitest'
import { type ChunkHead, chunkType, type ResultPlan } from '../../src/contract/executor-results.ts'
import type { QueryResult } from '../../src/contract/queries.ts'
import type { Answer } from '../support/server.ts'
import type { RefusalStage } from './refusals.ts'
import type { Stage } from './successes.ts'
import { type Request, send, sendRaw } from './support/send.ts'
import { type ScriptedWorld, newName } from './support/worlds.ts'

const start: ChunkHead['start'] = { fields: [{ name: 'n', type: 'integer', native: 'int' }], statement: 'SELECT n' }
const body = { definition: { mode: 'raw', rawQuery: 'SELECT n' }, page_size: 1 }
const rowsType = { 'content-type': chunkType }

const slots = { slots: 0, call_slots: 0, result_slots: 4 }

/** The query as the executor gets it; null: the server has refused it. */
async function handedOut({ executor }: ScriptedWorld, asked: Promise<Answer>): Promise<ResultPlan | null> {
  const claiming = executor.claim({ ...slots, wait_ms: 20_000 })
  const claimed = await Promise.race([claiming, asked.then(() => null)])
  if (claimed) return claimed.results[0] ?? expect.fail('No result was handed out')
  // A newer claim ends the one that still waits.
  await executor.claim(slots)
  await claiming
  return null
}

async function claimed(world: ScriptedWorld, asked: Promise<Answer>): Promise<ResultPlan> {
  return (await handedOut(world, asked)) ?? expect.fail('The query was refused')
}

interface Opened {
  id: number
  plan: ResultPlan
  answer: Answer
  query: Required<Pick<Request, 'params'>>
  cursor: string
  /** Ends the query, whose place others need. */
  done<T>(result: T): Promise<T>
}

/** A query of the scripted executor, with its first rows. */
export async function opened(world: ScriptedWorld): Promise<Opened> {
  await world.executor.claim(slots)
  const asked = send(world.editor, 'queryConnector', { params: { id: world.files }, body })
  const plan = await claimed(world, asked)
  await world.executor.chunk(plan.result_id, { seq: 1, rows: 1, start }, [[1]])
  const answer = await asked
  // What the server answers is what the contract says.
  const { query_id, nextCursor } = answer.body as QueryResult
  const query = { params: { id: world.files, queryId: query_id } }
  return {
    id: world.files,
    plan,
    answer,
    query,
    cursor: nextCursor!,
    async done(result) {
      await send(world.editor, 'cancelQuery', query)
      return result
    },
  }
}

export const executorOf = ({ executor }: ScriptedWorld, resultId: string) => ({
  params: { resultId },
  headers: { 'x-executor-credential': executor.credential },
})
const unknown = { queryId: 'unknown' }

/** What a query of the scripted executor comes to: one row, or this error before it. */
export async function answered(
  world: ScriptedWorld,
  asked: Promise<Answer>,
  code?: 'CONNECTOR_ERROR' | 'TIMEOUT',
): Promise<Answer> {
  const plan = await handedOut(world, asked)
  if (plan && code) await world.executor.chunk(plan.result_id, { seq: 1, rows: 0, error: { code, message: code } })
  else if (plan) await world.executor.chunk(plan.result_id, { seq: 1, rows: 1, start, total: 1 }, [[1]])
  return asked
}

const asked = { parameter: { name: 'who', label: 'Who', type: 'mongoRecord', collection: 'people' } }

/** A page of records; `code`: the executor fails instead. */
async function recordsAsked(
  { scripted }: Pick<Stage, 'scripted'>,
  code?: 'CONNECTOR_ERROR' | 'TIMEOUT',
): Promise<Answer> {
  const config = { uri: 'mongodb://127.0.0.1:9', database: 'shop' }
  const made = await send(scripted.admin, 'createConnector', {
    body: { name: newName('mongo'), type: 'mongodb', config },
  })
  const params = { id: (made.body as { id: number }).id }
  await scripted.executor.claim(slots)
  const waiting = send(scripted.editor, 'listRecords', { params, body: asked })
  // A chosen value is asked for by a query of its own.
  for (;;) {
    const plan = await handedOut(scripted, waiting)
    if (!plan) return waiting
    if (code) await scripted.executor.chunk(plan.result_id, { seq: 1, rows: 0, error: { code, message: code } })
    else {
      const fields = [{ name: 'document', type: 'document' as const, native: 'document' }]
      const head = { seq: 1, rows: 1, start: { fields, statement: plan.query }, total: 1 }
      await scripted.executor.chunk(plan.result_id, head, [[{ _id: { $numberInt: '1' } }]])
    }
  }
}

export const querySuccesses = {
  listRecords: (stage: Stage) => recordsAsked(stage),
  queryConnector: async ({ scripted }: Stage) => {
    await scripted.executor.claim(slots)
    return answered(scripted, send(scripted.editor, 'queryConnector', { params: { id: scripted.files }, body }))
  },
  getQueryPage: async ({ scripted }: Stage) => {
    const { plan, query, cursor, done } = await opened(scripted)
    await scripted.executor.chunk(plan.result_id, { seq: 2, rows: 1, total: 2 }, [[2]])
    return done(await send(scripted.editor, 'getQueryPage', { ...query, query: { cursor } }))
  },
  getQueryCell: async ({ scripted }: Stage) => {
    const { query, done } = await opened(scripted)
    return done(await send(scripted.editor, 'getQueryCell', { ...query, query: { row: 0, field: 0 } }))
  },
  cancelQuery: async ({ scripted }: Stage) => send(scripted.editor, 'cancelQuery', (await opened(scripted)).query),
  exportQuery: async ({ scripted }: Stage) => {
    const { query, done } = await opened(scripted)
    const asked = send(scripted.editor, 'exportQuery', { ...query, body: { format: 'ndjson' } })
    const plan = await handedOut(scripted, asked)
    if (plan) await scripted.executor.chunk(plan.result_id, { seq: 1, rows: 1, start, total: 1 }, [[1]])
    return done(await asked)
  },
  postResultChunk: async ({ scripted }: Stage) => {
    const { plan, done } = await opened(scripted)
    return done(await scripted.executor.chunk(plan.result_id, { seq: 2, rows: 0 }))
  },
  attendResult: async ({ scripted }: Stage) => {
    const { plan, query, cursor, done } = await opened(scripted)
    await scripted.executor.chunk(plan.result_id, { seq: 2, rows: 1 }, [[2]])
    await send(scripted.editor, 'getQueryPage', { ...query, query: { cursor } })
    return done(await scripted.executor.attend(plan.result_id, 0))
  },
}

/** The executor says what went wrong before the first row. */
const failing = (code: 'CONNECTOR_ERROR' | 'TIMEOUT') => ({
  queryConnector: async ({ scripted }: RefusalStage) => {
    await scripted.executor.claim(slots)
    return answered(scripted, send(scripted.editor, 'queryConnector', { params: { id: scripted.files }, body }), code)
  },
  getQueryPage: async ({ scripted }: RefusalStage) => {
    const { plan, query, cursor, done } = await opened(scripted)
    await scripted.executor.chunk(plan.result_id, { seq: 2, rows: 0, error: { code, message: code } })
    return done(await send(scripted.editor, 'getQueryPage', { ...query, query: { cursor } }))
  },
  getQueryCell: async ({ scripted }: RefusalStage) => {
    const { plan, query, done } = await opened(scripted)
    await scripted.executor.chunk(plan.result_id, { seq: 2, rows: 0, error: { code, message: code } })
    return done(await send(scripted.editor, 'getQueryCell', { ...query, query: { row: 1, field: 0 } }))
  },
  exportQuery: async ({ scripted }: RefusalStage) => {
    const { query, done } = await opened(scripted)
    const asked = send(scripted.editor, 'exportQuery', { ...query, body: { format: 'csv' } })
    const { result_id } = await claimed(scripted, asked)
    await scripted.executor.chunk(result_id, { seq: 1, rows: 0, error: { code, message: code } })
    return done(await asked)
  },
})
const [refused, late] = [failing('CONNECTOR_ERROR'), failing('TIMEOUT')]

/** Asked of a connector that was archived. */
export async function toArchived(
  live: RefusalStage['live'],
  operation: 'queryConnector' | 'explainQuery' | 'listRecords',
  asked: Request['body'],
): Promise<Answer> {
  const type = operation === 'listRecords' ? 'mongodb' : 'file'
  const config = type === 'file' ? { root: live.folder } : { uri: 'mongodb://127.0.0.1:9', database: 'shop' }
  const made = await send(live.admin, 'createConnector', { body: { name: newName('archived'), type, config } })
  const params = { id: (made.body as { id: number }).id }
  await send(live.admin, 'archiveConnector', { params })
  return send(live.admin, operation, { params, body: asked })
}

export const queryRefusals = {
  listRecords: {
    NOT_FOUND: ({ live }: RefusalStage) => send(live.admin, 'listRecords', { body: asked }),
    CONFLICT: ({ live }: RefusalStage) => toArchived(live, 'listRecords', asked),
    CONNECTOR_ERROR: (stage: RefusalStage) => recordsAsked(stage, 'CONNECTOR_ERROR'),
    TIMEOUT: (stage: RefusalStage) => recordsAsked(stage, 'TIMEOUT'),
  },
  queryConnector: {
    NOT_FOUND: ({ live }: RefusalStage) => send(live.admin, 'queryConnector', { body }),
    CONFLICT: ({ live }: RefusalStage) => toArchived(live, 'queryConnector', body),
    CONNECTOR_ERROR: refused.queryConnector,
    TIMEOUT: late.queryConnector,
  },
  getQueryPage: {
    NOT_FOUND: ({ live }: RefusalStage) => send(live.admin, 'getQueryPage', { query: { cursor: 'any' } }),
    CONFLICT: ({ live }: RefusalStage) =>
      send(live.admin, 'getQueryPage', { params: { id: live.files, ...unknown }, query: { cursor: 'any' } }),
    CONNECTOR_ERROR: refused.getQueryPage,
    TIMEOUT: late.getQueryPage,
  },
  getQueryCell: {
    NOT_FOUND: ({ live }: RefusalStage) => send(live.admin, 'getQueryCell', { query: { row: 0, field: 0 } }),
    CONFLICT: ({ live }: RefusalStage) =>
      send(live.admin, 'getQueryCell', { params: { id: live.files, ...unknown }, query: { row: 0, field: 0 } }),
    CONNECTOR_ERROR: refused.getQueryCell,
    TIMEOUT: late.getQueryCell,
  },
  exportQuery: {
    NOT_FOUND: ({ live }: RefusalStage) => send(live.admin, 'exportQuery', { body: { format: 'csv' } }),
    CONFLICT: ({ live }: RefusalStage) =>
      send(live.admin, 'exportQuery', { params: { id: live.files, ...unknown }, body: { format: 'csv' } }),
    CONNECTOR_ERROR: refused.exportQuery,
    TIMEOUT: late.exportQuery,
  },
  postResultChunk: {
    VALIDATION_ERROR: async ({ scripted }: RefusalStage) => {
      const { plan, done } = await opened(scripted)
      const { params, headers } = executorOf(scripted, plan.result_id)
      const request = { params, headers: { ...headers, ...rowsType }, body: 'no head' }
      return done(await send(scripted.executor.client, 'postResultChunk', request))
    },
    NOT_FOUND: ({ scripted }: RefusalStage) => scripted.executor.chunk('unknown', { seq: 1, rows: 0 }),
    CONFLICT: ({ scripted }: RefusalStage) =>
      send(scripted.executor.client, 'postResultChunk', {
        params: { resultId: 'unknown' },
        headers: { 'x-executor-credential': 'older', ...rowsType },
        body: '{}',
      }),
    PAYLOAD_TOO_LARGE: ({ scripted }: RefusalStage) =>
      sendRaw(scripted.server.url, 'postResultChunk', {
        params: { resultId: 'unknown' },
        headers: {
          ...scripted.executor.client.headers,
          'x-executor-credential': scripted.executor.credential,
          ...rowsType,
          'content-length': String(6 * 1_048_576),
        },
      }),
  },
  attendResult: {
    NOT_FOUND: ({ scripted }: RefusalStage) => scripted.executor.attend('unknown', 0),
    CONFLICT: ({ scripted }: RefusalStage) =>
      send(scripted.executor.client, 'attendResult', {
        params: { resultId: 'unknown' },
        headers: { 'x-executor-credential': 'older' },
        body: { seen: 0 },
      }),
  },
}
