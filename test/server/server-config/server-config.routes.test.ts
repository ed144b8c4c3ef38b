import { chmodSync, existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import type { ServerConfig, ServerSetting } from '../../../src/contract/server-config.ts'
import { loadConfig } from '../../../src/server/platform/config.ts'
import { type TestServer, startTestServer } from '../../support/server.ts'

let server: TestServer
afterEach(() => server.close())

const path = '/api/server/config'
const file = () => join(server.dataDir, 'config.yaml')
const text = () => readFileSync(file(), 'utf8')
const admin = () => server.as('admin')
async function read(client = admin()): Promise<{ config: ServerConfig; etag: string }> {
  const { status, body, headers } = await client.get(path)
  expect(status).toBe(200)
  return { config: body as ServerConfig, etag: headers.get('etag')! }
}
const find = (config: ServerConfig, key: string): ServerSetting => config.settings.find((one) => one.key === key)!
const put = (values: Record<string, unknown>, headers: Record<string, string> = {}) =>
  admin().put(path, { values }, { headers })
/** What a server that starts now would hold. */
const startAnew = () =>
  loadConfig({ argv: ['--data-dir', server.dataDir], env: {}, platform: 'linux', home: '/', randomKey: () => 'random' })

test('every setting is shown with what it is, what holds and where that comes from', async () => {
  server = await startTestServer()
  writeFileSync(file(), 'limits: {burst: 77}\n')
  const { config } = await read()
  expect(config).toMatchObject({ file: file(), restart_pending: true, problem: null })
  expect(find(config, 'server.port')).toMatchObject({
    source: 'argument',
    value: 0,
    default: 4717,
    needs_restart: true,
  })
  expect(find(config, 'executors.key')).toMatchObject({ source: 'environment', value: { set: true }, type: 'secret' })
  expect(find(config, 'limits.burst')).toMatchObject({
    source: 'file',
    value: 6000,
    next_value: 77,
    minimum: 1,
    restart_pending: true,
  })
  expect(find(config, 'log.level')).toMatchObject({ source: 'default', options: ['debug', 'info', 'warn', 'error'] })
  expect(find(config, 'ai.api_key')).toMatchObject({ value: { set: false }, default: { set: false }, nullable: true })
  for (const { title, description } of config.settings) expect(title && description).toBeTruthy()
})

test('a change is written to config.yaml for its owner alone; comments and order stay, null takes a setting out', async () => {
  server = await startTestServer()
  writeFileSync(
    file(),
    '# Ours\nlimits: {burst: 50} # few\n\nauth:\n  # as the auditors want\n  totp_required: false # for now\n  session_max_days: 3\n',
  )
  const values = { 'auth.totp_required': true, 'backup.keep': 3, 'limits.burst': null }
  const answer = await server.as('superadmin').put(path, { values })
  expect(answer.status).toBe(200)
  expect(text()).toBe(
    '# Ours\nlimits: {} # few\n\nauth:\n  # as the auditors want\n  totp_required: true # for now\n  session_max_days: 3\nbackup:\n  keep: 3\n',
  )
  expect(statSync(file()).mode & 0o777).toBe(0o600)
  expect(readdirSync(server.dataDir).filter((name) => name.startsWith('config.yaml'))).toEqual(['config.yaml'])
  expect(find(answer.body as ServerConfig, 'limits.burst')).toMatchObject({ value: 6000, source: 'default' })
  expect(await startAnew()).toMatchObject({ totpRequired: true, backup: { keep: 3 }, limits: { burst: 6000 } })
})

test('every mistake of a change is told at its place, and nothing of it is done', async () => {
  server = await startTestServer()
  writeFileSync(file(), 'auth: {totp_required: false}\n')
  const { status, body } = await put({
    'backup.keep': 5,
    'auth.totp_requird': true,
    'server.port': 1,
    'executors.key': 'another-key-of-theirs',
    'limits.burst': '5',
    'retention.logs_days': -1,
    'log.level': 'loud',
    'ai.api_key': 'short',
    'backup.folder': 'relative',
    'server.allowed_hosts': ['fine', 'b d'],
    __proto__x: 1,
  })
  expect(status).toBe(400)
  const { details } = body as { details: { path: string; message: string }[] }
  expect(Object.fromEntries(details.map(({ path: at, message }) => [at, message]))).toEqual({
    'body.values["auth.totp_requird"]': 'is not a setting; did you mean auth.totp_required?',
    'body.values["server.port"]': expect.stringContaining('set by a command-line argument'),
    'body.values["executors.key"]': expect.stringContaining('SVC_EXECUTOR_KEY'),
    'body.values["limits.burst"]': '"5" is not a whole number; give a whole number from 1 to 1000000',
    'body.values["retention.logs_days"]': '-1 is out of range; give a whole number from 0 to 36500',
    'body.values["log.level"]': expect.stringContaining('"loud" is not a level'),
    'body.values["ai.api_key"]': expect.stringMatching(/^is too short; give a text/),
    'body.values["backup.folder"]': expect.stringContaining('is not an absolute path'),
    'body.values["server.allowed_hosts"]': expect.stringContaining('"b d" is not a host name'),
    'body.values["__proto__x"]': expect.stringContaining('is not a setting'),
  })
  expect(text()).toBe('auth: {totp_required: false}\n')
  expect(server.platform.config.backup.keep).toBe(7)
})

test('folders of the server can be changed only by a superadmin, and a refused request changes nothing', async () => {
  server = await startTestServer()
  for (const key of ['backup.folder', 'uploads.folder']) {
    expect(await put({ [key]: join(server.dataDir, 'elsewhere'), 'backup.keep': 3 })).toMatchObject({
      status: 403,
      body: {
        error: 'FORBIDDEN',
        message: expect.stringContaining(key) as string,
        details: [{ path: `body.values["${key}"]`, code: 'setting_superadmin', params: { key } }],
      },
    })
  }
  expect(existsSync(file())).toBe(false)
  expect(server.platform.config.backup).toMatchObject({ keep: 7, folder: null })
  // The same value is no change.
  expect((await put({ 'backup.folder': null, 'backup.keep': 3 })).status).toBe(200)
  const superadmin = server.as('superadmin')
  const folder = join(server.dataDir, 'elsewhere')
  expect((await superadmin.put(path, { values: { 'backup.folder': folder } })).status).toBe(200)
  expect(await put({ 'backup.folder': null })).toMatchObject({ status: 403 })
  expect(server.platform.config.backup).toMatchObject({ keep: 3, folder })
})

test('an admin does not choose how superadmins sign in', async () => {
  server = await startTestServer()
  for (const [key, value] of [
    ['auth.totp_required', true],
    ['auth.desktop_sign_in', false],
    ['auth.desktop_lock_minutes', 5],
  ] as const) {
    expect(await put({ [key]: value })).toMatchObject({
      status: 403,
      body: { details: [{ path: `body.values["${key}"]`, code: 'setting_superadmin', params: { key } }] },
    })
    expect((await server.as('superadmin').put(path, { values: { [key]: value } })).status).toBe(200)
  }
})

test('settings that do not go together are refused where they were asked for', async () => {
  server = await startTestServer()
  expect((await put({ 'executors.lease_ms': 4000 })).body).toMatchObject({
    details: [{ path: 'body.values["executors.lease_ms"]', message: expect.stringContaining('heartbeat_ms') }],
  })
  expect((await put({ 'executors.lease_ms': 4000, 'executors.heartbeat_ms': 2000 })).status).toBe(200)
})

describe('two at once', () => {
  test('whoever read before the other wrote, or before the file was edited by hand, loses nothing and hears 409', async () => {
    server = await startTestServer()
    const { etag } = await read()
    expect((await put({ 'backup.keep': 2 }, { 'if-match': etag })).status).toBe(200)
    expect((await put({ 'backup.keep': 3 }, { 'if-match': etag })).status).toBe(409)
    const second = (await read()).etag
    writeFileSync(file(), `${text()}# by hand\n`)
    expect((await put({ 'backup.keep': 3 }, { 'if-match': second })).status).toBe(409)
    expect(text()).toBe('backup:\n  keep: 2\n# by hand\n')
    expect((await put({ 'backup.keep': 3 }, { 'if-match': (await read()).etag })).status).toBe(200)
    expect(text()).toContain('# by hand')
  })

  test('many changes at the same time all come to stand in the file', async () => {
    server = await startTestServer()
    const client = admin()
    const keys = ['backup.keep', 'limits.burst', 'auth.session_max_days', 'retention.runs_max', 'retention.logs_mb']
    const answers = await Promise.all(keys.map((key, n) => client.put(path, { values: { [key]: n + 10 } })))
    expect(answers.map(({ status }) => status)).toEqual(keys.map(() => 200))
    const { config } = await read()
    expect(keys.map((key) => find(config, key).value)).toEqual(keys.map((_, n) => n + 10))
  })
})

test('a file that was broken by hand is told with line and column; nothing is written, what holds goes on', async () => {
  server = await startTestServer()
  const broken = 'auth:\n  totp_required: maybe\n'
  writeFileSync(file(), broken)
  const { config } = await read()
  expect(config.problem).toMatch(/^config\.yaml:2:18 auth\.totp_required: "maybe" is neither true nor false/)
  const { status, body } = await put({ 'backup.keep': 3 })
  expect(status).toBe(400)
  expect(body).toMatchObject({
    details: [
      { path: 'request', message: expect.stringContaining('line 2, column 18') as string },
      { path: 'config.yaml', line: 2, column: 18 },
    ],
  })
  expect(text()).toBe(broken)
  expect(server.platform.config.backup.keep).toBe(7)
})

test('anchors, which would carry a change elsewhere, are left to their owner', async () => {
  server = await startTestServer()
  writeFileSync(file(), 'limits: {burst: &n 100, requests_per_second: *n}\n')
  const { status, body } = await put({ 'limits.burst': 7 })
  expect({ status, body }).toMatchObject({
    status: 400,
    body: { details: [{ path: 'request' }, { path: 'config.yaml', message: expect.stringContaining('anchors') }] },
  })
  expect(text()).toContain('*n')
})

test('a file that can’t be written changes nothing, and says so', async () => {
  server = await startTestServer()
  // A folder in the place of the temporary file: also root cannot write that.
  writeFileSync(file(), '# ours\n')
  const { mkdirSync, rmSync } = await import('node:fs')
  mkdirSync(join(server.dataDir, 'config.yaml.new'))
  const { status, body } = await put({ 'backup.keep': 3, 'ai.api_key': 'a-secret-of-ours' })
  expect({ status, body }).toMatchObject({
    status: 503,
    body: { message: expect.stringContaining('can’t be written') },
  })
  expect(text()).toBe('# ours\n')
  expect(server.platform.config.backup.keep).toBe(7)
  expect(find((await read()).config, 'ai.api_key').value).toEqual({ set: false })
  rmSync(join(server.dataDir, 'config.yaml.new'), { recursive: true })
  expect((await put({ 'backup.keep': 3 })).status).toBe(200)
})

describe('secrets', () => {
  const canary = 'canary-of-the-ai-provider'

  test('go encrypted to the store, not to the file, and to no answer; they hold at once and after a new start', async () => {
    server = await startTestServer()
    const answer = await put({ 'ai.api_key': canary })
    expect(find(answer.body as ServerConfig, 'ai.api_key')).toMatchObject({ value: { set: true }, source: 'store' })
    expect(JSON.stringify(answer.body)).not.toContain(canary)
    expect(existsSync(file()) && text().includes(canary)).toBe(false)
    expect(server.platform.config.ai.apiKey).toBe(canary)
    server.platform.store.sqlite.pragma('wal_checkpoint(TRUNCATE)')
    expect(readFileSync(server.platform.databaseFile).includes(canary)).toBe(false)
    const { dataDir } = server
    await server.app.close()
    server.platform.close()
    server = await startTestServer({ dataDir })
    expect(server.platform.config.ai.apiKey).toBe(canary)
    const superadmin = server.as('superadmin')
    expect((await superadmin.put(path, { values: { 'ai.api_key': null } })).status).toBe(200)
    expect(server.platform.config.ai.apiKey).toBeNull()
  })

  test('one that stands in the file still works, and moves to the store with the next change', async () => {
    server = await startTestServer()
    writeFileSync(file(), `# keys\nai:\n  # ours\n  api_key: ${canary}\nbackup: {keep: 2}\n`)
    expect((await startAnew()).ai.apiKey).toBe(canary)
    const answer = await put({ 'backup.keep': 3 })
    expect(find(answer.body as ServerConfig, 'ai.api_key')).toMatchObject({ source: 'store', value: { set: true } })
    expect(text()).not.toContain(canary)
    expect(text()).toContain('# ours')
    expect(server.platform.config.ai.apiKey).toBe(canary)
    expect(server.platform.secrets.open(sealed(), 'setting:ai.api_key')).toBe(canary)
  })
  const sealed = () =>
    server.platform.store.sqlite
      .prepare<[], { sealed_value: string }>("SELECT sealed_value FROM setting_secrets WHERE key = 'ai.api_key'")
      .get()!.sealed_value
})

test('who gets the stored AI key is a superadmin’s choice', async () => {
  server = await startTestServer()
  const admin = server.as('admin')
  for (const [key, value] of [
    ['ai.provider', 'mistral'],
    ['ai.base_url', 'https://elsewhere.example/v1'],
  ]) {
    expect(await admin.put(path, { values: { [key!]: value } })).toMatchObject({
      status: 403,
      body: { details: [{ path: `body.values["${key}"]`, code: 'setting_superadmin' }] },
    })
  }
  expect((await admin.put(path, { values: { 'ai.model': 'small' } })).status).toBe(200)
  expect((await server.as('superadmin').put(path, { values: { 'ai.provider': 'mistral' } })).status).toBe(200)
})

test('the file may be a link: what it leads to is written', async () => {
  server = await startTestServer()
  const { symlinkSync, lstatSync } = await import('node:fs')
  const target = join(server.dataDir, 'elsewhere.yaml')
  writeFileSync(target, '# linked\n')
  chmodSync(target, 0o600)
  symlinkSync(target, file())
  expect((await put({ 'backup.keep': 3 })).status).toBe(200)
  expect(lstatSync(file()).isSymbolicLink()).toBe(true)
  expect(readFileSync(target, 'utf8')).toContain('keep: 3')
})

test('editors and below may neither read nor change settings', async () => {
  server = await startTestServer()
  for (const role of ['viewer', 'editor'] as const) {
    expect((await server.as(role).get(path)).status).toBe(403)
    expect((await server.as(role).put(path, { values: {} })).status).toBe(403)
  }
})

test.each(['telemetry.otlp_endpoint', 'telemetry.openlineage_url', 'ai.base_url'])(
  '%s can’t be an address where clouds give out credentials',
  async (key) => {
    server = await startTestServer()
    const { body, status } = await server
      .as('superadmin')
      .put(path, { values: { [key]: 'http://169.254.169.254:4318' } })
    expect(status).toBe(400)
    const details = [{ path: `body.values["${key}"]`, params: { reason: { code: 'web_address_never' } } }]
    expect(body).toMatchObject({ details })
  },
)

describe('the AI key is only sent where it was entered for', () => {
  const again = (...fields: string[]) => ({
    status: 400,
    body: { details: [{ path: 'body.values["ai.api_key"]', code: 'secret_again', params: { fields } }] },
  })
  const key = 'a-key-of-the-provider'
  const change = (values: Record<string, unknown>) => server.as('superadmin').put(path, { values })
  const elsewhere = 'https://elsewhere.example/v1'

  test.each([
    ['another provider', { 'ai.provider': 'mistral' }, ['ai.provider']],
    ['another server', { 'ai.base_url': elsewhere }, ['ai.base_url']],
    ['another port', { 'ai.base_url': 'https://api.openai.com:8443/v1' }, ['ai.base_url']],
    ['no TLS', { 'ai.base_url': 'http://api.openai.com/v1' }, ['ai.base_url']],
    ['both', { 'ai.provider': 'compatible', 'ai.base_url': elsewhere }, ['ai.provider', 'ai.base_url']],
    ['no address at all', { 'ai.provider': 'compatible' }, ['ai.provider']],
  ])('%s takes it again', async (_, values, fields) => {
    server = await startTestServer()
    expect((await change({ 'ai.api_key': key })).status).toBe(200)
    expect(await change(values)).toMatchObject(again(...fields))
    expect(server.platform.config.ai).toMatchObject({ provider: 'openai', baseUrl: null, apiKey: key })
    expect((await change({ ...values, 'ai.api_key': 'another-key-of-ours' })).status).toBe(200)
    expect(server.platform.config.ai.apiKey).toBe('another-key-of-ours')
  })

  test('another path, the default written out, and a key that is removed take nothing', async () => {
    server = await startTestServer()
    await change({ 'ai.api_key': key })
    expect((await change({ 'ai.base_url': 'https://api.openai.com:443/v2' })).status).toBe(200)
    expect((await change({ 'ai.provider': 'compatible' })).status).toBe(200)
    expect((await change({ 'ai.base_url': elsewhere, 'ai.api_key': null })).status).toBe(200)
    expect((await change({ 'ai.provider': 'mistral', 'ai.base_url': null })).status).toBe(200)
  })

  test('a key of config.yaml and a default that is put back count, too', async () => {
    server = await startTestServer()
    writeFileSync(file(), `ai: {base_url: '${elsewhere}', api_key: ${key}}\n`)
    expect(await change({ 'ai.base_url': null })).toMatchObject(again('ai.base_url'))
    expect(text()).toContain(key)
  })

  test('a key of the store that can’t be opened counts, too', async () => {
    server = await startTestServer()
    await change({ 'ai.api_key': key })
    server.platform.store.sqlite.exec("UPDATE setting_secrets SET sealed_value = 'unreadable' WHERE key = 'ai.api_key'")
    expect(await change({ 'ai.base_url': elsewhere })).toMatchObject(again('ai.base_url'))
  })
})
