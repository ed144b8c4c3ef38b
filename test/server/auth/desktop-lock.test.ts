import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type TestClock, createTestClock } from '../../support/platform.ts'
import { restartTestServer } from '../../support/restart.ts'
import { type Answer, type TestClient, type TestServer, startTestServer } from '../../support/server.ts'
import { codeAt, enrol, visitor, visitorAfter } from '../../support/totp.ts'

const ada = { username: 'ada', password: 'correct horse' }
const MINUTE = 60_000
let server: TestServer
let clock: TestClock
/** Costly: made once. */
let passwordHash: string | undefined

async function start(config: Parameters<typeof startTestServer>[0] = {}): Promise<void> {
  clock = createTestClock()
  server = await startTestServer({ clock, ...config })
  passwordHash ??= await server.services.auth.hash(ada.password)
  server.services.users.createFirst({ username: ada.username, passwordHash })
}
beforeEach(() => start())
afterEach(() => server.close())

const launch = () => server.client.post('/api/auth/launch', { token: server.services.auth.makeLaunchToken() })
const login = (body = ada) => server.client.post('/api/auth/login', body)
const status = async () => (await server.client.get('/api/auth/status')).body as { desktop_locked: boolean }
const isLocked = async () => (await status()).desktop_locked
const lock = (client: TestClient) => client.post('/api/auth/lock')
const window = async () => visitorAfter(server, await launch())
const isIn = async (client: TestClient) => (await client.get('/api/auth/me')).status === 200
const LOCKED = {
  status: 401,
  body: { details: [{ message: 'The desktop app is locked. Sign in with your password.' }] },
}

describe('locking', () => {
  test('ends the session and its streams, takes the cookie, and launch tokens open nothing, not after a restart either', async () => {
    const client = await window()
    const stream = await fetch(new URL('/api/events', server.url), { headers: client.headers })
    const answer = await lock(client)
    expect(answer).toMatchObject({ status: 200, body: { success: true } })
    expect(answer.headers.get('set-cookie')).toMatch(/^svc_session=; Max-Age=0;/)
    await stream.text()
    expect([await isIn(client), await isLocked()]).toEqual([false, true])
    expect(await launch()).toMatchObject(LOCKED)
    server = await restartTestServer(server, { clock })
    expect(await isLocked()).toBe(true)
    expect(await launch()).toMatchObject(LOCKED)
    expect((await login({ ...ada, password: 'wrong' })).status).toBe(401)
    expect(await isLocked()).toBe(true)
    expect((await login()).status).toBe(200)
    expect(await isLocked()).toBe(false)
    expect((await launch()).status).toBe(200)
  })

  test('ends whatever else the window has open', async () => {
    const [here, there, browser] = [await window(), await window(), visitorAfter(server, await login())]
    expect((await lock(here)).status).toBe(200)
    expect([await isIn(there), await isIn(browser)]).toEqual([false, true])
  })

  test('works again in a window that a password has unlocked', async () => {
    await lock(await window())
    const unlocked = visitorAfter(server, await login())
    expect((await lock(unlocked)).status).toBe(200)
    expect(await launch()).toMatchObject(LOCKED)
  })

  test('an editor’s password opens his own session, never the superadmin’s desktop', async () => {
    const { auth, users } = server.services
    const bob = { username: 'bob', password: 'battery staple' }
    users.create({ username: bob.username, role: 'editor', passwordHash: await auth.hash(bob.password) })
    const before = visitorAfter(server, await login(bob))
    expect(await lock(before)).toMatchObject({ status: 400, body: { error: 'INVALID_STATE' } })
    await lock(await window())
    const client = visitorAfter(server, await login(bob))
    expect([await isIn(client), await isLocked()]).toEqual([true, true])
    expect(await launch()).toMatchObject(LOCKED)
    // Where the desktop is locked anyway, he leaves it so.
    expect((await lock(client)).status).toBe(200)
    expect([await isIn(client), await isLocked()]).toEqual([false, true])
  })

  test('a superadmin who signs in from elsewhere leaves the desktop locked', async () => {
    await lock(await window())
    const from = { address: '192.168.1.9', userAgent: null, cookie: undefined }
    await server.services.auth.login(ada, from)
    expect(await isLocked()).toBe(true)
  })

  test('an account that has no password cannot be locked out, and an API key locks nothing', async () => {
    server.platform.store.sqlite.exec('UPDATE users SET password_hash = NULL')
    const client = await window()
    expect(await lock(client)).toMatchObject({
      status: 400,
      body: { error: 'INVALID_STATE', message: expect.stringContaining('has no password') },
    })
    expect([await isIn(client), await isLocked()]).toEqual([true, false])
    expect(await lock(server.as('superadmin'))).toMatchObject({ status: 400, body: { error: 'INVALID_STATE' } })
  })
})

describe('with two factors', () => {
  test('the password alone does not unlock; the code does', async () => {
    await server.close()
    await start({ config: { totpRequired: true } })
    const { secret } = await enrol(server, visitorAfter(server, await login()))
    await lock(await window())
    clock.advance(MINUTE)
    const pending = visitorAfter(server, await login())
    expect([await isLocked(), (await launch()).status]).toEqual([true, 401])
    const answer: Answer = await pending.post('/api/auth/verify-totp', { code: codeAt(secret, clock.now()) })
    expect([answer.status, await isLocked()]).toEqual([200, false])
  })
})

describe('left alone for longer than the setting says', () => {
  beforeEach(async () => {
    await server.close()
    await start({ config: { desktopLockMinutes: 5 } })
  })

  test('the window is out, and the desktop is locked', async () => {
    const client = await window()
    expect((await client.get('/api/auth/me')).body).toMatchObject({ lock_after_minutes: 5 })
    clock.advance(5 * MINUTE - 1)
    expect([await isLocked(), await isIn(client)]).toEqual([false, true])
    clock.advance(5 * MINUTE - 1)
    expect(await isIn(client)).toBe(true)
    clock.advance(5 * MINUTE)
    expect([await isLocked(), await isIn(client)]).toEqual([true, false])
    expect(await launch()).toMatchObject(LOCKED)
  })

  test('it stays locked when the server has tidied up, was ended, or the setting is taken back', async () => {
    await window()
    clock.advance(5 * MINUTE)
    server.services.sessions.flush()
    server = await restartTestServer(server, { clock })
    expect(server.platform.config.desktopLockMinutes).toBe(0)
    expect(await isLocked()).toBe(true)
    expect(await launch()).toMatchObject(LOCKED)
    await login()
    expect(await isLocked()).toBe(false)
  })

  test('the one that unlocked it is bound in the same way; a browser is not', async () => {
    await lock(await window())
    const unlocked = visitorAfter(server, await login())
    const browser = visitorAfter(server, await login())
    clock.advance(5 * MINUTE)
    expect([await isIn(unlocked), await isIn(browser), await isLocked()]).toEqual([false, true, true])
  })

  test('a window that is forgotten while another is used locks nothing', async () => {
    await window()
    const used = await window()
    for (let i = 0; i < 3; i++) {
      clock.advance(4 * MINUTE)
      expect(await isIn(used)).toBe(true)
      server.services.sessions.flush()
    }
    expect(await isLocked()).toBe(false)
  })

  test('an open stream counts as use: the window itself knows whether somebody is there', async () => {
    const client = await window()
    const me = (await client.get('/api/auth/me')).body as { session_id: number }
    for (let i = 0; i < 3; i++) {
      clock.advance(4 * MINUTE)
      // What a stream asks at each heartbeat.
      expect(server.services.sessions.isAlive(me.session_id)).toBe(true)
    }
    expect([await isIn(client), await isLocked()]).toEqual([true, false])
  })

  test('signing out locks nothing', async () => {
    const client = await window()
    await client.post('/api/auth/logout')
    clock.advance(10 * MINUTE)
    expect(await isLocked()).toBe(false)
  })
})

test('the session of a launch that somebody else planted is of no use to him', async () => {
  const planted = await window()
  const answer = await server.client.post('/api/auth/login', ada, {
    headers: { cookie: planted.headers['cookie']!, origin: server.url },
  })
  expect(await isIn(planted)).toBe(false)
  expect(await isIn(visitor(server, answer.headers.get('set-cookie')!.split(';', 1)[0]!))).toBe(true)
})
