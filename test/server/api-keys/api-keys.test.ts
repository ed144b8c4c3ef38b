import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ApiKey } from '../../../src/contract/auth.ts'
import type { Paginated } from '../../../src/contract/common.ts'
import { openSse } from '../../support/sse.ts'
import { type TestClock, createTestClock } from '../../support/platform.ts'
import { type TestClient, type TestServer, startTestServer } from '../../support/server.ts'

let server: TestServer
let clock: TestClock
beforeAll(async () => {
  clock = createTestClock()
  server = await startTestServer({ clock })
})
afterAll(() => server.close())

type Created = ApiKey & { key: string }
const create = async (client: TestClient, body: object) => (await client.post('/api/api-keys', body)).body as Created
const withKey = (key: string) => server.client.with({ authorization: `Bearer ${key}` })
const list = async (client: TestClient, query = '') =>
  (await client.get(`/api/api-keys${query}`)).body as Paginated<ApiKey>

test('a key is shown once; the store has its hash, the list its first characters', async () => {
  const editor = server.as('editor')
  const made = await create(editor, { name: ' nightly ', expires_at: '2026-04-01T02:00:00+02:00' })
  expect(made).toMatchObject({
    name: 'nightly',
    key: expect.stringMatching(/^svc_[0-9a-f]{64}$/),
    prefix: made.key.slice(0, 12),
    role: 'editor',
    scopes: [],
    expires_at: '2026-04-01T00:00:00.000Z',
    last_used_at: null,
    revoked_at: null,
  })
  const listed = (await list(editor)).result.find(({ id }) => id === made.id)!
  expect(JSON.stringify(await list(editor))).not.toContain(made.key)
  expect(listed).toEqual(Object.fromEntries(Object.entries(made).filter(([name]) => name !== 'key')))
  const row = server.platform.store.sqlite.prepare('SELECT * FROM api_keys WHERE id = ?').get(made.id)
  expect(JSON.stringify(row)).not.toContain(made.key)
  expect(row).toMatchObject({ key_hash: createHash('sha256').update(made.key).digest('hex') })
})

test('keys are found by their names, whatever the case, also beyond ASCII', async () => {
  const editor = server.as('editor')
  await create(editor, { name: 'Ärger in Ostrava' })
  for (const q of ['Ärger', 'ärger', 'ÄRGER IN', 'ostrava', 'OSTRAVA']) {
    expect((await list(editor, `?q=${encodeURIComponent(q)}`)).total).toBe(1)
  }
  expect((await list(editor, '?q=arger')).total).toBe(0)
})

test('a key works as its maker, from its role down', async () => {
  const admin = server.as('admin')
  const viewerKey = await create(admin, { name: 'reader', role: 'viewer' })
  const client = withKey(viewerKey.key)
  expect((await client.get('/api/auth/me')).body).toMatchObject({ via: 'api_key', user: { role: 'admin' } })
  expect((await client.get('/api/tasks')).status).toBe(200)
  expect(await client.get('/api/server/info')).toMatchObject({
    status: 403,
    body: { error: 'FORBIDDEN', message: 'Your role viewer doesn’t allow this. It requires admin.' },
  })
})

test('a key cannot be above its maker, nor keep what its maker loses', async () => {
  const editor = server.as('editor')
  expect(await editor.post('/api/api-keys', { name: 'k', role: 'admin' })).toMatchObject({
    status: 400,
    body: { details: [{ path: 'body.role', message: 'is above your own role. Choose one of viewer, editor' }] },
  })
  const made = await create(editor, { name: 'k' })
  const client = withKey(made.key)
  expect((await client.post('/api/tasks', {})).status).toBe(400)
  server.platform.store.sqlite.prepare("UPDATE users SET role = 'viewer' WHERE id = ?").run(made.user_id)
  expect((await client.post('/api/tasks', {})).status).toBe(403)
})

test('scopes narrow a key, and a narrowed key makes none that is wider', async () => {
  const admin = server.as('admin')
  const reader = withKey((await create(admin, { name: 'r', scopes: ['read'] })).key)
  expect((await reader.get('/api/tasks')).status).toBe(200)
  expect(await reader.post('/api/tasks', {})).toMatchObject({
    status: 403,
    body: { message: 'This API key doesn’t have the scope write.' },
  })
  expect((await reader.post('/api/api-keys', { name: 'x' })).status).toBe(403)
  const keeper = withKey((await create(admin, { name: 'a', scopes: ['admin', 'read'] })).key)
  expect(await keeper.post('/api/api-keys', { name: 'x' })).toMatchObject({
    status: 400,
    body: { details: [{ path: 'body.scopes' }] },
  })
  expect(await keeper.post('/api/api-keys', { name: 'x', scopes: ['read', 'write'] })).toMatchObject({
    status: 400,
    body: { details: [{ path: 'body.scopes', message: "write is beyond your own key's scopes" }] },
  })
  expect((await keeper.post('/api/api-keys', { name: 'x', scopes: ['read'] })).status).toBe(201)
})

test('a key makes none that outlives it', async () => {
  const inMinutes = (n: number) => new Date(clock.now().getTime() + n * 60_000).toISOString()
  const maker = withKey((await create(server.as('editor'), { name: 'short', expires_at: inMinutes(10) })).key)
  for (const expires_at of [undefined, inMinutes(11)]) {
    expect(await maker.post('/api/api-keys', { name: 'x', expires_at })).toMatchObject({
      status: 400,
      body: {
        details: [
          { path: 'body.expires_at', message: `must be at or before ${inMinutes(10)}, when your own key expires` },
        ],
      },
    })
  }
  expect((await maker.post('/api/api-keys', { name: 'x', expires_at: inMinutes(10) })).status).toBe(201)
})

test('a key ends at its time', async () => {
  const made = await create(server.as('viewer'), {
    name: 'k',
    expires_at: new Date(clock.now().getTime() + 60_000).toISOString(),
  })
  const client = withKey(made.key)
  expect((await client.get('/api/auth/me')).status).toBe(200)
  clock.advance(60_000)
  expect((await client.get('/api/auth/me')).status).toBe(401)
  expect(await server.as('viewer').post('/api/api-keys', { name: 'k', expires_at: clock.iso() })).toMatchObject({
    status: 400,
    body: { details: [{ path: 'body.expires_at', message: 'must be in the future' }] },
  })
})

test('revoking is immediate, also for open streams, and may be repeated', async () => {
  const owner = server.as('editor')
  const made = await create(owner, { name: 'k' })
  const stream = await openSse(`${server.url}/api/events`, { authorization: `Bearer ${made.key}` })
  const other = await openSse(`${server.url}/api/events`, {
    authorization: `Bearer ${(await create(owner, { name: 'o' })).key}`,
  })
  expect(await owner.delete(`/api/api-keys/${made.id}`)).toMatchObject({ status: 200, body: { success: true } })
  await stream.ended
  expect((await withKey(made.key).get('/api/auth/me')).status).toBe(401)
  const first = (await list(owner)).result.find(({ id }) => id === made.id)
  expect(first?.revoked_at).toBe(clock.iso())
  expect((await owner.delete(`/api/api-keys/${made.id}`)).status).toBe(200)
  expect(server.app.headgate.streams.open).toBe(1)
  other.close()
  await other.ended
})

test('keys of others are not to be seen or revoked, but by an admin', async () => {
  const mine = server.as('editor')
  const made = await create(mine, { name: 'private' })
  const other = server.as('editor')
  expect((await list(other)).result.map(({ id }) => id)).not.toContain(made.id)
  expect(await other.delete(`/api/api-keys/${made.id}`)).toMatchObject({ status: 404, body: { error: 'NOT_FOUND' } })
  expect((await mine.get('/api/auth/me')).status).toBe(200)
  const admin = server.as('admin')
  expect((await list(admin, '?q=PRIV')).result.map(({ id }) => id)).toContain(made.id)
  expect((await admin.delete(`/api/api-keys/${made.id}`)).status).toBe(200)
  expect((await admin.delete('/api/api-keys/999999')).status).toBe(404)
})

test('keys of whoever is above him are an admin’s to see, not to revoke', async () => {
  const made = await create(server.as('superadmin'), { name: 'above' })
  const [one, two] = [server.as('admin'), server.as('admin')]
  expect((await list(one, `?user_id=${made.user_id}`)).result.map(({ id }) => id)).toContain(made.id)
  expect(await one.delete(`/api/api-keys/${made.id}`)).toMatchObject({ status: 403, body: { error: 'FORBIDDEN' } })
  expect((await withKey(made.key).get('/api/auth/me')).status).toBe(200)
  const equal = await create(two, { name: 'equal' })
  expect((await one.delete(`/api/api-keys/${equal.id}`)).status).toBe(200)
  const revoked = await list(one, `?user_id=${equal.user_id}&revoked=true`)
  expect(revoked.result.map(({ id }) => id)).toEqual([equal.id])
  expect((await list(one, `?user_id=${equal.user_id}&revoked=false`)).result.map(({ id }) => id)).not.toContain(
    equal.id,
  )
  // A filter opens nothing.
  expect(await list(server.as('viewer'), `?user_id=${made.user_id}`)).toMatchObject({ result: [], total: 0 })
})

test('the list searches by name and pages both ways with an exact total', async () => {
  const client = server.as('viewer')
  for (const name of ['Alpha', 'beta', 'alphabet', 'ALPHA 2']) await create(client, { name })
  const first = await list(client, '?q=alpha&limit=2')
  expect(first).toMatchObject({ total: 3, prevCursor: null })
  expect(first.result.map(({ name }) => name)).toEqual(['ALPHA 2', 'alphabet'])
  const second = await list(client, `?q=alpha&limit=2&cursor=${first.nextCursor}`)
  expect(second.result.map(({ name }) => name)).toEqual(['Alpha'])
  const back = await list(client, `?q=alpha&limit=2&cursor=${second.prevCursor}`)
  expect(back.result).toEqual(first.result)
})

test('the list is sorted by name or by the last use, page by page', async () => {
  const client = server.as('viewer')
  for (const name of ['sorted b', 'sorted c', 'sorted a']) {
    const { key } = await create(client, { name })
    clock.advance(60_000)
    await withKey(key).get('/api/auth/me')
  }
  server.services.apiKeys.flush()
  const names = async (query: string) => (await list(client, `?q=sorted&${query}`)).result.map(({ name }) => name)
  expect(await names('sort=name')).toEqual(['sorted a', 'sorted b', 'sorted c'])
  expect(await names('sort=name&order=desc')).toEqual(['sorted c', 'sorted b', 'sorted a'])
  expect(await names('sort=last_used_at')).toEqual(['sorted a', 'sorted c', 'sorted b'])
  const first = await list(client, '?q=sorted&sort=name&limit=2')
  expect(await names(`sort=name&limit=2&cursor=${first.nextCursor}`)).toEqual(['sorted c'])
})

test('when a key was last used is kept to the minute without a write for each request', async () => {
  const client = server.as('viewer')
  const made = await create(client, { name: 'busy' })
  const busy = withKey(made.key)
  const writes = () => server.platform.store.sqlite.prepare<[], { n: number }>('SELECT total_changes() AS n').get()!.n
  await busy.get('/api/auth/me')
  server.services.apiKeys.flush()
  const before = writes()
  for (let i = 0; i < 5; i++) await busy.get('/api/auth/me')
  expect(writes()).toBe(before)
  const used = clock.iso()
  clock.advance(59_999)
  await busy.get('/api/auth/me')
  expect((await list(client)).result.find(({ id }) => id === made.id)?.last_used_at).toBe(used)
  clock.advance(1)
  await busy.get('/api/auth/me')
  expect((await list(client)).result.find(({ id }) => id === made.id)?.last_used_at).toBe(clock.iso())
})

test.each(['svc_', 'svc_0000', 'nonsense', '', 'svc_' + '0'.repeat(64)])('the key %j is nobody', async (key) => {
  expect((await withKey(key).get('/api/auth/me')).status).toBe(401)
})

test('a session cookie next to a bad key does not help', async () => {
  const answer = await server.client.get('/api/auth/me', {
    headers: { authorization: 'Basic YTpi', cookie: 'svc_session=x' },
  })
  expect(answer.status).toBe(401)
  expect(answer.headers.get('www-authenticate')).toBe('Bearer')
})

test('what becomes of a key or its user counts from the next request on; what is undone never did', async () => {
  const made = await create(server.as('editor'), { name: 'in use' })
  const status = async () => (await withKey(made.key).get('/api/tasks')).status
  const { store } = server.platform
  const change = (sql: string, id: number) => store.sqlite.prepare(sql).run(id)
  const undone = (sql: string, id: number) => {
    const work = () => {
      change(sql, id)
      // Looks at it while it is changed.
      expect(server.services.apiKeys.caller(made.key)).toBeUndefined()
      throw new Error('undone')
    }
    expect(() => store.transaction(work)).toThrow('undone')
  }
  expect(await status()).toBe(200)
  const ways: [there: string, back: string, id: number][] = [
    ['UPDATE users SET disabled = 1 WHERE id = ?', 'UPDATE users SET disabled = 0 WHERE id = ?', made.user_id],
    [
      "UPDATE api_keys SET revoked_at = '2020-01-01T00:00:00.000Z' WHERE id = ?",
      'UPDATE api_keys SET revoked_at = NULL WHERE id = ?',
      made.id,
    ],
  ]
  for (const [there, back, id] of ways) {
    undone(there, id)
    expect(await status()).toBe(200)
    change(there, id)
    expect(await status()).toBe(401)
    change(back, id)
    expect(await status()).toBe(200)
  }
  change('DELETE FROM api_keys WHERE id = ?', made.id)
  expect(await status()).toBe(401)
})
