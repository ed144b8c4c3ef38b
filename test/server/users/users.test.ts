import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { User } from '../../../src/contract/auth.ts'
import type { Paginated } from '../../../src/contract/common.ts'
import { type Role, roles } from '../../../src/contract/roles.ts'
import { fakeExecutor } from '../runs/fake-executor.ts'
import { openSse } from '../../support/sse.ts'
import { type TestClient, type TestServer, startTestServer } from '../../support/server.ts'
import { cookieOf } from '../../support/sign-in.ts'

let server: TestServer
let superadmin: TestClient
let admin: TestClient
beforeAll(async () => {
  server = await startTestServer()
  superadmin = server.as('superadmin')
  admin = server.as('admin')
})
afterAll(() => server.close())

const password = 'correct horse battery staple'
let made = 0
const newName = () => `person-${++made}`
/** Made without a password, so without a costly hash. */
const person = (role: Role = 'viewer', more: { username?: string; display_name?: string; email?: string } = {}) =>
  server.services.users.create({ username: newName(), role, passwordHash: null, ...more })
/** A client with a key of the user. */
function keyOf(user: { id: number; username: string; role: Role }): TestClient {
  const maker = {
    kind: 'session',
    user_id: user.id,
    username: user.username,
    role: user.role,
    scopes: [],
    pending: false,
  } as const
  const { key } = server.services.apiKeys.create({ name: 'k' }, { ...maker, scopes: [] })
  return server.client.with({ authorization: `Bearer ${key}` })
}
const path = ({ id }: { id: number }) => `/api/users/${id}`
const list = async (query: string) => ((await admin.get(`/api/users?${query}`)).body as Paginated<User>).result
const own = async (client: TestClient) => (await client.get('/api/users/me')).body as User
const signIn = async (username: string, secret = password) =>
  server.client.post('/api/auth/login', { username, password: secret })

describe('a new user', () => {
  test('is told with all but what is secret, and is to change the password that was given', async () => {
    const body = { username: '  Grace  ', password, role: 'editor', display_name: ' Grace Hopper ', email: '' }
    const answer = await admin.post('/api/users', body)
    expect(answer).toMatchObject({
      status: 201,
      body: {
        username: 'Grace',
        display_name: 'Grace Hopper',
        email: null,
        role: 'editor',
        disabled: false,
        totp_enabled: false,
        password_change_required: true,
        last_login_at: null,
        updated_at: null,
      },
    })
    expect(JSON.stringify(answer.body)).not.toMatch(/hash|argon|key|sealed|revision|search/)
    const user = answer.body as User
    expect(answer.headers.get('etag')).toBe((await admin.get(path(user))).headers.get('etag'))
    expect((await admin.get(path(user))).body).toEqual(user)
    expect((await signIn('GRACE')).body).toMatchObject({ password_change_required: true })
  })

  test('has a name that nobody else has in any spelling', async () => {
    const { username } = person('viewer', { username: 'Ärger' })
    expect(username).toBe('Ärger')
    for (const taken of ['ärger', 'ÄRGER ', 'A\u0308rger', 'Ａ\u0308rger'])
      expect(await admin.post('/api/users', { username: taken, password, role: 'viewer' })).toMatchObject({
        status: 409,
        body: { details: [{ path: 'body.username', message: 'is taken' }] },
      })
  })

  test.each([
    [{ username: 'a\u0000b' }, 'body.username'],
    [{ username: '\ud800' }, 'body.username'],
    [{ username: '\u200b\u2060' }, 'body.username'],
    [{ username: ' ' }, 'body.username'],
    [{ display_name: 'a\nb' }, 'body.display_name'],
    [{ email: 'nobody' }, 'body.email'],
    [{ email: 'a b@c' }, 'body.email'],
    [{ role: 'owner' }, 'body.role'],
    [{ role: 'admin' }, 'body.role'],
    [{ role: 'superadmin' }, 'body.role'],
    [{ password: 'short' }, 'body.password'],
  ])('with %j is refused at %s', async (wrong, at) => {
    const answer = await admin.post('/api/users', { username: newName(), password, role: 'viewer', ...wrong })
    expect(answer).toMatchObject({ status: 400, body: { details: [{ path: at }] } })
  })

  test('may have a name in any script, which is kept as it is', async () => {
    for (const username of ['аdmin', '\u202eמחק', "'; DROP TABLE users; --", '../../etc', '<b>', '🚂', 'e\u0301']) {
      const user = person('viewer', { username })
      expect(((await admin.get(path(user))).body as User).username).toBe(username)
    }
  })
})

describe('the list', () => {
  test('searches names and addresses in any case, filters, sorts and pages both ways', async () => {
    const [a, b, c] = [
      person('viewer', { username: 'Zoë-1', email: 'first@list.example' }),
      person('editor', { username: 'zoë-2', display_name: 'ÖZGÜR' }),
      person('viewer', { username: 'ZOË-3' }),
    ]
    expect((await list('q=ZOË')).map(({ id }) => id)).toEqual([a.id, b.id, c.id])
    expect((await list('q=özgür')).map(({ id }) => id)).toEqual([b.id])
    expect((await list('q=LIST.example')).map(({ id }) => id)).toEqual([a.id])
    expect((await list('q=zoë&role=viewer&order=desc&sort=id')).map(({ id }) => id)).toEqual([c.id, a.id])
    await superadmin.put(path(c), { disabled: true })
    expect((await list('q=zoë&disabled=true')).map(({ id }) => id)).toEqual([c.id])
    for (const sort of ['id', 'username', 'last_login_at']) {
      const first = (await admin.get(`/api/users?q=zoë&limit=2&sort=${sort}`)).body as Paginated<User>
      const query = `/api/users?q=zoë&limit=2&sort=${sort}&cursor=`
      const second = (await admin.get(query + first.nextCursor)).body as Paginated<User>
      expect([first.total, first.result.length, second.result.length]).toEqual([3, 2, 1])
      const back = (await admin.get(query + second.prevCursor)).body as Paginated<User>
      expect(back.result).toEqual(first.result)
    }
  })
})

describe('a change', () => {
  test('keeps what it leaves out, and loses nothing of somebody else', async () => {
    const user = person('viewer', { display_name: 'Old', email: 'old@example.com' })
    const before = await admin.get(path(user))
    const etag = before.headers.get('etag')!
    const first = await admin.put(path(user), { display_name: 'New' }, { headers: { 'if-match': etag } })
    expect(first).toMatchObject({
      status: 200,
      body: { display_name: 'New', email: 'old@example.com', role: 'viewer' },
    })
    const late = await admin.put(path(user), { email: null }, { headers: { 'if-match': etag } })
    expect(late).toMatchObject({ status: 409, body: { error: 'CONFLICT' } })
    const again = { headers: { 'if-match': first.headers.get('etag')! } }
    expect(await admin.put(path(user), { email: null }, again)).toMatchObject({ status: 200, body: { email: null } })
    expect((await list('q=old@example')).length).toBe(0)
  })

  test('of the name keeps it one for all, and lets its owner spell it otherwise', async () => {
    const [user, other] = [person(), person()]
    expect((await admin.put(path(user), { username: other.username.toUpperCase() })).status).toBe(409)
    const upper = user.username.toUpperCase()
    expect((await admin.put(path(user), { username: upper })).body).toMatchObject({ username: upper })
  })

  test('that is refused changes nothing', async () => {
    const user = person('viewer', { email: 'same@example.com' })
    const answer = await admin.put(path(user), { email: 'x@example.com', role: 'admin' })
    expect(answer).toMatchObject({ status: 400, body: { details: [{ path: 'body.role' }] } })
    expect((await admin.get(path(user))).body).toEqual(await presented(user.id))
    expect(await presented(user.id)).toMatchObject({ email: 'same@example.com', role: 'viewer', updated_at: null })
  })
})
const presented = async (id: number) => (await superadmin.get(`/api/users/${id}`)).body

describe('nobody', () => {
  test.each(['viewer', 'editor'] as const)('of the role %s sees or makes users', async (role) => {
    const client = server.as(role)
    expect((await client.get('/api/users')).status).toBe(403)
    expect((await client.post('/api/users', { username: newName(), password, role: 'viewer' })).status).toBe(403)
    expect((await client.put(path(await own(client)), { role: 'admin' })).status).toBe(403)
  })

  test.each(['admin', 'superadmin'] as const)('changes his own role, not even a %s', async (role) => {
    const client = server.as(role)
    const me = await own(client)
    for (const other of roles.filter((one) => one !== role))
      expect(await client.put(path(me), { role: other })).toMatchObject({
        status: 400,
        body: { error: 'INVALID_STATE' },
      })
    expect((await client.put(path(me), { disabled: true })).body).toMatchObject({ error: 'INVALID_STATE' })
    expect((await client.delete(path(me))).body).toMatchObject({ error: 'INVALID_STATE' })
    expect((await client.post(`${path(me)}/reset-totp`)).status).toBe(403)
    expect(await client.put(path(me), { password })).toMatchObject({ body: { details: [{ path: 'body.password' }] } })
    expect((await client.put(path(me), { display_name: 'Me', role })).status).toBe(200)
    expect(await own(client)).toMatchObject({ role, disabled: false, display_name: 'Me' })
  })

  test('changes users of his own role or above, unless he is a superadmin; he may look at them', async () => {
    for (const role of ['admin', 'superadmin'] as const) {
      const user = person(role)
      const before = await presented(user.id)
      expect((await admin.get(path(user))).status).toBe(200)
      const tries = [
        admin.put(path(user), { display_name: 'X' }),
        admin.put(path(user), { password }),
        admin.delete(path(user)),
        admin.post(`${path(user)}/reset-totp`),
      ]
      for (const { status } of await Promise.all(tries)) expect(status).toBe(403)
      expect(await presented(user.id)).toEqual(before)
      expect((await superadmin.put(path(user), { display_name: 'X' })).status).toBe(200)
    }
  })

  test('gets more through a key than the key has', async () => {
    const user = person('superadmin')
    const maker = {
      kind: 'session',
      user_id: user.id,
      username: user.username,
      role: user.role,
      scopes: [],
      pending: false,
    } as const
    const { key } = server.services.apiKeys.create({ name: 'k', role: 'admin' }, { ...maker, scopes: [] })
    const client = server.client.with({ authorization: `Bearer ${key}` })
    expect((await client.put(path(person('admin')), { display_name: 'X' })).status).toBe(403)
    const body = { username: newName(), password, role: 'admin' }
    expect((await client.post('/api/users', body)).body).toMatchObject({ details: [{ path: 'body.role' }] })
  })
})

describe('at once', () => {
  test('a demotion takes effect on keys, and on streams that are open', async () => {
    const user = person('editor')
    const client = keyOf(user)
    const stream = await openSse(`${server.url}/api/events`, client.headers)
    expect((await client.post('/api/tasks', {})).status).toBe(400)
    await admin.put(path(user), { role: 'viewer' })
    await stream.ended
    expect((await client.post('/api/tasks', {})).status).toBe(403)
    expect((await client.get('/api/tasks')).status).toBe(200)
  })

  test('whoever is disabled is nobody: sessions end, keys sleep, streams close', async () => {
    const username = newName()
    const { body } = await superadmin.post('/api/users', {
      username,
      password,
      role: 'viewer',
      password_change_required: false,
    })
    const user = body as User
    const session = server.client.with({ cookie: cookieOf(await signIn(username)) })
    const client = keyOf(user)
    const streams = [session, client].map(({ headers }) => openSse(`${server.url}/api/events`, headers))
    await admin.put(path(user), { disabled: true })
    for (const stream of streams) await (await stream).ended
    expect([(await session.get('/api/users/me')).status, (await client.get('/api/users/me')).status]).toEqual([
      401, 401,
    ])
    expect((await signIn(username)).status).toBe(401)
    await admin.put(path(user), { disabled: false })
    expect([(await session.get('/api/users/me')).status, (await client.get('/api/users/me')).status]).toEqual([
      401, 200,
    ])

    // A password that somebody else gives ends sessions, too, and is to be changed.
    const again = server.client.with({ cookie: cookieOf(await signIn(username)) })
    const given = 'another horse battery staple'
    expect((await admin.put(path(user), { password: given })).body).toMatchObject({ password_change_required: true })
    expect((await again.get('/api/users/me')).status).toBe(401)
    expect((await signIn(username)).status).toBe(401)
    expect((await signIn(username, given)).body).toMatchObject({ password_change_required: true })
    expect((await admin.put(path(user), { password: username })).body).toMatchObject({
      details: [{ path: 'body.password' }],
    })
  })

  test('what he waits for is called off', async () => {
    const executor = await fakeExecutor(server)
    const body = { name: newName(), type: 'file', config: { root: '/tmp' } }
    const { id } = (await admin.post('/api/connectors', body)).body as { id: number }
    const user = person('editor')
    const waiting = keyOf(user).post(`/api/connectors/${id}/test`)
    const { calls } = await executor.claim({ slots: 0, wait_ms: 20_000 })
    await admin.put(path(user), { disabled: true })
    expect(await waiting).toMatchObject({ status: 401, body: { error: 'AUTH_ERROR' } })
    expect((await executor.claim({ slots: 0 })).cancel_calls).toEqual([calls[0]!.call_id])
  })

  test('whoever is removed is gone with sessions and keys; what he made keeps his name, which is free again', async () => {
    const user = person('editor', { email: 'gone@example.com' })
    const client = keyOf(user)
    const yaml_content = `etl: 1
kind: pipeline
name: of_the_gone
connectors: {out: {type: file, access: write}}
source: {inline: {rows: [{a: 1}]}}
target: {connector: out, file: {path: out.csv}}
`
    const task = (await client.post('/api/tasks', { yaml_content })).body as { id: number }
    const stream = await openSse(`${server.url}/api/events`, client.headers)
    expect((await admin.delete(path(user))).body).toEqual({ success: true })
    await stream.ended
    expect((await client.get('/api/tasks')).status).toBe(401)
    for (const answer of [
      await admin.get(path(user)),
      await admin.put(path(user), { disabled: false }),
      await admin.delete(path(user)),
      await admin.post(`${path(user)}/reset-totp`),
    ])
      expect(answer.status).toBe(404)
    expect(await list(`q=${user.username}`)).toEqual([])
    const versions = (await admin.get(`/api/tasks/${task.id}/versions`)).body as { result: unknown[] }
    expect(versions.result).toMatchObject([{ created_by: user.id, created_by_name: user.username }])
    const keys = (await admin.get(`/api/api-keys?user_id=${user.id}`)).body as { result: unknown[] }
    expect(keys.result).toMatchObject([{ username: user.username, revoked_at: expect.any(String) as unknown }])
    const next = person('viewer', { username: user.username })
    expect(next.id).not.toBe(user.id)
    expect((await signIn(`\u0000${user.id}`)).status).toBe(401)
  })
})

test('removing a second factor ends the sessions of its owner', async () => {
  const user = person()
  server.platform.store.sqlite.prepare("UPDATE users SET totp_enabled = 1, totp_sealed = 'x' WHERE id = ?").run(user.id)
  expect(await presented(user.id)).toMatchObject({ totp_enabled: true })
  expect((await admin.post(`${path(user)}/reset-totp`)).body).toEqual({ success: true })
  expect(await presented(user.id)).toMatchObject({ totp_enabled: false })
})

test('one’s own account: what may be changed, and no more', async () => {
  const client = server.as('viewer')
  const before = await client.get('/api/users/me')
  const changed = await client.put('/api/users/me', { display_name: ' Vi ', email: 'vi@example.com' })
  expect(changed).toMatchObject({ status: 200, body: { display_name: 'Vi', email: 'vi@example.com' } })
  expect((await client.put('/api/users/me', { role: 'superadmin' })).body).toMatchObject({
    details: [{ path: 'body.role' }],
  })
  const stale = { headers: { 'if-match': before.headers.get('etag')! } }
  expect((await client.put('/api/users/me', { email: null }, stale)).status).toBe(409)
  expect(await own(client)).toEqual(changed.body)
})

describe('the last superadmin that is enabled', () => {
  test('stays, also when all demote each other at the same moment', async () => {
    const alone = await startTestServer()
    try {
      const clients = [0, 1, 2, 3].map(() => alone.as('superadmin'))
      const ids = await Promise.all(clients.map(async (client) => (await own(client)).id))
      const wishes = [{ role: 'viewer' }, { disabled: true }, { role: 'admin' }]
      const all = clients.flatMap((client, at) =>
        ids.flatMap((id, of) => (of === at ? [] : [client.put(`/api/users/${id}`, wishes[(at + of) % 3])])),
      )
      const removals = clients.map((client, at) => client.delete(`/api/users/${ids[(at + 1) % 4]}`))
      for (const { status } of await Promise.all([...all, ...removals]))
        expect([200, 400, 401, 403, 404]).toContain(status)
      const left = alone.platform.store.sqlite
        .prepare<[], { n: number }>("SELECT count(*) AS n FROM users WHERE role = 'superadmin' AND disabled = 0")
        .get()
      expect(left?.n).toBe(1)
    } finally {
      await alone.close()
    }
  })
})

test('whoever was disabled while his request was on its way does nothing more', async () => {
  const [user, target] = [person('superadmin'), person()]
  const caller = {
    kind: 'session',
    user_id: user.id,
    username: user.username,
    role: 'superadmin',
    pending: false,
  } as const
  await superadmin.put(path(user), { disabled: true })
  expect(() => server.services.userAdmin.remove(target.id, { ...caller, scopes: [] })).toThrow('Not authenticated')
  await superadmin.put(path(user), { disabled: false, role: 'viewer' })
  expect(() => server.services.userAdmin.remove(target.id, { ...caller, scopes: [] })).toThrow('not yours to change')
  expect((await admin.get(path(target))).status).toBe(200)
})
