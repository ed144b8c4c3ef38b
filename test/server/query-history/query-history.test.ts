// Each user's own queries and changes. The executor is a script.
import { expect, test } from 'vitest'
import type { ResultPlan } from '../../../src/contract/executor-results.ts'
import type { QueryHistoryEntry } from '../../../src/contract/query-history.ts'
import { createQueryHistoryService } from '../../../src/server/features/query-history/query-history.service.ts'
import type { TestClient } from '../../support/server.ts'
import { controlPlane, movableClock } from '../runs/control-plane.ts'
import { fakeExecutor } from '../runs/fake-executor.ts'

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
    const start = { fields: [{ name: 'n', type: 'integer' as const, native: 'int' }], statement: rawQuery }
    await executor.chunk(
      result_id,
      error === undefined
        ? { seq: 1, rows: 2, start, total: 2 }
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
  return { plane, clock, executor, id, ask, list }
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

test('entries go after 90 days, and beyond as many as are kept for a user', async () => {
  const { plane, clock, id, ask, list } = await world()
  const editor = plane.as('editor')
  await ask('SELECT old', editor)
  const { id: user_id } = (await editor.get('/api/users/me')).body as { id: number }
  const { services, platform } = plane
  const history = createQueryHistoryService({ ...platform, clock }, { connectors: services.connectors, kept: 2 })
  const keep = (text: string) =>
    history.keep(
      { user_id, connector_id: id, kind: 'change', text },
      (rows) => rows,
      async () => 1,
    )
  await keep('SELECT 1')
  expect((await list(editor)).result.map(({ text }) => text)).toEqual(['SELECT 1', 'SELECT old'])
  for (const text of ['SELECT 2', 'SELECT 3']) await keep(text)
  expect((await list(editor)).result.map(({ text }) => text)).toEqual(['SELECT 3', 'SELECT 2'])
  clock.offset += 91 * 86_400_000
  await keep('SELECT 4')
  clock.offset = 0
  expect((await list(editor)).result.map(({ text }) => text)).toEqual(['SELECT 4'])
})
