import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { codeNets } from '../../../src/server/features/auth/throttle.rules.ts'
import { type TestClock, createTestClock } from '../../support/platform.ts'
import { type TestClient, type TestServer, startTestServer } from '../../support/server.ts'
import { codeAt, enrol, pendingVisitor, visitorAfter, wrongCode } from '../../support/totp.ts'

const account = { username: 'Ada', password: 'correct horse' }
const STEP_MS = 30_000

let server: TestServer
let clock: TestClock
const login = () => server.client.post('/api/auth/login', account)
const pending = () => pendingVisitor(server)
const verify = (client: TestClient, code: string) => client.post('/api/auth/verify-totp', { code })
const code = (secret: string, steps = 0) => codeAt(secret, clock.now(), steps)
const sqlite = () => server.platform.store.sqlite
/** Time enough for codes and failures before to be forgotten. */
const later = () => clock.advance(codeNets.day.windowMs)

describe('enrolment where a second factor is required', () => {
  beforeAll(async () => {
    clock = createTestClock()
    server = await startTestServer({ clock, config: { totpRequired: true } })
  })
  afterAll(() => server.close())

  let first: TestClient
  let secret: string

  test('begins with the first sign-in, which opens nothing else before', async () => {
    const answer = await server.client.post('/api/auth/bootstrap', account)
    expect(answer.body).toMatchObject({ needs_totp_setup: true, requires_totp: false, authenticated: false })
    first = visitorAfter(server, answer)
    expect(await verify(first, '123456')).toMatchObject({ status: 400, body: { error: 'INVALID_STATE' } })
    const setup = await first.post('/api/auth/setup-totp')
    expect(setup).toMatchObject({ status: 200, body: { secret: expect.stringMatching(/^[A-Z2-7]{32}$/) } })
    const body = setup.body as { secret: string; otpauth_url: string; qr_svg: string }
    secret = body.secret
    expect(body.otpauth_url).toBe(`otpauth://totp/Headgate:Ada?secret=${secret}&issuer=Headgate`)
    expect(body.qr_svg).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg"/)
    expect((await first.get('/api/auth/me')).status).toBe(401)
  })

  test('the secret lies in the store only encrypted', () => {
    const row = sqlite().prepare('SELECT totp_sealed, totp_enabled FROM users').get()
    expect(row).toEqual({ totp_sealed: expect.not.stringContaining(secret) as string, totp_enabled: 0 })
    const { totp_sealed } = row as { totp_sealed: string }
    expect(server.platform.secrets.open(totp_sealed, 'user:1:totp')).toBe(secret)
  })

  test('that was left half way can only be restarted, and the sign-in says so', async () => {
    const answer = await login()
    expect(answer.body).toMatchObject({ needs_totp_setup: true, can_restart_totp_setup: true, requires_totp: false })
    const again = visitorAfter(server, answer)
    expect(await again.post('/api/auth/setup-totp')).toMatchObject({ status: 400, body: { error: 'INVALID_STATE' } })
    const restarted = await again.post('/api/auth/restart-totp-setup')
    expect(restarted.status).toBe(200)
    const before = secret
    secret = (restarted.body as { secret: string }).secret
    expect(secret).not.toBe(before)
    expect(await verify(again, code(before))).toMatchObject({ status: 400, body: { error: 'VALIDATION_ERROR' } })
  })

  test('ends with the first code: recovery codes this once, and a new, full session', async () => {
    const answer = await verify(first, code(secret))
    expect(answer).toMatchObject({
      status: 200,
      body: { authenticated: true, password_change_required: false, recovery_codes_left: 10 },
    })
    const { recovery_codes } = answer.body as { recovery_codes: string[] }
    expect(new Set(recovery_codes).size).toBe(10)
    for (const each of recovery_codes) expect(each).toMatch(/^[0-9a-hjkmnp-tv-z]{4}(-[0-9a-hjkmnp-tv-z]{4}){2}$/)
    expect(JSON.stringify(sqlite().prepare('SELECT * FROM recovery_codes').all())).not.toContain(
      recovery_codes[0]!.replaceAll('-', ''),
    )
    const full = visitorAfter(server, answer)
    expect((await full.get('/api/auth/me')).body).toMatchObject({ user: { totp_enabled: true } })
    expect((await first.get('/api/auth/me')).status).toBe(401)
    expect((await verify(first, code(secret, 1))).status).toBe(401)
    expect(await verify(full, code(secret, 1))).toMatchObject({ status: 400, body: { error: 'INVALID_STATE' } })
    for (const path of ['setup-totp', 'restart-totp-setup']) {
      expect(await full.post(`/api/auth/${path}`, { password: account.password })).toMatchObject({
        status: 400,
        body: { error: 'INVALID_STATE' },
      })
    }
  })

  test('afterwards a sign-in asks for a code, and nothing begins anew', async () => {
    const answer = await login()
    expect(answer.body).toEqual({
      requires_totp: true,
      needs_totp_setup: false,
      can_restart_totp_setup: false,
      authenticated: false,
      password_change_required: false,
    })
    const client = visitorAfter(server, answer)
    for (const path of ['setup-totp', 'restart-totp-setup']) {
      expect(await client.post(`/api/auth/${path}`)).toMatchObject({ status: 400, body: { error: 'INVALID_STATE' } })
    }
  })

  test('it cannot be removed while it is required', async () => {
    clock.advance(STEP_MS)
    const full = visitorAfter(server, await verify(pending(), code(secret, 1)))
    const body = { password: account.password, code: code(secret, 1) }
    expect(await full.post('/api/auth/disable-totp', body)).toMatchObject({
      status: 400,
      body: { error: 'INVALID_STATE', message: expect.stringContaining('auth.totp_required') },
    })
  })

  test('an unverified sign-in ends after a quarter of an hour', async () => {
    const client = pending()
    clock.advance(15 * 60_000)
    expect((await verify(client, code(secret))).status).toBe(401)
  })

  test('API keys have no second factor to show', async () => {
    const key = server.as('superadmin')
    for (const path of ['setup-totp', 'restart-totp-setup']) {
      expect((await key.post(`/api/auth/${path}`)).status).toBe(403)
    }
    expect((await verify(key, '123456')).status).toBe(403)
    expect((await key.post('/api/auth/recovery-codes', { password: 'x' })).status).toBe(403)
    expect((await key.post('/api/auth/disable-totp', { password: 'x', code: '123456' })).status).toBe(403)
  })
})

describe('a second factor that nobody asks for', () => {
  let client: TestClient
  let secret: string
  beforeAll(async () => {
    clock = createTestClock()
    server = await startTestServer({ clock })
    client = visitorAfter(server, await server.client.post('/api/auth/bootstrap', account))
  })
  beforeEach(later)
  afterAll(() => server.close())

  test('is enrolled with the password, and the session is replaced', async () => {
    client = visitorAfter(server, await login())
    expect(await client.post('/api/auth/setup-totp')).toMatchObject({
      status: 400,
      body: { details: [{ path: 'body.password' }] },
    })
    expect(await client.post('/api/auth/setup-totp', { password: 'wrong' })).toMatchObject({
      status: 400,
      body: { details: [{ path: 'request' }, { path: 'body.password', message: 'is incorrect' }] },
    })
    const before = client
    const enrolled = await enrol(server, client, account.password)
    secret = enrolled.secret
    client = enrolled.client
    expect((await before.get('/api/auth/me')).status).toBe(401)
    expect((await client.get('/api/auth/me')).body).toMatchObject({ user: { totp_enabled: true } })
  })

  test('as auth.totp_required is false, the sign-in gives a full session at once', async () => {
    expect((await login()).body).toEqual({
      requires_totp: false,
      needs_totp_setup: false,
      can_restart_totp_setup: false,
      authenticated: true,
      password_change_required: false,
    })
  })

  test('is removed with password and code, and recovery codes with it', async () => {
    client = visitorAfter(server, await login())
    const remove = (body: object) => client.post('/api/auth/disable-totp', body)
    const { password } = account
    expect((await remove({ password: 'wrong', code: code(secret) })).status).toBe(400)
    expect((await remove({ password, code: wrongCode(secret, clock.now()) })).status).toBe(400)
    expect((await remove({ password, code: code(secret) })).status).toBe(200)
    expect(await remove({ password, code: code(secret, 1) })).toMatchObject({ body: { error: 'INVALID_STATE' } })
    expect(await client.post('/api/auth/recovery-codes', { password })).toMatchObject({
      status: 400,
      body: { error: 'INVALID_STATE' },
    })
    expect(sqlite().prepare('SELECT totp_sealed, totp_last_step, totp_enabled FROM users').get()).toEqual({
      totp_sealed: null,
      totp_last_step: null,
      totp_enabled: 0,
    })
    expect(sqlite().prepare('SELECT count(*) AS n FROM recovery_codes').get()).toEqual({ n: 0 })
    expect(await client.post('/api/auth/restart-totp-setup', { password })).toMatchObject({
      status: 400,
      body: { error: 'INVALID_STATE' },
    })
  })

  test('names that mean something in addresses stand in the QR code as they are', async () => {
    sqlite().exec(`UPDATE users SET username = 'a:b?c&d=é 😀 ' || printf('%.*c', 150, 'x')`)
    client = visitorAfter(server, await server.client.post('/api/auth/login', { ...account, username: 'ada' }))
    const setup = await client.post('/api/auth/setup-totp', { password: account.password })
    const url = new URL((setup.body as { otpauth_url: string }).otpauth_url)
    expect(decodeURIComponent(url.pathname)).toMatch(/^\/?\/?(totp\/)?Headgate:a b\?c&d=é 😀 x+$/)
  })
})

describe('when the key that secrets are encrypted with is gone', () => {
  let secret: string
  let recoveryCodes: string[]
  beforeAll(async () => {
    clock = createTestClock()
    server = await startTestServer({ clock, config: { totpRequired: true } })
    const first = visitorAfter(server, await server.client.post('/api/auth/bootstrap', account))
    ;({ secret, recoveryCodes } = await enrol(server, first))
    // Sealed for somebody else: as unreadable as with another key.
    sqlite().prepare('UPDATE users SET totp_sealed = ?').run(server.platform.secrets.seal(secret, 'user:2:totp'))
  })
  afterAll(() => server.close())

  test('a code of the app is told what to do, and does not count as a guess', async () => {
    clock.advance(STEP_MS)
    const client = pending()
    for (let i = 0; i <= codeNets.account.limit; i++) {
      expect(await verify(client, code(secret))).toMatchObject({
        status: 400,
        body: { error: 'INVALID_STATE', message: expect.stringContaining('Use a recovery code, or ask an admin') },
      })
    }
    expect(await client.post('/api/auth/setup-totp')).toMatchObject({ status: 400, body: { error: 'INVALID_STATE' } })
  })

  test('a recovery code gets in, and whoever is in enrols anew with his password', async () => {
    const full = visitorAfter(server, await verify(pending(), recoveryCodes[0]!))
    expect((await full.get('/api/auth/me')).status).toBe(200)
    expect((await full.post('/api/auth/setup-totp')).status).toBe(400)
    const enrolled = await enrol(server, full, account.password)
    clock.advance(STEP_MS)
    expect((await verify(pending(), code(enrolled.secret))).status).toBe(200)
    expect((await verify(pending(), recoveryCodes[1]!)).status).toBe(400)
  })
})
