import { afterAll, describe, expect, test } from 'vitest'
import type { User } from '../../../src/contract/auth.ts'
import { roles } from '../../../src/contract/roles.ts'
import { fakeExecutor } from '../runs/fake-executor.ts'
import { startTestServer } from '../../support/server.ts'
import { cookieOf } from '../../support/sign-in.ts'
import { openSse } from '../../support/sse.ts'
import { callerOf, newName, own, password, pathOf, startUsersWorld } from './users-world.ts'

const { server, superadmin, admin, person, keyOf, list, presented, signIn } = await startUsersWorld()
afterAll(() => server.close())

describe('nobody', () => {
  test.each(['viewer', 'editor'] as const)('of the role %s sees or makes users', async (role) => {
    const client = server.as(role)
    expect((await client.get('/api/users')).status).toBe(403)
    expect((await client.post('/api/users', { username: newName(), password, role: 'viewer' })).status).toBe(403)
    expect((await client.put(pathOf(await own(client)), { role: 'admin' })).status).toBe(403)
  })

  test.each(['admin', 'superadmin'] as const)('changes his own role, not even a %s', async (role) => {
    const client = server.as(role)
    const me = await own(client)
    for (const other of roles.filter((one) => one !== role))
      expect(await client.put(pathOf(me), { role: other })).toMatchObject({
        status: 400,
        body: { error: 'INVALID_STATE' },
      })
    expect((await client.put(pathOf(me), { disabled: true })).body).toMatchObject({ error: 'INVALID_STATE' })
    expect((await client.delete(pathOf(me))).body).toMatchObject({ error: 'INVALID_STATE' })
    expect((await client.post(`${pathOf(me)}/reset-totp`)).status).toBe(403)
    expect(await client.put(pathOf(me), { password })).toMatchObject({ body: { details: [{ path: 'body.password' }] } })
    expect((await client.put(pathOf(me), { display_name: 'Me', role })).status).toBe(200)
    expect(await own(client)).toMatchObject({ role, disabled: false, display_name: 'Me' })
  })

  test('changes users of his own role or above, unless he is a superadmin; he may look at them', async () => {
    for (const role of ['admin', 'superadmin'] as const) {
      const user = person(role)
      const before = await presented(user.id)
      expect((await admin.get(pathOf(user))).status).toBe(200)
      const tries = [
        admin.put(pathOf(user), { display_name: 'X' }),
        admin.put(pathOf(user), { password }),
        admin.delete(pathOf(user)),
        admin.post(`${pathOf(user)}/reset-totp`),
      ]
      for (const { status } of await Promise.all(tries)) expect(status).toBe(403)
      expect(await presented(user.id)).toEqual(before)
      expect((await superadmin.put(pathOf(user), { display_name: 'X' })).status).toBe(200)
    }
  })

  test('gets more through a key than the key has', async () => {
    const user = person('superadmin')
    const client = keyOf(user, 'admin')
    expect((await client.put(pathOf(person('admin')), { display_name: 'X' })).status).toBe(403)
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
    await admin.put(pathOf(user), { role: 'viewer' })
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
    await admin.put(pathOf(user), { disabled: true })
    for (const stream of streams) await (await stream).ended
    expect([(await session.get('/api/users/me')).status, (await client.get('/api/users/me')).status]).toEqual([
      401, 401,
    ])
    expect((await signIn(username)).status).toBe(401)
    await admin.put(pathOf(user), { disabled: false })
    expect([(await session.get('/api/users/me')).status, (await client.get('/api/users/me')).status]).toEqual([
      401, 200,
    ])

    // A password that somebody else gives ends sessions, too, and is to be changed.
    const again = server.client.with({ cookie: cookieOf(await signIn(username)) })
    const given = 'another horse battery staple'
    expect((await admin.put(pathOf(user), { password: given })).body).toMatchObject({ password_change_required: true })
    expect((await again.get('/api/users/me')).status).toBe(401)
    expect((await signIn(username)).status).toBe(401)
    expect((await signIn(username, given)).body).toMatchObject({ password_change_required: true })
    expect((await admin.put(pathOf(user), { password: username })).body).toMatchObject({
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
    await admin.put(pathOf(user), { disabled: true })
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
    expect((await admin.delete(pathOf(user))).body).toEqual({ success: true })
    await stream.ended
    expect((await client.get('/api/tasks')).status).toBe(401)
    for (const answer of [
      await admin.get(pathOf(user)),
      await admin.put(pathOf(user), { disabled: false }),
      await admin.delete(pathOf(user)),
      await admin.post(`${pathOf(user)}/reset-totp`),
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
  const body = { username: newName(), password, role: 'viewer', password_change_required: false }
  const user = (await superadmin.post('/api/users', body)).body as User
  const session = server.client.with({ cookie: cookieOf(await signIn(user.username)) })
  server.platform.store.sqlite.prepare("UPDATE users SET totp_enabled = 1, totp_sealed = 'x' WHERE id = ?").run(user.id)
  expect(await presented(user.id)).toMatchObject({ totp_enabled: true })
  expect((await session.get('/api/users/me')).status).toBe(200)
  expect((await admin.post(`${pathOf(user)}/reset-totp`)).body).toEqual({ success: true })
  expect(await presented(user.id)).toMatchObject({ totp_enabled: false })
  expect((await session.get('/api/users/me')).status).toBe(401)
})

describe('the last enabled superadmin', () => {
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
  const caller = callerOf(user)
  await superadmin.put(pathOf(user), { disabled: true })
  expect(() => server.services.userAdmin.remove(target.id, caller)).toThrow('Not authenticated')
  await superadmin.put(pathOf(user), { disabled: false, role: 'viewer' })
  expect(() => server.services.userAdmin.remove(target.id, caller)).toThrow('You can’t change users')
  expect((await admin.get(pathOf(target))).status).toBe(200)
})
