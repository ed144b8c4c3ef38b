import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Paginated } from '../../../src/contract/common.ts'
import {
  type Connector,
  archiveConnector,
  createConnector,
  getConnector,
  listConnectors,
  updateConnector,
} from '../../../src/contract/connectors.ts'
import type { ErrorDetail } from '../../../src/contract/errors.ts'
import type { CallPlan } from '../../../src/contract/executor-calls.ts'
import type { RunPlan } from '../../../src/contract/executor-protocol.ts'
import type { BodyOf } from '../../../src/contract/operation.ts'
import { type TaskDetail, createTask } from '../../../src/contract/tasks.ts'
import { type Answer, type TestClient, type TestServer, startTestServer } from '../../support/server.ts'
import { type FakeExecutor, fakeExecutor } from '../runs/fake-executor.ts'

/** Nothing but an executor may ever see these. */
const canary = (what: string) => `canary-${what}-7f3a9c`

let server: TestServer
let admin: TestClient
let executor: FakeExecutor
const logged: string[] = []
beforeAll(async () => {
  server = await startTestServer({ onLog: (line) => logged.push(line) })
  admin = server.as('admin')
  executor = await fakeExecutor(server)
})
afterAll(() => server.close())

let made = 0
const newName = () => `connector ${++made}`
const config = { host: 'db.example', port: 5433, database: 'sales', user: 'etl' }
const postgres = (more: object = {}) => ({ name: newName(), type: 'postgres' as const, config, ...more })
const file = (more: object = {}) => ({ name: newName(), type: 'file' as const, config: { root: '/data' }, ...more })
const create = (body: BodyOf<typeof createConnector>) => admin.call(createConnector, { body })
const save = (id: number, body: object, headers: Record<string, string> = {}) =>
  admin.put(`/api/connectors/${id}`, body, { headers })

/** Of any type: checked by the server. */
const add = async (body: object) => (await admin.post('/api/connectors', body)).body as Connector

/** What an executor is given to work with. */
async function boundOf(id: number): Promise<Record<string, unknown>> {
  const waiting = admin.post(`/api/connectors/${id}/test`)
  const connector = await answerCall(executor)
  expect((await waiting).status).toBe(200)
  return connector
}

/** Takes the call that waits, says that all is well, and gives the connector that came with it. */
async function answerCall({ id, credential, client }: FakeExecutor): Promise<Record<string, unknown>> {
  const headers = { 'x-executor-credential': credential }
  const body = { slots: 0, call_slots: 1, wait_ms: 20_000 }
  const claimed = await client.post(`/api/executors/${id}/claim`, body, { headers })
  // The answer of a claim.
  const [call] = (claimed.body as { calls: CallPlan[] }).calls
  const value = { ok: true, checks: [{ name: 'connect', ok: true, duration_ms: 1 }] }
  await client.post(`/api/executor/calls/${call!.call_id}/result`, { result: { kind: 'test', value } }, { headers })
  // Only tests of connectors are asked for here.
  return (call!.work as { connector: Record<string, unknown> }).connector
}

describe('saving', () => {
  test('keeps what was given, and its answers agree', async () => {
    const body = postgres({ description: 'Sales', environment: 'production', secrets: { password: 'x' } })
    const connector = await create(body)
    expect(connector).toMatchObject({
      name: body.name,
      type: 'postgres',
      config,
      description: 'Sales',
      environment: 'production',
      archived: 0,
      secrets: { password: { set: true } },
      last_test: null,
    })
    expect(await admin.call(getConnector, { params: { id: connector.id } })).toEqual(connector)
  })

  test('trims the name; one of blanks or with control characters is refused', async () => {
    expect(await create({ ...file(), name: '  trimmed\t ' })).toMatchObject({
      name: 'trimmed',
      environment: 'development',
    })
    for (const name of ['   ', 'a\nb', 'a\u0000b']) {
      expect(await admin.post('/api/connectors', { ...file(), name })).toMatchObject({
        status: 400,
        body: { details: [{ path: 'body.name' }] },
      })
    }
  })

  test('a taken name is refused, at creation and at renaming, and nothing is changed', async () => {
    const [one, other] = [await create(file()), await create(file())]
    expect((await admin.post('/api/connectors', { ...file(), name: one.name })).status).toBe(409)
    const answer = await save(other.id, { ...file(), name: one.name })
    expect(answer).toMatchObject({ status: 409, body: { message: expect.stringContaining(`(id ${one.id})`) } })
    expect(await admin.call(getConnector, { params: { id: other.id } })).toEqual(other)
  })

  test('a stale ETag is refused, and what the other one saved stays; a test makes none stale', async () => {
    const { id, name } = await create(file())
    const etag = (await admin.get(`/api/connectors/${id}`)).headers.get('etag')!
    await boundOf(id)
    const theirs = await save(id, { ...file(), name, config: { root: '/theirs' } }, { 'if-match': etag })
    expect(theirs.status).toBe(200)
    const mine = { ...file(), name, config: { root: '/mine' } }
    expect(await save(id, mine, { 'if-match': etag })).toMatchObject({ status: 409, body: { error: 'CONFLICT' } })
    expect((await admin.get(`/api/connectors/${id}`)).body).toEqual(theirs.body)
    expect((await save(id, mine, { 'if-match': theirs.headers.get('etag')! })).status).toBe(200)
  })

  const far = (more: object) => ({ type: 'postgres', config: { ...config, ...more } })
  test.each<[string, object, Pick<ErrorDetail, 'path' | 'message'>]>([
    ['a missing field', { type: 'file', config: {} }, { path: 'body.config.root', message: 'is missing' }],
    [
      'a mistyped field',
      { type: 'file', config: { root: '/data', rot: 1 } },
      { path: 'body.config.rot', message: 'is not a known field; did you mean root?' },
    ],
    ['a wrong type', far({ port: '5432' }), { path: 'body.config.port', message: 'must be integer' }],
    ['a port beyond all ports', far({ port: 65_536 }), { path: 'body.config.port', message: 'must be <= 65535' }],
    [
      'none of the allowed values',
      far({ ssl: 'maybe' }),
      { path: 'body.config.ssl', message: 'must be one of disable, require, verify-full' },
    ],
    [
      'a secret that the type does not have',
      { type: 'file', config: { root: '/data' }, secrets: { password: canary('stray') } },
      { path: 'body.secrets.password', message: 'is not a known field' },
    ],
    [
      'a secret in the configuration',
      far({ password: canary('config') }),
      { path: 'body.config.password', message: 'is not a known field' },
    ],
    [
      'a relative folder',
      { type: 'file', config: { root: 'data' } },
      { path: 'body.config.root', message: 'must be an absolute path, such as /home/ada/data or C:\\data' },
    ],
    [
      'a relative database',
      { type: 'sqlite', config: { path: '../app.db' } },
      { path: 'body.config.path', message: 'must be an absolute path, such as /home/ada/data or C:\\data' },
    ],
    [
      'an address with a password in it',
      { type: 'http', config: { base_url: 'https://ada:secret@example.com' } },
      {
        path: 'body.config.base_url',
        message: 'must be an http:// or https:// address without user and password',
      },
    ],
    ...['http://a b', 'http://[::1', 'https://exa mple.com/x', 'http://a:65536'].map(
      (base_url): [string, object, { path: string; message: string }] => [
        `an address that is none (${base_url})`,
        { type: 'http', config: { base_url } },
        { path: 'body.config.base_url', message: 'must be an http:// or https:// address without user and password' },
      ],
    ),
    ...['Authorization', 'cookie', 'Proxy-Authorization'].map(
      (header): [string, object, { path: string; message: string }] => [
        `what proves who sends it, as a header that everybody can read (${header})`,
        { type: 'http', config: { base_url: 'https://example.com', headers: { [header]: 'x' } } },
        {
          path: `body.config.headers.${header}`,
          message:
            "isn't allowed here because everyone can read it. Choose a sign-in method under `auth` and enter the secret there.",
        },
      ],
    ),
    ...['Host', 'Transfer-Encoding', 'content-length'].map(
      (header): [string, object, { path: string; message: string }] => [
        `a header that requests have by themselves (${header})`,
        { type: 'odata', config: { base_url: 'https://example.com', headers: { [header]: 'x' } } },
        { path: `body.config.headers.${header}`, message: 'is set automatically. Remove it.' },
      ],
    ),
    [
      'a header whose name can’t be sent',
      { type: 'http', config: { base_url: 'https://example.com:65535', headers: { 'X A': '1', x_b: '2' } } },
      { path: 'body.config.headers.X A', message: "contains characters that aren't allowed in headers" },
    ],
    [
      'a header of two lines',
      { type: 'http', config: { base_url: 'https://example.com', headers: { 'X-A': 'a\r\nX-B: b' } } },
      {
        path: 'body.config.headers.X-A',
        message: "contains characters that aren't allowed in headers",
      },
    ],
    [
      'a way to sign in without the user that it needs',
      { type: 'http', config: { base_url: 'https://example.com', auth: 'basic' } },
      { path: 'body.config.user', message: 'is required because auth is basic' },
    ],
  ])('%s is refused at its field, also when it is only tested', async (_, body, detail) => {
    const expected = { status: 400, body: { error: 'VALIDATION_ERROR', details: [detail] } }
    expect(await admin.post('/api/connectors', { name: newName(), ...body })).toMatchObject(expected)
    expect(await admin.post('/api/connectors/test', body)).toMatchObject(expected)
    const { id, name } = await create(file())
    expect(await save(id, { name, ...body })).toMatchObject(expected)
    expect((await admin.get(`/api/connectors/${id}`)).body).toMatchObject({ config: { root: '/data' } })
  })

  test.each(['/data', 'C:\\data', 'd:/data', '\\\\server\\share'])('%s is an absolute path', async (root) => {
    expect((await admin.post('/api/connectors', { ...file(), config: { root } })).status).toBe(201)
  })

  test('every mistake is told at once', async () => {
    const answer = await admin.post('/api/connectors', { ...file(), type: 'postgres', config: { hots: 'x', port: 0 } })
    // A refusal of a body that has several mistakes.
    const { details } = answer.body as { details: ErrorDetail[] }
    expect(details.map(({ path }) => path).toSorted()).toEqual(
      ['database', 'host', 'hots', 'port', 'user'].map((field) => `body.config.${field}`),
    )
  })
})

const destinations = {
  postgres: [{ host: 'db.example', database: 'shop', user: 'ada' }, 'password'],
  http: [
    {
      base_url: 'https://api.example',
      auth: 'oauth2',
      token_url: 'https://login.example/token',
      client_id: 'me',
    },
    'client_secret',
  ],
} as const

describe('secrets', () => {
  test('left out they stay, given they replace, null takes them away', async () => {
    const { id, name } = await create(postgres({ secrets: { password: 'first' } }))
    const body = { name, type: 'postgres', config }
    const secretsOf = (answer: Answer) => (answer.body as Connector).secrets
    expect(await boundOf(id)).toMatchObject({ secrets: { password: 'first' } })
    expect(secretsOf(await save(id, body))).toEqual({ password: { set: true } })
    expect(await boundOf(id)).toMatchObject({ secrets: { password: 'first' } })
    await save(id, { ...body, secrets: { password: 'second' } })
    expect(await boundOf(id)).toMatchObject({ secrets: { password: 'second' } })
    await save(id, { ...body, secrets: {} })
    expect(await boundOf(id)).toMatchObject({ secrets: { password: 'second' } })
    expect(secretsOf(await save(id, { ...body, secrets: { password: null } }))).toEqual({})
    expect(await boundOf(id)).toHaveProperty('secrets', {})
  })

  test('belong to the type that they were given for: another type drops them for good', async () => {
    const { id, name } = await create(postgres({ secrets: { password: canary('dropped') } }))
    expect((await save(id, { name, type: 'file', config: { root: '/data' } })).body).toHaveProperty('secrets', {})
    await save(id, { name, type: 'postgres', config })
    expect(await boundOf(id)).toHaveProperty('secrets', {})
  })

  test('of a stored connector serve a test of a changed configuration, unless the type is another', async () => {
    const { id } = await create(postgres({ secrets: { password: 'stored' } }))
    const tested = async (body: object) => {
      const waiting = admin.post('/api/connectors/test', { connector_id: id, ...body })
      const connector = await answerCall(executor)
      expect((await waiting).status).toBe(200)
      return connector
    }
    const changed = { ...config, database: 'other' }
    expect(await tested({ type: 'postgres', config: changed })).toMatchObject({
      config: changed,
      secrets: { password: 'stored' },
    })
    expect(await tested({ type: 'postgres', config, secrets: { password: 'given' } })).toMatchObject({
      secrets: { password: 'given' },
    })
    expect(await tested({ type: 'postgres', config, secrets: { password: null } })).toHaveProperty('secrets', {})
    expect(await tested({ type: 'file', config: { root: '/data' } })).toHaveProperty('secrets', {})
    expect(await admin.call(getConnector, { params: { id } })).toMatchObject({ config, last_test: null })
  })

  test.each([
    ['postgres', { host: 'elsewhere' }, ['host']],
    ['postgres', { port: 5433, ssl: 'require' }, ['port', 'ssl']],
    ['http', { base_url: 'https://elsewhere.example/v1' }, ['base_url']],
    ['http', { token_url: 'https://elsewhere.example/token' }, ['token_url']],
  ])('of %s are entered again where they would be sent elsewhere: %j', async (type, change, fields) => {
    const [config, name] = destinations[type as keyof typeof destinations]
    const { id } = await add({ name: `moved ${fields.join()}`, type, config, secrets: { [name]: 'stored' } })
    const body = { name: `moved ${fields.join()}`, type, config: { ...config, ...change } }
    const refused = { details: [{ path: `body.secrets.${name}`, code: 'secret_again', params: { fields } }] }
    expect(await save(id, body)).toMatchObject({ status: 400, body: refused })
    const tested = await admin.post('/api/connectors/test', { connector_id: id, type, config: body.config })
    expect(tested).toMatchObject({ status: 400, body: refused })
    expect(await boundOf(id)).toMatchObject({ config, secrets: { [name]: 'stored' } })
    expect((await save(id, { ...body, secrets: { [name]: 'again' } })).status).toBe(200)
    expect(await boundOf(id)).toMatchObject({ config: body.config, secrets: { [name]: 'again' } })
    expect((await save(id, { ...body, config, secrets: { [name]: null } })).body).toHaveProperty('secrets', {})
  })

  test('stay where nothing changes but the path of an address, or a default is written out', async () => {
    const [web] = destinations.http
    const http = await add({ name: 'web', type: 'http', config: web, secrets: { client_secret: 'stored' } })
    const other = { ...web, base_url: `${web.base_url}/v2`, timeout_seconds: 5 }
    expect((await save(http.id, { name: http.name, type: 'http', config: other })).status).toBe(200)
    expect(await boundOf(http.id)).toMatchObject({ secrets: { client_secret: 'stored' } })
    const [table] = destinations.postgres
    const db = await add({ name: 'db', type: 'postgres', config: table, secrets: { password: 'stored' } })
    const written = { ...table, port: 5432, ssl: 'disable', database: 'other' }
    expect((await save(db.id, { name: db.name, type: 'postgres', config: written })).status).toBe(200)
    expect(await boundOf(db.id)).toMatchObject({ secrets: { password: 'stored' } })
  })

  test('never come back: not in an answer, an event, the log or a byte of the data folder', async () => {
    const secret = canary('password')
    const answers: Answer[] = []
    const told = async (answer: Promise<Answer>) => {
      answers.push(await answer)
      return answers.at(-1)!
    }
    const body = postgres({ secrets: { password: secret } })
    const key = { headers: { 'idempotency-key': 'with-a-secret' } }
    const { id } = (await told(admin.post('/api/connectors', body, key))).body as Connector
    await told(admin.post('/api/connectors', body, key))
    await told(admin.post('/api/connectors', body))
    await told(admin.get(`/api/connectors/${id}`))
    await told(admin.get('/api/connectors', { query: { limit: 200 } }))
    await told(admin.get('/api/connectors', { query: { q: secret } }))
    await told(save(id, { ...body, secrets: { password: secret, token: secret } }))
    await told(save(id, { ...body, config: { ...config, port: 'x' } }))
    await told(save(id, { ...body, secrets: { password: [secret] } }))
    await told(admin.post('/api/connectors', `{"secrets": {"password": "${secret}"`))
    await told(save(id, body))
    const waiting = told(admin.post(`/api/connectors/${id}/test`))
    expect(await answerCall(executor)).toMatchObject({ secrets: { password: secret } })
    await waiting

    // A run is the one thing that sees it: through its executor.
    const plan = await runWith(id)
    expect(JSON.stringify(plan)).toContain(secret)
    for (const path of ['', '/logs', '/logs/download', '/steps', '/rejects']) {
      await told(admin.get(`/api/runs/${plan.run_id}${path}`))
    }
    await told(admin.get('/api/runs'))

    expect(answers.map(({ status }) => status)).not.toContain(500)
    expect(answers.filter(({ body, headers }) => contains(secret, [body, ...headers]))).toEqual([])
    expect(server.platform.events.after(0, 10_000).filter((event) => contains(secret, event))).toEqual([])
    expect(logged.filter((line) => contains(secret, line))).toEqual([])
    expect(filesWith(secret)).toEqual([])
    // What is searched for would be found.
    expect(filesWith(body.name)).not.toEqual([])
  })

  const contains = (secret: string, value: unknown) => JSON.stringify(value).includes(secret)

  /** Names of files of the data folder (database and write-ahead log among them) that hold the text, also as base64. */
  function filesWith(text: string): string[] {
    const bytes = Buffer.from(text)
    // A base64 text may begin at any of three places in its group.
    const encoded = [0, 1, 2].map((at) =>
      Buffer.from(bytes.subarray(at, at + 12))
        .toString('base64')
        .slice(0, 14),
    )
    const entries = readdirSync(server.dataDir, { withFileTypes: true, recursive: true })
    const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
    expect(paths.filter((path) => /\.db(-wal)?$|\.sqlite/.test(path)).length).toBeGreaterThan(1)
    return paths.filter((path) => {
      const content = readFileSync(path)
      return content.includes(bytes) || encoded.some((part) => content.includes(part))
    })
  }

  async function runWith(id: number): Promise<RunPlan> {
    const { id: taskId } = await task('secret_run', 'postgres')
    const body = { connector_mapping: { far: id } }
    expect((await admin.post(`/api/runs/trigger/${taskId}`, body)).status).toBe(201)
    const { runs } = await executor.claim()
    await executor.logs(runs[0]!, 1, [{ at: '2026-03-01T08:30:00.000Z', level: 'info', step: null, message: 'begun' }])
    await executor.complete(runs[0]!)
    return runs[0]!
  }
})

const task = (name: string, type: string, access = 'write'): Promise<TaskDetail> =>
  admin.call(createTask, {
    body: {
      yaml_content: `etl: 1
kind: pipeline
name: ${name}
connectors: {far: {type: ${type}, access: ${access}}}
source: {inline: {rows: [{a: 1}]}}
target: {connector: far, ${type === 'file' ? 'file: {path: out.csv}' : 'table: t'}}
`,
    },
  })

describe('a task’s slots', () => {
  let taskId: number
  beforeAll(async () => {
    taskId = (await task('binding', 'sqlite')).id
  })
  const trigger = (connector_mapping: object) => admin.post(`/api/runs/trigger/${taskId}`, { connector_mapping })
  const sqlite = (more: object = {}) =>
    create({ name: newName(), type: 'sqlite', config: { path: '/data/app.db', ...more } })

  test('take a connector of their type', async () => {
    expect((await trigger({ far: (await sqlite()).id })).status).toBe(201)
  })

  test.each<[string, () => Promise<object>, string, string]>([
    ['nothing', () => Promise.resolve({}), 'far', 'Slot far has no connector. Choose one of type sqlite.'],
    ['an id that is nobody’s', () => Promise.resolve({ far: 999_999 }), 'far', 'There is no connector with id 999999'],
    [
      'a connector of another type',
      async () => ({ far: (await create({ ...file(), name: 'a folder' })).id }),
      'far',
      'Slot far needs a sqlite connector; a folder is file',
    ],
    [
      'one that is read only, for writing',
      async () => ({ far: (await sqlite({ read_only: true })).id }),
      'far',
      'The task writes to slot far, but connector',
    ],
    [
      'one that is archived',
      async () => {
        const { id } = await sqlite()
        await admin.call(archiveConnector, { params: { id } })
        return { far: id }
      },
      'far',
      'is archived. Restore it or choose another',
    ],
    [
      'a slot that the task does not have',
      async () => ({ far: (await sqlite()).id, fra: 1 }),
      'fra',
      'The task has no slot fra; it has far',
    ],
    [
      'a slot named like what every object has',
      async () => ({ far: (await sqlite()).id, constructor: 1 }),
      'constructor',
      'The task has no slot constructor',
    ],
  ])('refuse %s, at the slot', async (_, mapping, slot, message) => {
    const answer = await trigger(await mapping())
    expect(answer).toMatchObject({
      status: 400,
      body: {
        error: 'VALIDATION_ERROR',
        details: [{ path: `body.connector_mapping.${slot}`, message: expect.stringContaining(message) }],
      },
    })
  })

  test('an id that is no number is refused before anything else', async () => {
    expect(await trigger({ far: 'one' })).toMatchObject({
      status: 400,
      body: { details: [{ path: 'body.connector_mapping.far' }] },
    })
  })
})

describe('an executor’s answer', () => {
  test('to a test is kept as the last one, with its time, and told to the windows', async () => {
    const { id } = await create(file())
    const latest = server.platform.events.latestId()
    await boundOf(id)
    const connector = await admin.call(getConnector, { params: { id } })
    const checks = [{ name: 'connect', ok: true, duration_ms: 1 }]
    expect(connector.last_test).toEqual({ ok: true, checks, executor: 'fake' })
    expect(Date.parse(connector.last_test_at!)).toBeGreaterThan(Date.parse(connector.created_at) - 1)
    expect(server.platform.events.after(latest, 10)).toMatchObject([{ type: 'connector.changed', entity_id: id }])
  })

  test('that is a fault of its own stays opaque; the log has the cause', async () => {
    const { id } = await create(file())
    const waiting = admin.get(`/api/connectors/${id}/resources`)
    const { calls } = await executor.claim({ slots: 0, wait_ms: 20_000 })
    const error = { code: 'INTERNAL_ERROR', message: 'TypeError at /inside/of/the/executor' }
    await executor.client.post(
      `/api/executor/calls/${calls[0]!.call_id}/result`,
      { error },
      { headers: { 'x-executor-credential': executor.credential } },
    )
    const { status, body } = await waiting
    expect([status, body]).toEqual([
      500,
      expect.objectContaining({ error: 'INTERNAL_ERROR', message: 'Internal error' }),
    ])
    const { request_id } = body as { request_id: string }
    expect(logged.find((line) => line.includes(request_id))).toContain('/inside/of/the/executor')
  })
})

describe('the list', () => {
  let client: TestClient
  let list: TestServer
  beforeAll(async () => {
    list = await startTestServer()
    client = list.as('admin')
    for (const [index, name] of ['delta', 'alpha', 'Straße', 'charlie', 'bravo'].entries()) {
      const environment = index % 2 ? 'production' : 'staging'
      const body =
        index < 3
          ? { ...file(), environment, name }
          : { ...postgres(), environment, name, description: '100% far_away' }
      await client.call(createConnector, { body: body as BodyOf<typeof createConnector> })
    }
  })
  afterAll(() => list.close())
  const page = async (query: Record<string, string | number | boolean | undefined> = {}) =>
    (await client.get('/api/connectors', { query })).body as Paginated<Connector>
  const namesOf = ({ result }: Paginated<Connector>) => result.map(({ name }) => name)

  test('is newest first or by name, and narrowed by type, environment and text', async () => {
    expect(namesOf(await page())).toEqual(['bravo', 'charlie', 'Straße', 'alpha', 'delta'])
    expect(namesOf(await page({ sort: 'name' }))).toEqual(['alpha', 'bravo', 'charlie', 'delta', 'Straße'])
    expect(namesOf(await page({ type: 'postgres' }))).toEqual(['bravo', 'charlie'])
    expect(namesOf(await page({ environment: 'production' }))).toEqual(['charlie', 'alpha'])
    expect(namesOf(await page({ q: 'STRASS' }))).toEqual([])
    expect(namesOf(await page({ q: 'straß' }))).toEqual(['Straße'])
    expect(namesOf(await page({ q: '100%', limit: 1 }))).toEqual(['bravo'])
    expect(namesOf(await page({ q: '%far' }))).toEqual([])
    expect((await page({ type: 'postgres', limit: 1 })).total).toBe(2)
  })

  test('pages forth and back, also while connectors are made', async () => {
    const first = await page({ sort: 'name', limit: 2 })
    await client.call(createConnector, { body: { ...file(), name: 'aaa' } })
    const second = await page({ sort: 'name', limit: 2, cursor: first.nextCursor! })
    expect(namesOf(first)).toEqual(['alpha', 'bravo'])
    expect(namesOf(second)).toEqual(['charlie', 'delta'])
    expect(namesOf(await page({ sort: 'name', limit: 2, cursor: second.nextCursor! }))).toEqual(['Straße'])
    expect(namesOf(await page({ sort: 'name', limit: 9, cursor: second.prevCursor! }))).toEqual([
      'aaa',
      'alpha',
      'bravo',
    ])
  })

  test('a cursor with any one character changed is refused at query.cursor', async () => {
    const { nextCursor } = await page({ limit: 2 })
    for (const at of nextCursor!.split('').keys()) {
      const cursor = nextCursor!.slice(0, at) + (nextCursor![at] === 'A' ? 'B' : 'A') + nextCursor!.slice(at + 1)
      const answer = await client.get('/api/connectors', { query: { limit: 2, cursor } })
      expect([cursor, answer.status]).toEqual([cursor, 400])
      expect(answer.body).toMatchObject({ details: [{ path: 'query.cursor' }] })
    }
  })

  test('of the archive holds what was archived, until it is restored', async () => {
    const { id } = await client.call(createConnector, { body: file() })
    await client.patch(`/api/connectors/${id}/archive`)
    expect((await client.call(listConnectors, { query: { archived: true } })).result).toMatchObject([
      { id, archived: 1 },
    ])
    expect((await page()).result.map((connector) => connector.id)).not.toContain(id)
    await client.patch(`/api/connectors/${id}/restore`)
    expect((await client.call(listConnectors, { query: { archived: true } })).total).toBe(0)
    expect((await client.call(getConnector, { params: { id } })).archived).toBe(0)
  })
})

test('types describe their fields and mark the secret ones', async () => {
  const answer = await server.as('viewer').get('/api/connector-types')
  const types = answer.body as { type: string; secret_fields: string[]; config_schema: { required?: string[] } }[] // as documented
  expect(Object.fromEntries(types.map((one) => [one.type, one.secret_fields]))).toEqual({
    file: [],
    sqlite: [],
    postgres: ['password'],
    mysql: ['password'],
    duckdb: [],
    mongodb: ['password'],
    http: ['password', 'token', 'api_key', 'client_secret'],
    odata: ['password', 'token', 'api_key', 'client_secret'],
    s3: ['secret_access_key', 'session_token'],
    sftp: ['password', 'private_key', 'passphrase'],
  })
  expect(types.find(({ type }) => type === 'postgres')?.config_schema.required).toEqual(['host', 'database', 'user'])
})

test('an editor uses connectors but does not change them; a viewer sees them without secrets', async () => {
  const { id } = await create(postgres({ secrets: { password: 'x' } }))
  const editor = server.as('editor')
  expect((await editor.post('/api/connectors', file())).status).toBe(403)
  expect((await editor.put(`/api/connectors/${id}`, file())).status).toBe(403)
  expect((await editor.post('/api/connectors/test', { type: 'file', config: { root: '/data' } })).status).toBe(403)
  expect((await server.as('viewer').get(`/api/connectors/${id}`)).body).toMatchObject({
    secrets: { password: { set: true } },
  })
  await admin.call(updateConnector, { params: { id }, body: { name: newName(), type: 'postgres', config } })
})
