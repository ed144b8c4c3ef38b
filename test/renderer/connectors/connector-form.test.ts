import { describe, expect, test } from 'vitest'
import { connectorTypeSpecs } from '../../../src/contract/connector-types.ts'
import type { Connector, ConnectorTestResult } from '../../../src/contract/connectors.ts'
import { describeAddress } from '../../../src/renderer/features/connectors/address.ts'
import {
  changedFields,
  draftOf,
  filledFrom,
  formOf,
  isDirty,
  problemsOf,
  saveBody,
  testBody,
} from '../../../src/renderer/features/connectors/connector-draft.ts'
import { hasPassword, readConnectionUrl } from '../../../src/renderer/features/connectors/connection-url.ts'
import { failingFields } from '../../../src/renderer/features/connectors/failing-fields.ts'
import { problemOf } from '../../../src/renderer/features/connectors/field-problems.ts'
import { groupOf, rowsOf } from '../../../src/renderer/features/connectors/field-groups.ts'
import { shownHostKey, unknownHostKey } from '../../../src/renderer/features/connectors/host-key.ts'
import { fieldsOf, isWanted } from '../../../src/renderer/features/connectors/schema-form.ts'
import { stagesOf } from '../../../src/renderer/features/connectors/test-stages.ts'

const infoOf = (type: keyof typeof connectorTypeSpecs) => {
  const { config, secrets, ...spec } = connectorTypeSpecs[type]
  // As it comes over the wire: plain JSON.
  const schemas = JSON.parse(JSON.stringify({ config_schema: config, secrets_schema: secrets })) as Record<
    'config_schema' | 'secrets_schema',
    Record<string, unknown>
  >
  return { ...spec, ...schemas, secret_fields: Object.keys(secrets.properties) }
}
const postgres = formOf(infoOf('postgres'))
const stored: Connector = {
  id: 3,
  name: 'Warehouse',
  type: 'postgres',
  description: null,
  config: { host: 'db', port: 5433, database: 'w', user: 'etl', ssl: 'require' },
  secrets: { password: { set: true } },
  environment: 'production',
  viewer_raw: false,
  archived: 0,
  last_test: null,
  last_test_at: null,
  created_at: '2026-03-01T08:30:00.000Z',
  updated_at: null,
}

describe('fields from the schema of a type', () => {
  test('carry kind, title, default, options and whether they are required', () => {
    const byName = new Map(postgres.configFields.map((field) => [field.name, field]))
    expect(byName.get('host')).toMatchObject({ kind: 'text', title: 'Host', required: true, default: 'localhost' })
    expect(byName.get('port')).toMatchObject({ kind: 'integer', default: 5432, minimum: 1, maximum: 65535 })
    expect(byName.get('ssl')).toMatchObject({ kind: 'select', options: ['disable', 'require', 'verify-full'] })
    expect(fieldsOf(infoOf('file').config_schema)[0]).toMatchObject({ name: 'root', kind: 'folder' })
    expect(fieldsOf(infoOf('sqlite').config_schema)[1]).toMatchObject({ name: 'read_only', kind: 'boolean' })
  })

  test('a field without a title gets its name as words', () => {
    expect(fieldsOf({ properties: { base_url: { type: 'string' } } })[0]?.title).toBe('Base url')
  })

  test.each([
    ['', { code: 'not_integer' }, null],
    ['5432x', { code: 'not_integer' }, { code: 'not_integer' }],
    ['70000', null, { code: 'range', minimum: 1, maximum: 65535 }],
    ['5432', null, null],
  ])('a port of %j is judged', (value, _, problem) => {
    const port = postgres.configFields.find((field) => field.name === 'port')
    expect(port && problemOf(port, value)).toEqual(problem)
  })

  test('a path must be absolute, on any system', () => {
    const [root] = fieldsOf(infoOf('file').config_schema)
    if (!root) throw new Error('the file type has a root')
    expect(problemOf(root, 'data')).toEqual({ code: 'not_absolute' })
    for (const path of ['/data', 'C:\\data', 'C:/data', '\\\\host\\share']) expect(problemOf(root, path)).toBeNull()
    expect(problemOf(root, '  ')).toEqual({ code: 'required' })
  })
})

describe('a connector while it is edited', () => {
  test('is sent as it was stored, numbers as numbers, secrets left alone', () => {
    const body = saveBody(postgres, draftOf(postgres, stored))
    expect(body.config).toEqual({ ...stored.config, schema: 'public' })
    expect(body).not.toHaveProperty('secrets')
  })

  test('secrets are replaced, removed or kept; an empty new one keeps the stored one', () => {
    const draft = draftOf(postgres, stored)
    const withSecret = (password: Parameters<typeof saveBody>[1]['secrets'][string]) =>
      saveBody(postgres, { ...draft, secrets: { password } }).secrets
    expect(withSecret({ kind: 'set', value: 'new' })).toEqual({ password: 'new' })
    expect(withSecret({ kind: 'remove' })).toEqual({ password: null })
    expect(withSecret({ kind: 'set', value: '' })).toBeUndefined()
  })

  test('a test of unsaved input names the connector whose stored secrets are meant', () => {
    expect(testBody(postgres, draftOf(postgres, stored), 3)).toMatchObject({ type: 'postgres', connector_id: 3 })
    expect(testBody(postgres, draftOf(postgres))).not.toHaveProperty('connector_id')
  })

  test('what is missing is marked; a test needs no name', () => {
    const draft = draftOf(postgres)
    expect(Object.keys(problemsOf(postgres, draft, 'save'))).toEqual(['name', 'config.database', 'config.user'])
    expect(Object.keys(problemsOf(postgres, draft, 'test'))).toEqual(['config.database', 'config.user'])
  })

  test('knows when it differs, and in what from another state', () => {
    const first = draftOf(postgres, stored)
    expect(isDirty(draftOf(postgres, stored), first)).toBe(false)
    const other = draftOf(postgres, { ...stored, environment: 'staging', config: { ...stored.config, port: 5432 } })
    expect(isDirty(other, first)).toBe(true)
    expect(changedFields(postgres, first, other)).toEqual(['environment', 'config.port'])
  })
})

describe('a form whose fields depend on each other', () => {
  const http = formOf(infoOf('http'))
  const draft = (config: Record<string, unknown>) =>
    draftOf(http, { ...stored, type: 'http', config: { base_url: 'https://api.example.com', ...config }, secrets: {} })
  const shown = (config: Record<string, unknown>) => {
    const { config: values } = draft(config)
    return [...http.configFields, ...http.secretFields]
      .filter((field) => field.when && isWanted(field, values))
      .map((field) => field.name)
  }

  test.each([
    [{}, []],
    [{ auth: 'basic' }, ['user', 'password']],
    [{ auth: 'bearer' }, ['token']],
    [{ auth: 'api_key' }, ['api_key_name', 'api_key_in', 'api_key']],
    [{ auth: 'oauth2' }, ['token_url', 'client_id', 'scope', 'client_secret']],
  ])('%j shows %j', (config, names) => {
    expect(shown(config)).toEqual(names)
  })

  test('what is hidden is neither missing nor sent', () => {
    const basic = draft({ auth: 'basic' })
    expect(problemsOf(http, basic, 'test')).toEqual({ 'config.user': { code: 'required' } })
    const none = {
      ...basic,
      config: { ...basic.config, auth: 'none', user: 'ada' },
      secrets: { ...basic.secrets, password: { kind: 'set', value: 'canary' } as const },
    }
    expect(problemsOf(http, none, 'test')).toEqual({})
    expect(JSON.stringify(saveBody(http, none))).not.toMatch(/ada|canary|api_key/)
  })

  test('headers are lines while they are edited and a map when they are sent', () => {
    const before = draft({ headers: { Accept: 'text/csv' } })
    expect(before.config.headers).toEqual([{ name: 'Accept', value: 'text/csv' }])
    const lines = [
      { name: 'Accept', value: 'text/csv' },
      { name: ' X-Tenant ', value: '7' },
      { name: '', value: '' },
    ]
    const after = { ...before, config: { ...before.config, headers: lines } }
    expect(problemsOf(http, after, 'save')).toEqual({})
    expect(saveBody(http, after).config.headers).toEqual({ Accept: 'text/csv', 'X-Tenant': '7' })
    expect(changedFields(http, before, after)).toEqual(['config.headers'])
    expect(changedFields(http, before, draft({ headers: { Accept: 'text/csv' } }))).toEqual([])
  })

  test.each([
    [[{ name: 'X Tenant', value: '7' }], { code: 'entry_name', name: 'X Tenant' }],
    [[{ name: '', value: '7' }], { code: 'entry_name', name: '' }],
    [
      [
        { name: 'A', value: '' },
        { name: 'a', value: '' },
      ],
      { code: 'entry_twice', name: 'a' },
    ],
  ])('headers %j are refused', (entries, problem) => {
    const headers = http.configFields.find((field) => field.name === 'headers')
    expect(headers && problemOf(headers, entries)).toEqual(problem)
  })

  test.each([
    ['0', 'range'],
    ['0.5', undefined],
    ['2e1', undefined],
    ['fast', 'not_number'],
    ['1001', 'range'],
  ])('%s requests a second are judged', (value, code) => {
    const field = http.configFields.find((one) => one.name === 'requests_per_second')
    expect(field && problemOf(field, value)?.code).toBe(code)
  })

  test('a pattern is told in words', () => {
    const problems = problemsOf(http, draft({ base_url: 'https://ada:secret@api.example.com' }), 'save')
    expect(problems['config.base_url']).toMatchObject({ code: 'pattern', wanted: expect.stringContaining('https://') })
  })

  test('every field of every type has a group, and the secrets stand with who signs in', () => {
    expect(groupOf({ name: 'headers', required: false })).toBe('more')
    expect(groupOf({ name: 'user', required: false })).toBe('signIn')
    expect(groupOf({ name: 'base_url', required: true })).toBe('connection')
    expect(groupOf({ name: 'schema', required: false })).toBe('options')
  })

  test('what a connection needs comes first, a host with its port, and who signs in with what proves it', () => {
    const rowNames = (type: Parameters<typeof infoOf>[0], config: Record<string, string> = {}) => {
      const { configFields, secretFields } = formOf(infoOf(type))
      const wanted = (of: 'connection' | 'signIn') =>
        configFields.filter((field) => groupOf(field) === of && isWanted(field, config))
      const secrets = secretFields.filter((field) => isWanted(field, config))
      return [...rowsOf(wanted('connection'), []), ...rowsOf(wanted('signIn'), secrets)].map((row) =>
        row.map(({ name }) => name).join(' '),
      )
    }
    expect(rowNames('postgres')).toEqual(['host port', 'database', 'user password'])
    expect(rowNames('mongodb')).toEqual(['uri', 'database', 'user password', 'auth_source'])
    expect(rowNames('s3')).toEqual(['bucket', 'access_key_id secret_access_key', 'session_token'])
    expect(rowNames('sftp')).toEqual(['host port', 'host_key', 'user password', 'private_key', 'passphrase'])
    expect(rowNames('http', { auth: 'bearer' })).toEqual(['base_url', 'auth', 'token'])
    expect(rowNames('http', { auth: 'oauth2' })).toEqual([
      'base_url',
      'auth',
      'token_url',
      'client_id client_secret',
      'scope',
    ])
  })

  test('a private key has many lines, a token has one', () => {
    expect(formOf(infoOf('sftp')).secretFields.find((one) => one.name === 'private_key')?.kind).toBe('multiline')
    expect(http.secretFields.find((one) => one.name === 'token')?.kind).toBe('text')
  })
})

describe('the key of an SSH server', () => {
  const sftp = formOf(infoOf('sftp'))
  const key = 'SHA256:uNiVztksCsDhcc0u9e8BrsrJYqsrq4PuT1ccmfWYHWg'
  const failed = (message: string): ConnectorTestResult => ({
    ok: false,
    checks: [{ name: 'connect', ok: false, message, duration_ms: 1 }],
  })

  test('need not be known for a test, which then tells it', () => {
    const draft = { ...draftOf(sftp), config: { ...draftOf(sftp).config, host: 'h', user: 'u' } }
    expect(problemsOf(sftp, draft, 'test')).toEqual({})
    expect(Object.keys(problemsOf(sftp, draft, 'save'))).toContain('config.host_key')
    expect(testBody(sftp, draft).config.host_key).toBe(unknownHostKey)
    const pattern = new RegExp(sftp.configFields.find((one) => one.name === 'host_key')?.pattern ?? 'none')
    expect(unknownHostKey).toMatch(pattern)
  })

  test('is offered where the test told another one than the form has', () => {
    const text = `The server showed ${key}, not ${unknownHostKey}`
    expect(shownHostKey(failed(text), { host_key: '' })).toBe(key)
    expect(shownHostKey(failed(text), { host_key: key })).toBeNull()
    const remarked = { ok: true, checks: [{ name: 'authenticate', ok: true, message: `shows ${key}`, duration_ms: 1 }] }
    expect(shownHostKey(remarked, { host_key: 'any' })).toBe(key)
    expect(shownHostKey(failed('refused'), { host_key: '' })).toBeNull()
  })
})

describe('the stages of a test', () => {
  const names = (stages: { name: string; state: string }[]) => stages.map(({ name, state }) => `${name} ${state}`)
  const failed: ConnectorTestResult = {
    ok: false,
    checks: [
      { name: 'resolve', ok: true, duration_ms: 1 },
      { name: 'connect', ok: false, message: 'refused', duration_ms: 2 },
    ],
  }

  test('after a failure the rest was not run', () => {
    const state = { phase: 'done', result: failed, at: null } as const
    expect(names(stagesOf('postgres', { ssl: 'disable' }, state))).toEqual([
      'resolve ok',
      'connect failed',
      'authenticate not_run',
      'read_probe not_run',
      'write_probe not_run',
    ])
  })

  test('depend on what the form says: TLS, read only', () => {
    expect(names(stagesOf('postgres', { ssl: 'require' }, { phase: 'running' }))).toContain('tls running')
    expect(names(stagesOf('sqlite', { read_only: true }, { phase: 'idle' }))).toEqual([
      'open waiting',
      'read_probe waiting',
    ])
  })

  test('a success shows what was run and nothing else', () => {
    const result = { ok: true, checks: [{ name: 'open', ok: true, duration_ms: 1 }] }
    expect(names(stagesOf('sqlite', {}, { phase: 'done', result, at: null }))).toEqual(['open ok'])
  })
})

test.each([
  [{ root: '/data' }, '/data'],
  [{ path: '/data/a.db', read_only: true }, '/data/a.db'],
  [{ host: 'db', port: 5432, database: 'w', user: 'etl' }, 'etl@db:5432/w'],
  [{ host: 'db' }, 'db'],
  [{ host: 'files', user: 'etl', root: '/srv' }, 'etl@files/srv'],
  [{ bucket: 'lake', prefix: 'in', endpoint: 'http://localhost:9000' }, 's3://lake/in (localhost:9000)'],
  [{ base_url: 'https://api.example.com/v1' }, 'https://api.example.com/v1'],
  [{ uri: 'mongodb://a,b/?replicaSet=r', database: 'shop' }, 'mongodb://a,b/shop'],
  [{}, ''],
])('%j leads to %j', (config, address) => {
  expect(describeAddress({ config })).toBe(address)
})

describe('a pasted URL or DSN', () => {
  test.each([
    [
      'postgres://etl:p%40ss%2Fw@db.example:6432/sales?sslmode=require&application_name=x',
      { host: 'db.example', port: '6432', database: 'sales', user: 'etl', ssl: 'require' },
      { password: 'p@ss/w' },
      ['application_name'],
    ],
    ['postgresql+psycopg2://u:p@[::1]/d', { host: '::1', database: 'd', user: 'u' }, { password: 'p' }, []],
    [
      "host=db port=5433 dbname='my db' user=etl password='it\\'s' connect_timeout=3",
      { host: 'db', port: '5433', database: 'my db', user: 'etl' },
      { password: "it's" },
      ['connect_timeout'],
    ],
    [
      'jdbc:mysql://db:3307/shop?user=root&password=a%26b&useSSL=false',
      { host: 'db', port: '3307', database: 'shop', user: 'root' },
      { password: 'a&b' },
      ['useSSL'],
    ],
    ['mariadb://root:a@b@c@db/shop', { host: 'db', database: 'shop', user: 'root' }, { password: 'a@b@c' }, []],
    [
      'mongodb+srv://etl:p@cluster.example/app?retryWrites=true&authSource=admin',
      { uri: 'mongodb+srv://cluster.example/?retryWrites=true', database: 'app', user: 'etl', auth_source: 'admin' },
      { password: 'p' },
      [],
    ],
    ['mongodb://a:27017,b:27018/app', { uri: 'mongodb://a:27017,b:27018', database: 'app' }, {}, []],
    [
      's3://AKIA:se%2Fcret@exports/2026/june/?region=eu-central-1&endpoint=http://localhost:9000',
      {
        bucket: 'exports',
        prefix: '2026/june',
        region: 'eu-central-1',
        endpoint: 'http://localhost:9000',
        access_key_id: 'AKIA',
      },
      { secret_access_key: 'se/cret' },
      [],
    ],
    [
      'sftp://ada:pw@files.example:2222/srv/exports',
      { host: 'files.example', port: '2222', user: 'ada', root: '/srv/exports' },
      { password: 'pw' },
      [],
    ],
    [
      'https://ada:pw@api.example.com/v1/?page=2',
      { base_url: 'https://api.example.com/v1?page=2', auth: 'basic', user: 'ada' },
      { password: 'pw' },
      [],
    ],
  ])('%s', (text, config, secrets, ignored) => {
    expect(readConnectionUrl(text)).toMatchObject({ config, secrets, ignored })
    expect(hasPassword(text)).toBe(Object.keys(secrets).length > 0)
  })

  test.each([
    '',
    'db.example',
    'postgres://',
    'redis://h/0',
    'a = b',
    'postgres://h:99x/d',
    // The rest of a password with a bare slash would be the database, for all to see.
    'postgres://etl:12/3@db/sales',
    'select host = 1 from t',
  ])('is none: %s', (text) => {
    expect(readConnectionUrl(text)).toBeUndefined()
  })

  test('a password becomes a secret that is sent, and stands in no field of the configuration', () => {
    const read = readConnectionUrl('postgres://etl:hidden-words@db/w')
    const draft = read && filledFrom(draftOf(postgres), read)
    const body = draft && saveBody(postgres, { ...draft, name: 'W' })
    expect(body?.secrets).toEqual({ password: 'hidden-words' })
    expect(JSON.stringify(body?.config)).not.toContain('hidden')
  })

  test('fills fields that the form has, whatever the type', () => {
    for (const text of [
      'postgres://u:p@h:1/d?sslmode=require',
      'mysql://u:p@h:1/d',
      'mongodb://u:p@h/d',
      's3://k:s@bbb/p',
      'sftp://u:p@h/r',
      'https://u:p@h/p',
    ]) {
      const read = readConnectionUrl(text)
      for (const type of read?.types ?? []) {
        const form = formOf(infoOf(type))
        const names = form.configFields.map(({ name }) => name)
        expect(names).toEqual(expect.arrayContaining(Object.keys(read?.config ?? {})))
        expect(form.secretFields.map(({ name }) => name)).toEqual(
          expect.arrayContaining(Object.keys(read?.secrets ?? {})),
        )
        const problems = problemsOf(form, filledFrom(draftOf(form), read!), 'test')
        expect(problems).toEqual({})
      }
    }
  })
})

describe('a failed test marks', () => {
  const failed = (name: string, code?: string): ConnectorTestResult => ({
    ok: false,
    checks: [
      { name: 'resolve', ok: name !== 'resolve', duration_ms: 1 },
      {
        name,
        ok: false,
        duration_ms: 1,
        error: { name: 'Error', message: 'no', ...(code === undefined ? {} : { code }) },
      },
    ],
  })
  test.each([
    ['postgres', 'resolve', undefined, ['config.host']],
    ['postgres', 'connect', 'ECONNREFUSED', ['config.host', 'config.port']],
    ['postgres', 'tls', undefined, ['config.ssl']],
    ['postgres', 'authenticate', '28P01', ['config.user', 'secrets.password']],
    ['postgres', 'authenticate', '3D000', ['config.database']],
    ['postgres', 'write_probe', undefined, []],
    ['mongodb', 'connect', undefined, ['config.uri']],
    ['s3', 'authenticate', undefined, ['config.access_key_id', 'secrets.secret_access_key']],
    ['s3', 'read_probe', undefined, ['config.bucket']],
    ['sqlite', 'open', undefined, ['config.path']],
    ['file', 'list', undefined, ['config.root']],
    ['http', 'tls', undefined, ['config.base_url']],
  ] as const)('%s at %s %s', (type, stage, code, fields) => {
    expect(failingFields(formOf(infoOf(type)), failed(stage, code))).toEqual(fields)
  })
})
