import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApp } from '../../../src/server/app.ts'
import { passwordCost } from '../../../src/server/features/auth/passwords.ts'
import { type TestClock, createTestClock, openTestPlatform } from '../../support/platform.ts'
import { type TestServer, startTestServer } from '../../support/server.ts'
import { cookieOf, signIn } from '../../support/sign-in.ts'

const account = { username: 'Ada', password: 'correct horse' }
const statusesOf = (answers: { status: number }[]) => answers.map(({ status }) => status)

describe('the first account', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer({ passwordCost })
  })
  afterAll(() => server.close())

  test('a fresh store says that it needs one', async () => {
    expect((await server.client.get('/api/auth/status')).body).toEqual({
      needs_bootstrap: true,
      totp_required: false,
      desktop_sign_in: true,
      desktop_locked: false,
      password_min_length: 8,
    })
  })

  test.each([
    [{ username: 'ada', password: 'short' }, 'body.password', 'must have at least 8 characters'],
    [{ username: '   ', password: 'long enough' }, 'body.username', 'must not be empty'],
    [{ username: 'a\u0000da', password: 'long enough' }, 'body.username', 'must not contain control characters'],
    [{ username: 'ada', password: 'Password1' }, 'body.password', expect.stringContaining('common passwords')],
    [{ username: 'Ada Lovelace', password: 'ADA lovelace' }, 'body.password', 'must not be the username'],
  ])('%j is refused', async (body, path, message) => {
    expect(await server.client.post('/api/auth/bootstrap', body)).toMatchObject({
      status: 400,
      body: { details: [{ path, message }] },
    })
  })

  test('of many that try at once exactly one becomes the superadmin', async () => {
    const attempts = Array.from({ length: 5 }, (_, i) =>
      server.client.post('/api/auth/bootstrap', { ...account, username: i === 0 ? account.username : `other-${i}` }),
    )
    const statuses = statusesOf(await Promise.all(attempts))
    expect(statuses.toSorted((a, b) => a - b)).toEqual([201, 409, 409, 409, 409])
    expect(server.platform.store.sqlite.prepare('SELECT role FROM users').all()).toEqual([{ role: 'superadmin' }])
    expect(server.platform.store.sqlite.prepare('SELECT password_hash FROM users').get()).toEqual({
      password_hash: expect.stringMatching(/^\$argon2id\$v=19\$m=65536,t=3,p=1\$/),
    })
  })
})

describe('sessions', () => {
  let server: TestServer
  let clock: TestClock
  beforeAll(async () => {
    clock = createTestClock()
    server = await startTestServer({ clock })
    await server.client.post('/api/auth/bootstrap', account)
  })
  afterAll(() => server.close())
  const me = (cookie: string) => server.client.get('/api/auth/me', { headers: { cookie } })
  const sameOrigin = (cookie: string) => ({ cookie, origin: server.url })

  test('the right password gives the seed’s answer and a cookie that scripts and other sites cannot use', async () => {
    const answer = await server.client.post('/api/auth/login', { username: ' ADA ', password: account.password })
    expect(answer).toMatchObject({
      status: 200,
      body: { requires_totp: false, needs_totp_setup: false, can_restart_totp_setup: false, authenticated: true },
    })
    expect(answer.headers.get('set-cookie')).toMatch(
      /^svc_session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict$/,
    )
    expect(await me(cookieOf(answer))).toMatchObject({
      status: 200,
      body: { via: 'session', scopes: [], user: { username: 'Ada', role: 'superadmin', last_login_at: clock.iso() } },
    })
  })

  test('the answer about oneself has no trace of the password', async () => {
    const { cookie } = await signIn(server, account)
    const told = JSON.stringify((await me(cookie)).body)
    expect(told.replace('password_change_required', '')).not.toMatch(/argon2|password|sealed|correct/)
  })

  test('the store has only the hash of a session', async () => {
    const { cookie } = await signIn(server, account)
    const token = cookie.slice('svc_session='.length)
    const stored = JSON.stringify(server.platform.store.sqlite.prepare('SELECT * FROM sessions').all())
    expect(stored).not.toContain(token)
  })

  test('a wrong password and an unknown user get the same answer', async () => {
    const wrong = await server.client.post('/api/auth/login', { ...account, password: 'wrong' })
    const unknown = await server.client.post('/api/auth/login', { username: 'nobody', password: 'wrong' })
    const plain = ({ body, status }: typeof wrong) => ({ ...(body as object), request_id: '', status })
    expect(plain(wrong)).toEqual(plain(unknown))
    expect(wrong).toMatchObject({
      status: 401,
      body: {
        error: 'AUTH_ERROR',
        message: 'Not authenticated',
        details: [{ path: 'request', message: 'The username or password is incorrect.' }],
      },
    })
    expect(wrong.headers.get('set-cookie')).toBeNull()
  })

  test('signing in gives a new session and ends the one that the browser had', async () => {
    const before = await signIn(server, account)
    const after = await signIn(server, account, { cookie: before.cookie, origin: server.url })
    expect(after.cookie).not.toBe(before.cookie)
    expect((await me(before.cookie)).status).toBe(401)
    expect((await me(after.cookie)).status).toBe(200)
  })

  test('signing out ends the session at once and takes the cookie away', async () => {
    const { cookie } = await signIn(server, account)
    const answer = await server.client.post('/api/auth/logout', undefined, { headers: sameOrigin(cookie) })
    expect(answer).toMatchObject({ status: 200, body: { success: true } })
    expect(answer.headers.get('set-cookie')).toMatch(/^svc_session=; Max-Age=0;/)
    expect((await me(cookie)).status).toBe(401)
  })

  test('a session ends when it is idle for 12 hours, and lives on while it is used, but for 30 days at most', async () => {
    const idle = await signIn(server, account)
    const used = await signIn(server, account)
    const hour = 3_600_000
    const useAfter = async (ms: number) => {
      clock.advance(ms)
      return (await me(used.cookie)).status
    }
    expect([await useAfter(6 * hour), await useAfter(6 * hour)]).toEqual([200, 200])
    expect((await me(idle.cookie)).status).toBe(401)
    for (let hours = 12; hours < 30 * 24 - 6; hours += 6) expect(await useAfter(6 * hour)).toBe(200)
    clock.advance(6 * hour)
    expect((await me(used.cookie)).status).toBe(401)
  })

  test('use of a session outlives a restart of the server', async () => {
    const { cookie } = await signIn(server, account)
    clock.advance(11 * 3_600_000)
    expect((await me(cookie)).status).toBe(200)
    server.services.sessions.flush()
    const row = server.platform.store.sqlite.prepare('SELECT max(last_seen_at) AS at FROM sessions').get()
    expect(row).toEqual({ at: clock.iso() })
  })

  test('a disabled user is out at once and cannot come back', async () => {
    const { cookie } = await signIn(server, account)
    server.platform.store.sqlite.exec('UPDATE users SET disabled = 1')
    expect((await me(cookie)).status).toBe(401)
    expect((await server.client.post('/api/auth/login', account)).status).toBe(401)
    server.platform.store.sqlite.exec('UPDATE users SET disabled = 0')
  })

  test.each(['', 'svc_session=', 'svc_session=nonsense', 'other=x; svc_session', 'svc_session=%00'])(
    'the cookie %j is nobody',
    async (cookie) => expect((await me(cookie)).status).toBe(401),
  )
})

describe('with TOTP required', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer({ config: { totpRequired: true } })
  })
  afterAll(() => server.close())

  test('the password alone gives a pending session, which opens nothing but signing out', async () => {
    const first = await server.client.post('/api/auth/bootstrap', account)
    expect(first).toMatchObject({
      status: 201,
      body: { authenticated: false, needs_totp_setup: true, requires_totp: false },
    })
    const { cookie, body } = await signIn(server, account)
    expect(body).toEqual({
      requires_totp: false,
      needs_totp_setup: true,
      can_restart_totp_setup: false,
      authenticated: false,
      password_change_required: false,
    })
    const headers = { cookie, origin: server.url }
    for (const path of ['/api/auth/me', '/api/tasks', '/api/events', '/api/server/info']) {
      expect(await server.client.get(path, { headers })).toMatchObject({ status: 401, body: { error: 'AUTH_ERROR' } })
    }
    expect((await server.client.post('/api/api-keys', { name: 'k' }, { headers })).status).toBe(401)
    expect((await server.client.post('/api/auth/logout', undefined, { headers })).status).toBe(200)
    expect((await server.client.post('/api/auth/logout', undefined, { headers })).status).toBe(401)
  })
})

test('SVC_ADMIN_USERNAME makes the superadmin of an empty store, and never a second one', async () => {
  const firstAdmin = { username: 'root', password: 'from-the-environment' }
  const server = await startTestServer({ config: { firstAdmin } })
  expect((await server.client.get('/api/auth/status')).body).toMatchObject({ needs_bootstrap: false })
  expect((await signIn(server, firstAdmin)).body).toMatchObject({ authenticated: true })
  await server.services.auth.createConfiguredAdmin()
  expect(server.platform.store.sqlite.prepare('SELECT count(*) AS n FROM users').get()).toEqual({ n: 1 })
  await server.close()
})

test('a weak SVC_ADMIN_PASSWORD stops the start and says why', async () => {
  const firstAdmin = { username: 'root', password: 'iloveyou1' }
  const { platform, close } = await openTestPlatform({ config: { firstAdmin } })
  await expect(createApp(platform)).rejects.toThrow('SVC_ADMIN_PASSWORD: is on the list of common passwords')
  close()
})
