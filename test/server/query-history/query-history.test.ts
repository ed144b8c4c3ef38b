// Each user's own queries and changes. The executor is a script.
import { expect, test } from 'vitest'
import type { ResultPlan } from '../../../src/contract/executor-results.ts'
import type { QueryHistoryEntry } from '../../../src/contract/query-history.ts'
import type { TestClient } from '../../support/server.ts'
import { controlPlane, movableClock } from '../runs/control-plane.ts'
import { fakeExecutor } from '../runs/fake-executor.ts'

const start = (statement: string) => ({ fields: [{ name: 'n', type: 'integer' as const, native: 'int' }], statement })

async function world() {
  const clock = movableClock()
  const plane = await controlPlane({ clock })
  const executor = await fakeExecutor(plane)
  await executor.claim({ result_slots: 4 })
  const id = plane.mapping.out
  const taken = async (): Promise<ResultPlan> => {
    for (;;) {
      const [plan] = (await executor.claim({ result_slots: 4, wait_ms: 5_000 })).results
      if (plan) return plan
    }
  }
  const ask = async (rawQuery: string, client: TestClient, error?: string) => {
    const asked = client.post(`/api/connectors/${id}/query`, { definition: { mode: 'raw', rawQuery } })
    const { result_id } = await taken()
    await executor.chunk(
      result_id,
      error === undefined
        ? { seq: 1, rows: 2, start: start(rawQuery), total: 2 }
        : { seq: 1, rows: 0, error: { code: 'CONNECTOR_ERROR', message: error } },
      error === undefined ? [[1], [2]] : [],
    )
    return asked
  }
  const list = async (client: TestClient, query: Record<string, string | number> = {}) =>
    (await client.get(`/api/connectors/${id}/query-history`, { query })).body as {
      result: QueryHistoryEntry[]
      nextCursor: string | null
      total: number
    }
  return { plane: { ...plane, executor }, clock, id, taken, ask, list }
}

test('queries are kept with what became of them, newest first, for their user alone', async () => {
  const { plane, id, ask, list } = await world()
  const [editor, admin] = [plane.as('editor'), plane.as('admin')]
  expect((await ask('SELECT Ä FROM one', editor)).status).toBe(200)
  expect((await ask('SELECT nothing', editor, 'no such column: nothing')).status).toBe(502)
  await ask('SELECT 2', admin)
  const { result, total } = await list(editor)
  expect(result.map(({ text, rows, kind, connector_id }) => [text, rows, kind, connector_id])).toEqual([
    ['SELECT nothing', null, 'query', id],
    ['SELECT Ä FROM one', 2, 'query', id],
  ])
  expect(result[0]?.error).toContain('no such column')
  expect(result[1]).toMatchObject({ error: null, duration_ms: expect.any(Number) as number })
  expect(total).toBe(2)
  expect((await list(editor, { q: 'select ä' })).result).toHaveLength(1)
  expect((await list(admin)).result.map(({ text }) => text)).toEqual(['SELECT 2'])
  const first = await list(editor, { limit: 1 })
  expect((await list(editor, { limit: 1, cursor: first.nextCursor! })).result.map(({ text }) => text)).toEqual([
    'SELECT Ä FROM one',
  ])
})

test('the settings decide how long and how many entries are kept, and take effect while the server runs', async () => {
  const { plane, clock, ask, list } = await world()
  const [editor, admin] = [plane.as('editor'), plane.as('admin')]
  const texts = async (client = editor) => (await list(client)).result.map(({ text }) => text)
  const set = async (values: Record<string, number>) =>
    expect((await admin.put('/api/server/config', { values })).status).toBe(200)
  const clean = async () => expect((await admin.post('/api/server/clean')).status).toBe(200)
  await ask('SELECT 0', editor)
  clock.offset += 3 * 86_400_000
  for (const n of [1, 2, 3]) await ask(`SELECT ${n}`, editor)
  await ask('SELECT 4', admin)
  await clean()
  expect(await texts()).toHaveLength(4)
  await set({ 'retention.queries_days': 2 })
  await clean()
  expect(await texts()).toEqual(['SELECT 3', 'SELECT 2', 'SELECT 1'])
  await set({ 'retention.queries_max': 2 })
  await clean()
  expect(await texts()).toEqual(['SELECT 3', 'SELECT 2'])
  expect(await texts(admin)).toEqual(['SELECT 4'])
  clock.offset += 365 * 86_400_000
  await set({ 'retention.queries_days': 0, 'retention.queries_max': 0 })
  await clean()
  expect(await texts()).toHaveLength(2)
})

test('more entries than one piece of the cleaning removes go, too', async () => {
  const { plane, id, list } = await world()
  const editor = plane.as('editor')
  const { id: user_id } = (await editor.get('/api/users/me')).body as { id: number }
  const entry = { user_id, connector_id: id, kind: 'query', text: 'SELECT 1' } as const
  for (let n = 0; n < 250; n++)
    await plane.services.history.keep(
      entry,
      () => n,
      async () => n,
    )
  await plane.as('admin').put('/api/server/config', { values: { 'retention.queries_max': 3 } })
  await plane.as('admin').post('/api/server/clean')
  expect((await list(editor)).result.map(({ rows }) => rows)).toEqual([249, 248, 247])
})

test('an entry has what runs it again, and the code of why it failed', async () => {
  const { plane, id, taken, ask, list } = await world()
  const editor = plane.as('editor')
  const body = { definition: { mode: 'raw', rawQuery: 'SELECT :n' }, parameters: { n: '9007199254740993' } }
  const asked = editor.post(`/api/connectors/${id}/query`, body)
  const first = await taken()
  await ask('SELECT wrong', editor, 'no such column')
  const [failed] = (await list(editor)).result
  expect(failed).toMatchObject({ error: 'no such column', asked: { definition: { rawQuery: 'SELECT wrong' } } })
  await plane.executor.chunk(first.result_id, { seq: 1, rows: 0, start: start(first.query), total: 0 }, [])
  expect((await asked).status).toBe(200)
  const entry = (await list(editor)).result.find(({ text }) => text === 'SELECT :n')
  expect(entry!.asked).toEqual(body)
  void editor.post(`/api/connectors/${id}/query`, entry!.asked)
  expect(await taken()).toMatchObject({ query: 'SELECT :n', parameters: { n: '9007199254740993' } })
})

test('the rows of a long result are known once it was read to its end', async () => {
  const { plane, id, taken, list } = await world()
  const editor = plane.as('editor')
  const path = `/api/connectors/${id}/query`
  const asked = editor.post(path, { definition: { mode: 'raw', rawQuery: 'SELECT 1' }, page_size: 1 })
  const { result_id } = await taken()
  await plane.executor.chunk(result_id, { seq: 1, rows: 1, start: start('SELECT 1') }, [[1]])
  const { query_id } = (await asked).body as { query_id: string }
  const rows = async () => (await list(editor)).result.map((entry) => entry.rows)
  expect(await rows()).toEqual([null])
  await plane.executor.chunk(result_id, { seq: 2, rows: 1, total: 2 }, [[2]])
  expect((await editor.get(`${path}/${query_id}`, { query: { row: 1 } })).status).toBe(200)
  expect(await rows()).toEqual([2])
})

test('a query that is too long to be kept in full cannot be run from its beginning', async () => {
  const { plane, id, list } = await world()
  const editor = plane.as('editor')
  const { id: user_id } = (await editor.get('/api/users/me')).body as { id: number }
  const rawQuery = `SELECT '${'ü'.repeat(100_000)}'`
  const entry = { user_id, connector_id: id, kind: 'query', text: rawQuery } as const
  const { result } = await plane.services.history.keep(
    { ...entry, asked: { definition: { mode: 'raw', rawQuery } } },
    () => 1,
    async () => 'done',
  )
  expect(result).toBe('done')
  const [long] = (await list(editor)).result
  expect([long!.text.length, long!.asked]).toEqual([100_000, null])
})

test('users delete their own entries, one or all of a connector, and never those of others', async () => {
  const { plane, id, ask, list } = await world()
  const [editor, admin] = [plane.as('editor'), plane.as('admin')]
  for (const n of [1, 2, 3]) await ask(`SELECT ${n}`, editor)
  await ask('SELECT 4', admin)
  const path = `/api/connectors/${id}/query-history`
  const [newest, second] = (await list(editor)).result
  expect((await admin.delete(`${path}/${second!.id}`)).status).toBe(404)
  expect((await editor.delete(`/api/connectors/${id + 1}/query-history/${second!.id}`)).status).toBe(404)
  expect((await editor.delete(`${path}/${second!.id}`)).status).toBe(204)
  expect((await editor.delete(`${path}/${second!.id}`)).status).toBe(404)
  expect((await list(editor)).result.map(({ text }) => text)).toEqual(['SELECT 3', 'SELECT 1'])
  expect((await list(editor)).result[0]!.id).toBe(newest!.id)
  expect((await editor.delete(path)).status).toBe(204)
  expect((await list(editor)).total).toBe(0)
  expect((await list(admin)).total).toBe(1)
})
