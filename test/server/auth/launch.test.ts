import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestClock, createTestClock } from '../../support/platform.ts'
import { type TestServer, startTestServer } from '../../support/server.ts'
import { cookieOf } from '../../support/sign-in.ts'

const account = { username: 'Ada', password: 'correct horse' }

describe('launch tokens of the desktop', () => {
  let server: TestServer
  let clock: TestClock
  beforeAll(async () => {
    clock = createTestClock()
    server = await startTestServer({ clock })
  })
  afterAll(() => server.close())
  const launch = (token: string) => server.client.post('/api/auth/launch', { token })
  const make = () => server.services.auth.makeLaunchToken()!

  test('before there is an account the answer says to make one', async () => {
    expect(await launch(make())).toMatchObject({
      status: 401,
      body: { details: [{ message: 'There is no account yet. Create the first one.' }] },
    })
  })

  test('signs the oldest enabled superadmin in, once', async () => {
    await server.client.post('/api/auth/bootstrap', account)
    const token = make()
    const answer = await launch(token)
    expect(answer).toMatchObject({ status: 200, body: { authenticated: true } })
    const me = await server.client.get('/api/auth/me', { headers: { cookie: cookieOf(answer) } })
    expect(me.body).toMatchObject({ user: { username: 'Ada' }, via: 'session' })
    expect(await launch(token)).toMatchObject({ status: 401, body: { error: 'AUTH_ERROR' } })
  })

  test('is of no use after 30 seconds, and a guessed one never', async () => {
    const token = make()
    clock.advance(30_000)
    expect((await launch(token)).status).toBe(401)
    expect((await launch('guess')).status).toBe(401)
  })

  test('without an enabled superadmin nobody is signed in', async () => {
    server.platform.store.sqlite.exec('UPDATE users SET disabled = 1')
    expect(await launch(make())).toMatchObject({
      status: 401,
      body: { details: [{ message: expect.stringContaining('No superadmin') }] },
    })
    server.platform.store.sqlite.exec('UPDATE users SET disabled = 0')
  })

  test('the setting turns it off', async () => {
    const off = await startTestServer({ config: { desktopSignIn: false } })
    expect(off.services.auth.makeLaunchToken()).toBeNull()
    expect(await off.client.post('/api/auth/launch', { token: 'x' })).toMatchObject({
      status: 401,
      body: { details: [{ message: expect.stringContaining('auth.desktop_sign_in') }] },
    })
    expect((await off.client.get('/api/auth/status')).body).toMatchObject({ desktop_sign_in: false })
    await off.close()
  })

  test('works from this computer only', () => {
    const from = { address: '192.168.1.9', userAgent: null, cookie: undefined }
    expect(() => server.services.auth.launch(make(), from)).toThrow('on this computer only')
  })
})
