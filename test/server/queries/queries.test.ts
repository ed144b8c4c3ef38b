import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ChunkHead, ResultPlan } from '../../../src/contract/executor-results.ts'
import type { Connector } from '../../../src/contract/connectors.ts'
import type { QueryPage, QueryResult } from '../../../src/contract/queries.ts'
import { derivedKey } from '../../../src/process/derived-key.ts'
import { createQueriesService } from '../../../src/server/features/queries/queries.service.ts'
import type { Answer, TestClient } from '../../support/server.ts'
import { controlPlane, movableClock, pass } from '../runs/control-plane.ts'
import { executorClient, type FakeExecutor, fakeExecutor } from '../runs/fake-executor.ts'

const start: ChunkHead['start'] = { fields: [{ name: 'n', type: 'integer', native: 'int' }], statement: 'SELECT n' }
const numbers = (from: number, count: number) => Array.from({ length: count }, (_, at) => [from + at])
const body = { definition: { mode: 'raw', rawQuery: 'SELECT n' }, page_size: 2 }

async function world(options = {}) {
  const plane = await controlPlane(options)
  const executor = await fakeExecutor(plane)
  await executor.claim({ result_slots: 4 })
  const path = `/api/connectors/${plane.mapping.out}/query`
  const open = async (client: TestClient = plane.editor, takes: FakeExecutor = executor) => {
    const asked = client.post(path, body)
    const [plan] = await taken(takes)
    return { asked, plan: plan! }
  }
  return { plane, executor, path, open }
}

async function taken(executor: FakeExecutor): Promise<ResultPlan[]> {
  for (;;) {
    const { results } = await executor.claim({ result_slots: 4, wait_ms: 5_000 })
    if (results.length > 0) return results
  }
}

/** Opens a result of six rows in three chunks, of which two are delivered. */
async function opened() {
  const { plane, executor, path, open } = await world()
  const { asked, plan } = await open()
  await executor.chunk(plan.result_id, { seq: 1, rows: 2, start }, numbers(0, 2))
  await executor.chunk(plan.result_id, { seq: 2, rows: 2 }, numbers(2, 2))
  const first = (await asked).body as QueryResult
  const page = (cursor: string | null, client = plane.editor): Promise<Answer> =>
    client.get(`${path}/${first.query_id}`, { query: { cursor: cursor ?? '', page_size: 2 } })
  return { plane, executor, path, open, plan, first, page, id: plan.result_id }
}

test('every row that was read can be read again, by cursor and by number', async () => {
  const { plane, executor, first, page, id, plan, path } = await opened()
  expect(plan).toMatchObject({ query: 'SELECT n', parameters: {}, format: { kind: 'rows' }, timeout_ms: 300_000 })
  expect(first).toMatchObject({ statement: 'SELECT n', fields: start.fields, offset: 0, rows: [[0], [1]], cut: [] })
  const second = (await page(first.nextCursor)).body as QueryPage
  expect(second).toMatchObject({ offset: 2, rows: [[2], [3]] })
  expect((await page(first.nextCursor)).body).toEqual(second)
  await executor.chunk(id, { seq: 3, rows: 1, total: 5 }, numbers(4, 1))
  expect((await page(second.nextCursor)).body).toMatchObject({ offset: 4, rows: [[4]], nextCursor: null })
  expect((await page(first.nextCursor)).body).toEqual({ ...second, row_count: 5, complete: true })
  const at = async (query: Record<string, string | number>) =>
    (await plane.editor.get(`${path}/${first.query_id}`, { query })).body
  expect(await at({ row: 1, page_size: 3 })).toMatchObject({ offset: 1, rows: [[1], [2], [3]] })
  expect(await at({ page_size: 9 })).toMatchObject({ offset: 0, rows: [[0], [1], [2], [3], [4]], nextCursor: null })
  expect(await at({ row: 7 })).toMatchObject({ offset: 7, rows: [], nextCursor: null, row_count: 5, complete: true })
  expect(await at({ row: 0, cursor: first.nextCursor! })).toMatchObject({ details: [{ code: 'row_or_cursor' }] })
  expect(await executor.attend(id, 0)).toMatchObject({ status: 404 })
})

test('a row far ahead is read up to, and the rows on the way stay', async () => {
  const { plane, executor, first, id, path } = await opened()
  const asked = plane.editor.get(`${path}/${first.query_id}`, { query: { row: 9, page_size: 5 } })
  for (const seq of [3, 4, 5]) {
    await executor.attend(id, seq - 3)
    await executor.chunk(id, { seq, rows: 2 }, numbers(2 * seq - 2, 2))
  }
  expect((await asked).body).toMatchObject({ offset: 9, rows: [[9]], row_count: 10, complete: false, first_row: 0 })
  const back = await plane.editor.get(`${path}/${first.query_id}`, { query: { row: 3, page_size: 4 } })
  expect(back.body).toMatchObject({ offset: 3, rows: [[3], [4], [5], [6]] })
})

test('a value that pages shorten is there in full, piece by piece as it came', async () => {
  const { plane, executor, first, id, path } = await opened()
  const page = (row: number) => plane.editor.get(`${path}/${first.query_id}`, { query: { row, page_size: 2 } })
  await page(2)
  const cell = { row: 4, field: 0 }
  await executor.chunk(id, { seq: 3, rows: 0, cell }, '"a long')
  await executor.attend(id, 1)
  await executor.chunk(id, { seq: 4, rows: 0, cell }, ' text"')
  await executor.attend(id, 2)
  await executor.chunk(id, { seq: 5, rows: 1, cut: [{ ...cell, length: 11 }], total: 5 }, [['a']])
  const whole = (query: Record<string, number>) => plane.editor.get(`${path}/${first.query_id}/cell`, { query })
  expect(await whole(cell)).toMatchObject({ status: 200, body: 'a long text' })
  expect(await whole({ row: 1, field: 0 })).toMatchObject({ status: 200, body: 1 })
  expect((await page(4)).body).toMatchObject({ rows: [['a']], cut: [{ ...cell, length: 11 }] })
  for (const none of [
    { row: 5, field: 0 },
    { row: 0, field: 1 },
  ]) {
    expect(await whole(none)).toMatchObject({ status: 400, body: { details: [{ code: 'no_such_cell' }] } })
  }
  expect((await plane.as('editor').get(`${path}/${first.query_id}/cell`, { query: cell })).status).toBe(409)
})

test('rows on the server’s disk go when their query ends', async () => {
  const { plane, first, path } = await opened()
  const folder = join(plane.platform.config.dataDir, 'results')
  await expect.poll(() => readdirSync(folder)).toHaveLength(1)
  await plane.editor.post(`${path}/${first.query_id}/cancel`)
  await expect.poll(() => readdirSync(folder)).toEqual([])
})

test('the executor is told what was read, and more than two chunks end the session', async () => {
  const { executor, first, page, id } = await opened()
  const attended = executor.attend(id, 0)
  await page(first.nextCursor)
  expect(await attended).toMatchObject({ status: 200, body: { read: 1 } })
  await executor.chunk(id, { seq: 3, rows: 1 }, numbers(4, 1))
  await executor.chunk(id, { seq: 4, rows: 1 }, numbers(5, 1))
  expect(await page(first.nextCursor)).toMatchObject({ status: 503, body: { code: 'query_incomplete' } })
})

test('a chunk that comes twice counts once; one that is missing ends the result', async () => {
  const { executor, first, page, id } = await opened()
  expect(await executor.chunk(id, { seq: 2, rows: 2 }, numbers(2, 2))).toMatchObject({ status: 200 })
  const second = (await page(first.nextCursor)).body as QueryPage
  await executor.chunk(id, { seq: 4, rows: 1 }, numbers(4, 1))
  expect(await page(second.nextCursor)).toMatchObject({ status: 503, body: { code: 'query_incomplete' } })
})

test('with the key of a result its rows are delivered, and nothing else is done', async () => {
  const { plane, executor, open, id } = await opened()
  const { plan: other } = await open()
  const withKeyOf = (resultId: string) => {
    const authorization = `Bearer ${derivedKey(plane.platform.config.executorKey, resultId)}`
    return executorClient(plane.client.with({ authorization }), executor.id, executor.credential)
  }
  expect(await withKeyOf(other.result_id).chunk(id, { seq: 3, rows: 0 })).toMatchObject({ status: 401 })
  expect(await withKeyOf(id).attend(id, 0)).toMatchObject({ status: 401 })
  expect(await withKeyOf(id).chunk(id, { seq: 3, rows: 0 })).toMatchObject({ status: 200 })
})

test('an end that counts other rows than came is no end', async () => {
  const { executor, first, page, id } = await opened()
  await page(first.nextCursor)
  await executor.chunk(id, { seq: 3, rows: 0, total: 7 })
  expect(await page(first.nextCursor)).toMatchObject({ status: 503, body: { code: 'query_incomplete' } })
})

test.each<[string, number[][]]>([
  ['fewer rows than it promises', numbers(4, 1)],
  ['no rows at all', []],
  ['lines that are no rows', [{ length: 1 } as unknown as number[], [5]]],
])('a chunk that has %s is the executor’s fault, not an internal error', async (_, rows) => {
  const { executor, first, page, id } = await opened()
  const second = (await page(first.nextCursor)).body as QueryPage
  await executor.chunk(id, { seq: 3, rows: 2 }, rows)
  expect(await page(second.nextCursor)).toMatchObject({ status: 503, body: { code: 'query_incomplete' } })
})

test('a query is its owner’s alone, and its cursors cannot be made up', async () => {
  const { plane, first, page, path } = await opened()
  for (const other of [plane.as('editor'), plane.as('admin'), plane.as('superadmin')]) {
    expect(await page(first.nextCursor, other)).toMatchObject({ status: 409, body: { code: 'query_gone' } })
    await other.post(`${path}/${first.query_id}/cancel`)
    expect(await other.post(`${path}/${first.query_id}/export`, { format: 'csv' })).toMatchObject({ status: 409 })
  }
  expect((await page(`${first.nextCursor}x`)).status).toBe(400)
  expect((await page(first.nextCursor)).status).toBe(200)
})

test('cancel ends the session at the executor at once', async () => {
  const { plane, executor, first, page, path, id } = await opened()
  const attended = executor.attend(id, 0)
  expect(await plane.editor.post(`${path}/${first.query_id}/cancel`)).toMatchObject({ status: 200 })
  expect(await attended).toMatchObject({ status: 404 })
  expect(await executor.chunk(id, { seq: 3, rows: 0 })).toMatchObject({ status: 404 })
  expect(await page(first.nextCursor)).toMatchObject({ status: 409, body: { code: 'query_gone' } })
})

test('a result nobody asks for ends after a while', async () => {
  const { plane, executor } = await world()
  const { results, connectors, history, explorerPresets: presets } = plane.services
  const queries = createQueriesService(
    plane.platform,
    { connectors, results, calls: plane.services.calls, history, presets },
    { idle: 30 },
  )
  const caller = { kind: 'session', user_id: 1, username: 'ada', role: 'editor', scopes: [], pending: false } as const
  const { signal } = new AbortController()
  const asked = queries.run(
    plane.mapping.out,
    { definition: { mode: 'raw', rawQuery: 'SELECT n' } },
    { ...caller, scopes: [] },
    signal,
    () => () => undefined,
  )
  const [plan] = await taken(executor)
  await executor.chunk(plan!.result_id, { seq: 1, rows: 1, start }, numbers(0, 1))
  expect(await asked).toMatchObject({ rows: [[0]] })
  expect(await executor.attend(plan!.result_id, 1)).toMatchObject({ status: 404 })
  expect(results.held).toBe(0)
})

test('a user leaves one place to others, and results that nobody reads make room', async () => {
  const { plane, executor, path, open } = await world()
  const page = async (client: TestClient) => {
    const { asked, plan } = await open(client)
    await executor.chunk(plan.result_id, { seq: 1, rows: 2, start }, numbers(0, 2))
    return (await asked).body as QueryResult
  }
  const read = ({ query_id }: QueryResult) => plane.editor.get(`${path}/${query_id}`, { query: { page_size: 2 } })
  const first = await page(plane.editor)
  const second = await page(plane.editor)
  const third = await page(plane.editor)
  expect(await read(first)).toMatchObject({ status: 200 })
  // Of four places three are one user's: the fourth query takes the place of the own first one.
  const fourth = await page(plane.editor)
  expect(await read(first)).toMatchObject({ status: 409, body: { code: 'query_gone' } })
  const other = plane.as('editor')
  await page(other)
  // All are taken: whoever has more gives one.
  await page(other)
  expect(await read(second)).toMatchObject({ status: 409, body: { code: 'query_gone' } })
  for (const left of [third, fourth])
    expect(await read(left)).toMatchObject({ status: 200, body: { rows: [[0], [1]] } })
})

test('who waits for as many as one may is told to wait; so is who finds the executors full', async () => {
  const { plane, executor, path, open } = await world()
  const waiting = []
  for (let of = 0; of < 3; of++) waiting.push(await open(plane.editor))
  const many = await plane.editor.post(path, body)
  expect(many).toMatchObject({ status: 429, body: { code: 'queries_of_user', params: { most: 3 } } })
  expect(many.headers.get('retry-after')).toBe('5')
  waiting.push(await open(plane.as('editor')))
  const full = await plane.as('editor').post(path, body)
  expect(full).toMatchObject({ status: 503, body: { code: 'queries_of_executors' } })
  expect(full.headers.get('retry-after')).toBe('5')
  for (const { asked, plan } of waiting) {
    await executor.chunk(plan.result_id, { seq: 1, rows: 2, start, total: 2 }, numbers(0, 2))
    expect((await asked).status).toBe(200)
  }
})

test('when its executor is lost, a result says to run it again', async () => {
  const clock = movableClock()
  const { plane, executor, path, open } = await world({ clock })
  const { asked, plan } = await open()
  await executor.chunk(plan.result_id, { seq: 1, rows: 2, start }, numbers(0, 2))
  const { query_id, nextCursor } = (await asked).body as QueryResult
  pass(plane, clock, 21)
  const gone = await plane.editor.get(`${path}/${query_id}`, { query: { cursor: nextCursor! } })
  expect(gone).toMatchObject({ status: 409, body: { error: 'CONFLICT', code: 'query_executor_gone' } })
})

test('without an executor that holds results there is none to wait for', async () => {
  const plane = await controlPlane()
  const path = `/api/connectors/${plane.mapping.out}/query`
  expect(await plane.editor.post(path, body)).toMatchObject({ status: 503, body: { code: 'no_executor' } })
  const executor = await fakeExecutor(plane)
  await executor.claim({ result_slots: 0 })
  expect(await plane.editor.post(path, body)).toMatchObject({ status: 503, body: { code: 'queries_of_executors' } })
})

test('the executor’s own error is the caller’s', async () => {
  const { executor, open } = await world()
  const { asked, plan } = await open()
  const details = [{ path: 'body.definition.rawQuery', message: 'There is no table `x`', code: 'TABLE_NOT_FOUND' }]
  const error = { code: 'VALIDATION_ERROR' as const, message: 'There is no table `x`', details }
  await executor.chunk(plan.result_id, { seq: 1, rows: 0, error })
  expect(await asked).toMatchObject({ status: 400, body: { error: 'VALIDATION_ERROR' } })
})

test('an export passes on the executor’s bytes, and is broken off where they are', async () => {
  const { plane, executor, first, path } = await opened()
  const asked = (): Promise<Response> =>
    fetch(new URL(`${path}/${first.query_id}/export`, plane.url), {
      method: 'POST',
      headers: { ...plane.editor.headers, 'content-type': 'application/json' },
      body: JSON.stringify({ format: 'ndjson' }),
    })
  const whole = asked()
  const [plan] = await taken(executor)
  expect(plan).toMatchObject({ query: 'SELECT n', format: { kind: 'ndjson' } })
  await executor.chunk(plan!.result_id, { seq: 1, rows: 1, start }, [[1]])
  const response = await whole
  await executor.chunk(plan!.result_id, { seq: 2, rows: 1, total: 2 }, [[2]])
  expect(await response.text()).toBe('[1]\n[2]\n')
  const broken = asked()
  const [again] = await taken(executor)
  await executor.chunk(again!.result_id, { seq: 1, rows: 1, start }, [[1]])
  const cut = await broken
  await executor.chunk(again!.result_id, { seq: 2, rows: 0, error: { code: 'CONNECTOR_ERROR', message: 'gone' } })
  await expect(cut.text()).rejects.toThrow('terminated')
})

test('an export ends when the key that opened its query is revoked, and when its own is', async () => {
  const { plane, executor, path } = await world()
  const newKey = async (name: string) => {
    const { body: made } = await plane.editor.post('/api/api-keys', { name })
    const { id, key } = made as { id: number; key: string }
    const client = plane.client.with({ authorization: `Bearer ${key}` })
    return { client, revoke: () => plane.editor.delete(`/api/api-keys/${id}`) }
  }
  for (const revoked of ['opener', 'exporter'] as const) {
    const keys = { opener: await newKey('opens'), exporter: await newKey('exports') }
    const asked = keys.opener.client.post(path, body)
    const [opened] = await taken(executor)
    await executor.chunk(opened!.result_id, { seq: 1, rows: 2, start, total: 2 }, numbers(0, 2))
    const { query_id } = (await asked).body as QueryResult
    const exported = fetch(new URL(`${path}/${query_id}/export`, plane.url), {
      method: 'POST',
      headers: { ...keys.exporter.client.headers, 'content-type': 'application/json' },
      body: JSON.stringify({ format: 'csv' }),
    })
    const [plan] = await taken(executor)
    await executor.chunk(plan!.result_id, { seq: 1, rows: 1, start }, 'n\r\n1\r\n')
    const response = await exported
    expect((await keys[revoked].revoke()).status).toBe(200)
    await expect(response.text()).rejects.toThrow('terminated')
    expect(await executor.chunk(plan!.result_id, { seq: 2, rows: 1, total: 2 }, '2\r\n')).toMatchObject({ status: 404 })
  }
})

test('an export of more bytes than a connection gives at once arrives as it was sent', async () => {
  const { plane, executor, first, path } = await opened()
  const whole = fetch(new URL(`${path}/${first.query_id}/export`, plane.url), {
    method: 'POST',
    headers: { ...plane.editor.headers, 'content-type': 'application/json' },
    body: JSON.stringify({ format: 'csv' }),
  })
  const [plan] = await taken(executor)
  const { result_id: id } = plan!
  // The head alone, with 4,000 fields, is longer than what is read at once.
  const fields = Array.from({ length: 4_000 }, (_, at) => ({ name: `column ${at}`, type: 'text' as const, native: '' }))
  const text = Array.from({ length: 60_000 }, (_, row) => `${row},"two\r\nlines of é"\r\n`).join('')
  expect(await executor.chunk(id, { seq: 1, rows: 1, start: { ...start, fields } }, text)).toMatchObject({
    status: 200,
  })
  const response = await whole
  await executor.chunk(id, { seq: 2, rows: 0 }, '\n')
  await executor.chunk(id, { seq: 3, rows: 0, total: 1 }, 'end')
  expect(await response.text()).toBe(`${text}\nend`)
})

test('one column is profiled at a time, so that other calls find a worker', async () => {
  const { plane, executor, path } = await world()
  const query = async (client: TestClient) => {
    const asked = client.post(path, body)
    const [plan] = await taken(executor)
    await executor.chunk(plan!.result_id, { seq: 1, rows: 1, start, total: 1 }, numbers(0, 1))
    return ((await asked).body as QueryResult).query_id
  }
  const other = plane.as('editor')
  const [own, others] = [await query(plane.editor), await query(other)]
  const leaving = new AbortController()
  const profiled = fetch(new URL(`${path}/${own}/profile`, plane.url), {
    method: 'POST',
    headers: { ...plane.editor.headers, 'content-type': 'application/json' },
    body: '{"field":0}',
    signal: leaving.signal,
  }).catch(() => null)
  await expect.poll(() => plane.services.calls.waiting).toBe(1)
  const refused = await other.post(`${path}/${others}/profile`, { field: 0 })
  expect(refused).toMatchObject({ status: 503, body: { code: 'profile_one_at_a_time' } })
  expect(refused.headers.get('retry-after')).toBe('2')
  leaving.abort()
  await profiled
  await expect.poll(() => plane.services.calls.waiting).toBe(0)
  const again = other.post(`${path}/${others}/profile`, { field: 5 })
  expect(await again).toMatchObject({ status: 400 })
})

test('viewers query with conditions, and write queries only where the connector lets them', async () => {
  const { plane, executor, path } = await world()
  const viewer = plane.as('viewer')
  const refused = { status: 403, body: { code: 'query_raw_not_for_viewers' } }
  expect(await viewer.post(path, body)).toMatchObject(refused)
  const asked = viewer.post(path, { definition: { mode: 'visual', action: 'count' }, resource: 'orders' })
  const [plan] = await taken(executor)
  await executor.chunk(plan!.result_id, { seq: 1, rows: 1, start, total: 1 }, numbers(0, 1))
  expect(await asked).toMatchObject({ status: 200 })

  const at = `/api/connectors/${plane.mapping.out}`
  const allow = async (viewer_raw: boolean) => {
    const { name, type, config } = (await plane.editor.get(at)).body as Connector
    const changed = await plane.editor.put(at, { name, type, config, viewer_raw })
    expect(changed).toMatchObject({ status: 200, body: { viewer_raw } })
  }
  await allow(true)
  const raw = viewer.post(path, body)
  const [second] = await taken(executor)
  await executor.chunk(second!.result_id, { seq: 1, rows: 1, start, total: 1 }, numbers(0, 1))
  const { query_id } = (await raw).body as QueryResult
  expect(await viewer.get(`${path}/${query_id}`)).toMatchObject({ status: 200 })
  await allow(false)
  // Rows that are here already are no exception.
  expect(await viewer.get(`${path}/${query_id}`)).toMatchObject(refused)
  expect(await viewer.get(`${path}/${query_id}/cell`, { query: { row: 0, field: 0 } })).toMatchObject(refused)
  expect(await viewer.post(`${path}/${query_id}/profile`, { field: 0 })).toMatchObject(refused)
  expect(await viewer.post(`${path}/${query_id}/export`, { format: 'csv' })).toMatchObject(refused)
  expect(await viewer.post(path, body)).toMatchObject(refused)
})

test('a text in which systems would see an end before its end is refused', async () => {
  const { plane, path } = await world()
  const refused = (at: string) => ({ status: 400, body: { details: [{ path: at, code: 'query_has_nul' }] } })
  const raw = { definition: { mode: 'raw', rawQuery: 'SELECT n\0; DELETE FROM t' } }
  expect(await plane.editor.post(path, raw)).toMatchObject(refused('body.definition.rawQuery'))
  const visual = { definition: { mode: 'visual' }, resource: 't\0' }
  expect(await plane.editor.post(path, visual)).toMatchObject(refused('body.resource'))
})
