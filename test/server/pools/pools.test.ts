import { afterAll, beforeAll, expect, test } from 'vitest'
import { deletePool, getPool, listPools, setPool } from '../../../src/contract/pools.ts'
import { type TestClient, type TestServer, startTestServer } from '../../support/server.ts'

let server: TestServer
let admin: TestClient
beforeAll(async () => {
  server = await startTestServer()
  admin = server.as('admin')
})
afterAll(() => server.close())

const told = () =>
  server.platform.events
    .after(0, 1000)
    .filter(({ type }) => type === 'pool.changed')
    .map(({ data }) => data)

test('a pool is made, changed and removed under its name, and each change is told', async () => {
  const heard: string[] = []
  const stop = server.services.pools.onChanged((name) => heard.push(name))
  const made = await admin.call(setPool, {
    params: { name: 'crm.api' },
    body: { slots: 2, description: 'Their limit' },
  })
  expect(made).toMatchObject({ name: 'crm.api', slots: 2, description: 'Their limit', used: 0, waiting: 0 })
  expect(made.updated_at).toBeNull()

  const changed = await admin.call(setPool, { params: { name: 'crm.api' }, body: { slots: 5 } })
  expect(changed).toMatchObject({ slots: 5, description: 'Their limit', created_at: made.created_at })
  expect(changed.updated_at).not.toBeNull()
  const cleared = await admin.call(setPool, { params: { name: 'crm.api' }, body: { slots: 5, description: null } })
  expect(cleared.description).toBeNull()

  await admin.call(setPool, { params: { name: 'a' }, body: { slots: 0 } })
  expect((await admin.call(listPools)).map(({ name }) => name)).toEqual(['a', 'crm.api'])
  expect(server.services.pools.limits()).toEqual(
    new Map([
      ['a', 0],
      ['crm.api', 5],
    ]),
  )
  expect(await admin.call(deletePool, { params: { name: 'crm.api' } })).toEqual({ success: true })
  expect((await admin.call(listPools)).map(({ name }) => name)).toEqual(['a'])
  expect(heard).toEqual(['crm.api', 'crm.api', 'crm.api', 'a', 'crm.api'])
  expect(told().at(-1)).toEqual({ name: 'crm.api', slots: 5, removed: true })
  stop()
})

test('a pool is changed over what was read and nothing newer, and a new one takes the place of none', async () => {
  const path = '/api/pools/shared'
  const put = (slots: number, headers: Record<string, string>) => admin.put(path, { slots }, { headers })
  const made = await put(1, { 'if-none-match': '*' })
  expect(made.status).toBe(200)
  const read = await admin.get(path)
  const etag = read.headers.get('etag')!
  expect(made.headers.get('etag')).toBe(etag)
  expect(await put(9, { 'if-none-match': '*' })).toMatchObject({
    status: 409,
    body: { message: 'This name already exists. Choose another name.' },
  })
  for (const other of [etag, 'W/"x"', '', '"*"'])
    expect(await put(9, { 'if-none-match': other })).toMatchObject({
      status: 400,
      body: { error: 'VALIDATION_ERROR', details: [{ path: 'headers.if-none-match' }] },
    })
  expect((await put(2, { 'if-match': etag })).status).toBe(200)
  expect((await put(9, { 'if-match': etag })).status).toBe(409)
  expect(await admin.call(getPool, { params: { name: 'shared' } })).toMatchObject({ slots: 2 })

  // One that was removed meanwhile does not come back.
  const latest = (await admin.get(path)).headers.get('etag')!
  await admin.call(deletePool, { params: { name: 'shared' } })
  for (const given of [latest, '*']) expect((await put(9, { 'if-match': given })).status).toBe(409)
  expect((await admin.get(path)).status).toBe(404)
})

test('a pool that is not there cannot be removed, and names and slots have bounds', async () => {
  expect((await admin.delete('/api/pools/nowhere')).status).toBe(404)
  for (const [name, slots] of [
    ['two words', 1],
    ['1st', 1],
    ['p', -1],
    ['p', 10_001],
    ['p', 1.5],
  ] as const) {
    const answer = await admin.put(`/api/pools/${encodeURIComponent(name)}`, { slots })
    expect([name, slots, answer.status]).toEqual([name, slots, 400])
  }
})

test('a change whose listener fails is undone', async () => {
  const stop = server.services.pools.onChanged(() => {
    throw new Error('A listener that fails')
  })
  expect((await admin.put('/api/pools/undone', { slots: 1 })).status).toBe(500)
  stop()
  expect((await admin.call(listPools)).map(({ name }) => name)).not.toContain('undone')
})
