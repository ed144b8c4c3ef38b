/** What each setting that is said to hold at once does, seen from outside and without a restart. */
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SettingKey, settingKeys, settings } from '../../../src/server/platform/config.settings.ts'
import { createLogger } from '../../../src/server/platform/logger.ts'
import { systemClock } from '../../../src/server/platform/clock.ts'
import { type TestClient, type TestServer, startTestServer } from '../../support/server.ts'
import { cookieOf } from '../../support/sign-in.ts'

let server: TestServer
let admin: TestClient
const account = { username: 'ada', password: 'three wet horses 42' }
beforeAll(async () => {
  server = await startTestServer()
  expect((await server.client.post('/api/auth/bootstrap', account)).status).toBeLessThan(300)
  admin = server.as('superadmin')
})
afterAll(() => server.close())

async function set(values: Partial<Record<SettingKey, unknown>>): Promise<void> {
  const { status, body } = await admin.put('/api/server/config', { values })
  expect({ status, body }).toMatchObject({ status: 200, body: { restart_pending: false } })
}
const status = async () => (await server.client.get('/api/auth/status')).body as Record<string, unknown>
const signIn = () => server.client.post('/api/auth/login', account)

test('auth.totp_required', async () => {
  await set({ 'auth.totp_required': true })
  expect(await status()).toMatchObject({ totp_required: true })
  expect((await signIn()).body).toMatchObject({ authenticated: false })
  await set({ 'auth.totp_required': false })
  expect((await signIn()).body).toMatchObject({ authenticated: true })
  expect(await status()).toMatchObject({ totp_required: false })
})

test('auth.desktop_sign_in', async () => {
  await set({ 'auth.desktop_sign_in': false })
  expect(server.services.auth.makeLaunchToken()).toBeNull()
  await set({ 'auth.desktop_sign_in': true })
  expect(server.services.auth.makeLaunchToken()).not.toBeNull()
})

test('auth.session_max_days, for sessions that begin then', async () => {
  await set({ 'auth.session_max_days': 2 })
  const answer = await signIn()
  expect(answer.headers.get('set-cookie')).toContain(`Max-Age=${2 * 86_400}`)
})

test('auth.session_idle_hours, for sessions that exist', async () => {
  const cookie = cookieOf(await signIn())
  const me = () => server.client.get('/api/auth/me', { headers: { cookie } })
  expect((await me()).status).toBe(200)
  const { clock } = server.platform
  const now = clock.now
  // Three hours from now.
  Object.assign(clock, { now: () => new Date(Date.now() + 3 * 3_600_000) })
  try {
    await set({ 'auth.session_idle_hours': 1 })
    expect((await me()).status).toBe(401)
    await set({ 'auth.session_idle_hours': 12 })
  } finally {
    Object.assign(clock, { now })
  }
})

test('auth.password_min_length', async () => {
  await set({ 'auth.password_min_length': 20 })
  expect(await status()).toMatchObject({ password_min_length: 20 })
  await set({ 'auth.password_min_length': null })
  expect(await status()).toMatchObject({ password_min_length: 8 })
})

test('auth.desktop_lock_minutes', async () => {
  await set({ 'auth.desktop_lock_minutes': 7 })
  const cookie = cookieOf(await signIn())
  expect((await server.client.get('/api/auth/me', { headers: { cookie } })).body).toMatchObject({
    lock_after_minutes: 7,
  })
})

test('server.allowed_hosts', async () => {
  const port = Number(new URL(server.url).port)
  /** Status line of a request for another host, which fetch would not let us send. */
  const asHost = (host: string) =>
    new Promise<string>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.write(`GET /api/health HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
      })
      let text = ''
      socket.on('data', (chunk) => (text += String(chunk)))
      socket.on('end', () => resolve(text.split('\r\n', 1)[0]!))
      socket.on('error', reject)
    })
  expect(await asHost('headgate.example.com')).toContain('421')
  await set({ 'server.allowed_hosts': ['Headgate.example.com'] })
  expect(await asHost('headgate.example.com')).toContain('200')
  await set({ 'server.allowed_hosts': null })
  expect(await asHost('headgate.example.com')).toContain('421')
})

test('limits.requests_per_second and limits.burst', async () => {
  await set({ 'limits.requests_per_second': 1, 'limits.burst': 2 })
  const other = server.as('viewer')
  const answers = await Promise.all(Array.from({ length: 6 }, () => other.get('/api/runs')))
  expect(answers.filter((answer) => answer.status === 429).length).toBeGreaterThanOrEqual(3)
  // The limit holds for whoever lifts it, too.
  server.platform.config.limits.burst = 6_000
  server.platform.config.limits.requestsPerSecond = 2_000
  await set({ 'limits.requests_per_second': null, 'limits.burst': null })
  expect((await server.as('viewer').get('/api/runs')).status).toBe(200)
})

test('ai.api_key', async () => {
  const configured = async () =>
    ((await admin.get('/api/server/info')).body as { ai_configured: boolean }).ai_configured
  expect(await configured()).toBe(false)
  await set({ 'ai.api_key': 'a-key-of-the-provider' })
  expect(await configured()).toBe(true)
  await set({ 'ai.api_key': null })
  expect(await configured()).toBe(false)
})

test('log.level', async () => {
  const lines: string[] = []
  const { config } = server.platform
  const logger = createLogger({ level: () => config.logLevel, clock: systemClock, write: (line) => lines.push(line) })
  const child = logger.child({ part: 'x' })
  await set({ 'log.level': 'warn' })
  child.info({}, 'unheard')
  await set({ 'log.level': 'debug' })
  child.debug({}, 'heard')
  expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual(['heard'])
})

test('backup and retention settings are what their users read', async () => {
  await set({
    'backup.every_hours': 2,
    'backup.keep': 9,
    'backup.folder': '/elsewhere',
    'retention.runs_days': 3,
    'retention.runs_max': 4,
    'retention.logs_days': 5,
    'retention.logs_mb': 6,
    'retention.queries_days': 7,
    'retention.queries_max': 8,
  })
  const day = 86_400_000
  expect(server.platform.config).toMatchObject({
    backup: { everyMs: 7_200_000, keep: 9, folder: '/elsewhere' },
    retention: {
      runsMs: 3 * day,
      runsMax: 4,
      logsMs: 5 * day,
      logBytes: 6 * 1_048_576,
      queriesMs: 7 * day,
      queriesMax: 8,
    },
  })
  await set({ 'backup.folder': null, 'retention.runs_days': null, 'retention.runs_max': null })
  expect(server.platform.config).toMatchObject({ backup: { folder: null }, retention: { runsMax: 0 } })
})

test('what needs a restart says so and holds after it alone', async () => {
  const needing = settingKeys.filter((key) => settings[key].needsRestart)
  expect(needing).toEqual([
    'server.host',
    'server.port',
    'executors.key',
    'executors.local',
    'executors.lease_ms',
    'executors.heartbeat_ms',
  ])
  const { body } = await admin.put('/api/server/config', { values: { 'executors.lease_ms': 30_000 } })
  expect(body).toMatchObject({
    restart_pending: true,
    settings: expect.arrayContaining([
      expect.objectContaining({ key: 'executors.lease_ms', value: 20_000, next_value: 30_000, restart_pending: true }),
    ]),
  })
  expect(server.platform.config.leases.executorMs).toBe(20_000)
})
