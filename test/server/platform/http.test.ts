import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestPlatform, type TestPlatform } from '../../support/platform.ts'
import { rawBytes, rawRequest } from '../../support/http.ts'
import { type TestServer, startTestServer } from '../../support/server.ts'
import { createHttpApp } from '../../../src/server/platform/http-app.ts'

let server: TestServer
const logged: string[] = []
beforeAll(async () => {
  server = await startTestServer({ onLog: (line) => logged.push(line) })
})
afterAll(() => server.close())

const host = () => new URL(server.url).host

describe('a request that says two things', () => {
  const get = (lines: string) => rawBytes(server.url, `GET ${lines}\r\nConnection: close\r\n\r\n`)

  test('by two Host headers is refused, whichever is right', async () => {
    for (const hosts of [
      [host(), 'evil.example'],
      ['evil.example', host()],
      [host(), host()],
    ]) {
      const answer = await get(`/api/health HTTP/1.1\r\n${hosts.map((one) => `Host: ${one}`).join('\r\n')}`)
      expect(answer).toMatch(/^HTTP\/1\.1 400/)
    }
  })

  test('by an address of another host is refused', async () => {
    expect(await get(`http://evil.example/api/health HTTP/1.1\r\nHost: ${host()}`)).toMatch(/^HTTP\/1\.1 421/)
    expect(await get(`http://${host()}/api/health HTTP/1.1\r\nHost: evil.example`)).toMatch(/^HTTP\/1\.1 421/)
    expect(await get(`http://${host()}/api/health HTTP/1.1\r\nHost: ${host()}`)).toMatch(/^HTTP\/1\.1 200/)
  })

  test('by a charset that JSON does not have is a 415', async () => {
    const headers = { 'content-type': 'application/json; charset=utf-16' }
    expect(await server.client.post('/api/auth/login', '{}', { headers })).toMatchObject({
      status: 415,
      body: { error: 'UNSUPPORTED_MEDIA_TYPE', message: 'Send it as UTF-8, not as utf-16' },
    })
  })
})

describe('errors', () => {
  test('an unknown path below /api is a 404 in the form of every error, with its request id in header and body', async () => {
    const answer = await server.client.get('/api/nothing')
    expect(answer).toMatchObject({ status: 404, body: { error: 'NOT_FOUND', message: 'Resource not found' } })
    expect((answer.body as { request_id: string }).request_id).toBe(answer.headers.get('x-request-id'))
  })

  test('a request id that the caller sends is not taken over', async () => {
    const answer = await server.client.get('/api/health', { headers: { 'x-request-id': 'mine' } })
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('a wrong method is a 405 that names the right ones', async () => {
    const answer = await server.client.delete('/api/tasks/7')
    expect(answer).toMatchObject({
      status: 405,
      body: { error: 'METHOD_NOT_ALLOWED', message: '/api/tasks/7 accepts GET, HEAD, PUT, not DELETE' },
    })
    expect(answer.headers.get('allow')).toBe('GET, HEAD, PUT')
    expect((await server.client.request('OPTIONS', '/api/auth/login')).headers.get('allow')).toBe('POST')
  })

  test('HEAD answers as GET without the body, but opens no stream', async () => {
    expect((await server.client.request('HEAD', '/api/health')).status).toBe(200)
    const stream = await server.as('viewer').request('HEAD', '/api/events')
    expect(stream.status).toBe(405)
    expect(stream.headers.get('allow')).toBe('GET')
  })

  test('a body that is too large is a 413', async () => {
    const body = JSON.stringify({ username: 'a'.repeat(1_100_000), password: 'x' })
    expect(await server.client.post('/api/auth/login', body)).toMatchObject({
      status: 413,
      body: { error: 'PAYLOAD_TOO_LARGE' },
    })
  })

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'a body of type %s is a 415',
    async (type) => {
      const answer = await server.client.request('POST', '/api/auth/login', {
        body: 'a=b',
        headers: { 'content-type': type },
      })
      expect(answer).toMatchObject({
        status: 415,
        body: { error: 'UNSUPPORTED_MEDIA_TYPE', message: 'Send application/json' },
      })
    },
  )

  test('malformed JSON is told with line and column', async () => {
    const answer = await server.client.post('/api/auth/login', '{\n  "username": "ada",\n  "password": }\n')
    expect(answer).toMatchObject({
      status: 400,
      body: {
        error: 'VALIDATION_ERROR',
        details: [
          { path: 'body', line: 3, column: 15, message: 'is not valid JSON: found "}" where a value was expected' },
        ],
      },
    })
  })

  test('a body that would change prototypes is refused', async () => {
    const answer = await server.client.post('/api/auth/login', '{"__proto__": {"role": "admin"}}')
    expect(answer).toMatchObject({
      status: 400,
      body: { details: [{ path: 'body', message: expect.stringContaining('not allowed') }] },
    })
  })

  test('a missing body is told as such', async () => {
    expect(await server.client.post('/api/auth/login')).toMatchObject({
      status: 400,
      body: { details: [{ path: 'body', message: 'must be an object, not nothing' }] },
    })
  })

  test('every mistake of a request is told at once, with its place and in words', async () => {
    const admin = server.as('admin')
    const body = { nam: 'x', role: 'king', scopes: ['read', 'read'], expires_at: 'tomorrow' }
    expect(await admin.post('/api/api-keys', body)).toMatchObject({
      status: 400,
      body: {
        error: 'VALIDATION_ERROR',
        message: 'Invalid input',
        details: expect.arrayContaining([
          { path: 'body.name', message: 'is missing', code: 'required', params: { missingProperty: 'name' } },
          {
            path: 'body.nam',
            message: 'is not a known field; did you mean name?',
            code: 'additionalProperties',
            params: { additionalProperty: 'nam' },
          },
          {
            path: 'body.role',
            message: 'must be one of "viewer", "editor", "admin", "superadmin"',
            code: 'enum',
            params: { allowedValues: ['viewer', 'editor', 'admin', 'superadmin'] },
          },
          {
            path: 'body.scopes',
            message: 'must not hold the same element twice',
            code: 'uniqueItems',
            params: { i: 0, j: 1 },
          },
          {
            path: 'body.expires_at',
            message: 'must be a time such as 2026-03-01T08:30:00.000Z',
            code: 'format',
            params: { format: 'date-time' },
          },
        ]),
      },
    })
  })

  test.each([
    ['/api/api-keys?limit=0', { path: 'query.limit', message: 'must be at least 1' }],
    ['/api/api-keys?limit=201', { path: 'query.limit', message: 'must be at most 200' }],
    ['/api/api-keys?limit=ten', { path: 'query.limit', message: 'must be a whole number, not "ten"' }],
    ['/api/api-keys?limt=1', { path: 'query.limt', message: 'is not a known field; did you mean limit?' }],
    ['/api/tasks/abc', { path: 'params.id', message: 'must be a whole number, not "abc"' }],
    ['/api/tasks/0', { path: 'params.id', message: 'must be at least 1' }],
    ['/api/tasks/99999999999999999999', { path: 'params.id', message: 'must be at most 9007199254740991' }],
  ])('%s', async (path, detail) => {
    expect(await server.as('viewer').get(path)).toMatchObject({
      status: 400,
      body: { error: 'VALIDATION_ERROR', details: [detail] },
    })
  })

  test.each(['2016-12-31T23:59:60Z', '2026-01-01T00:00:00+05', '2026-02-30T00:00:00Z', '9999-12-31T23:59:59-23:00'])(
    '%s is no time that can be calculated with, and is told so',
    async (from) => {
      const details = [{ path: 'query.from', message: 'must be a time such as 2026-03-01T08:30:00.000Z' }]
      expect(await server.as('admin').get('/api/audit', { query: { from } })).toMatchObject({
        status: 400,
        body: { error: 'VALIDATION_ERROR', details },
      })
    },
  )

  test('types of a body are not converted', async () => {
    const answer = await server.client.post('/api/auth/login', { username: 1, password: true })
    expect(answer).toMatchObject({
      body: {
        details: [
          { path: 'body.username', message: 'must be a text, not 1' },
          { path: 'body.password', message: 'must be a text, not true or false' },
        ],
      },
    })
  })

  test('bytes that are not HTTP are answered in the same form', async () => {
    const answer = await rawBytes(server.url, 'NONSENSE\r\n\r\n')
    expect(answer).toMatch(/^HTTP\/1\.1 400 [\s\S]*\{"error":"VALIDATION_ERROR"/)
  })

  test('an unexpected error is a 500 that says nothing; the log has the cause under the request id', async () => {
    const { store } = server.platform
    const admin = server.as('admin')
    store.sqlite.exec('ALTER TABLE api_keys RENAME COLUMN prefix TO gone')
    const failed = await admin.get('/api/api-keys?q=canary')
    store.sqlite.exec('ALTER TABLE api_keys RENAME COLUMN gone TO prefix')
    expect(failed).toMatchObject({ status: 500, body: { error: 'INTERNAL_ERROR', message: 'Internal error' } })
    const { request_id } = failed.body as { request_id: string }
    expect(Object.keys(failed.body as object)).toEqual(['error', 'message', 'request_id'])
    const line = logged.find((text) => text.includes(request_id))
    expect(line).toMatch(/no such column/)
    expect(line).not.toMatch(/canary/)
  })
})

describe('who may ask, and from where', () => {
  test.each(['127.0.0.1', 'localhost', '[::1]'])('%s with our port is us', async (name) => {
    const port = new URL(server.url).port
    expect((await rawRequest(server.url, 'GET', '/api/health', { host: `${name}:${port}` })).status).toBe(200)
  })

  test.each(['evil.example', '127.0.0.1', '127.0.0.1:1', 'localhost', 'localhost.evil.example:80', '127.0.0.1.nip.io'])(
    'the host %j is refused with 421, whatever the path',
    async (name) => {
      for (const path of ['/api/health', '/', '/api/nothing', '/api/openapi.json']) {
        const answer = await rawRequest(server.url, 'GET', path, { host: name })
        expect(answer.status).toBe(421)
        expect(JSON.parse(answer.body)).toMatchObject({ error: 'MISDIRECTED_REQUEST' })
      }
    },
  )

  test('a request without a host, or with an empty one, gets nothing', async () => {
    expect(await rawBytes(server.url, 'GET /api/health HTTP/1.1\r\nConnection: close\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 400/,
    )
    expect(await rawBytes(server.url, 'GET /api/health HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 421/,
    )
    expect(await rawBytes(server.url, 'GET /api/health HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 421/)
  })

  test('a configured name is served, as it stands or with our port, and no other', async () => {
    const proxied = await startTestServer({ config: { allowedHosts: ['headgate.example'] } })
    const { port } = new URL(proxied.url)
    const status = async (name: string) => (await rawRequest(proxied.url, 'GET', '/api/health', { host: name })).status
    expect(await status('headgate.example')).toBe(200)
    expect(await status(`HEADGATE.example:${port}`)).toBe(200)
    expect(await status('www.headgate.example')).toBe(421)
    await proxied.close()
  })

  test('no answer carries a CORS header, and every one carries the protecting headers', async () => {
    for (const path of ['/api/health', '/api/nothing', '/api/auth/me', '/api/docs', '/api/openapi.json']) {
      const { headers } = await rawRequest(server.url, 'GET', path, { host: host(), origin: 'http://evil.example' })
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
      expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' })
      const policy = String(headers['content-security-policy'])
      expect(policy).toContain("script-src 'self';")
      for (const rule of [
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "object-src 'none'",
        "form-action 'self'",
        "connect-src 'self'",
      ]) {
        expect(policy).toContain(rule)
      }
    }
  })
})

describe('limits', () => {
  let opened: TestPlatform
  test('a caller that asks too often is told when to come back', async () => {
    const small = await startTestServer({ config: { limits: { requestsPerSecond: 1, burst: 3 } } })
    const viewer = small.as('viewer')
    const statuses = []
    for (let i = 0; i < 5; i++) statuses.push((await viewer.get('/api/auth/me')).status)
    expect(statuses.slice(0, 3)).toEqual([200, 200, 200])
    expect(statuses).toContain(429)
    const refused = await viewer.get('/api/auth/me')
    expect(refused).toMatchObject({ status: 429, body: { error: 'RATE_LIMITED' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect((await small.as('viewer').get('/api/auth/me')).status).toBe(200)
    for (let i = 0; i < 10; i++) {
      const { status } = await small.asExecutor().post('/api/executors/999/heartbeat', { running: [] })
      expect(status).not.toBe(429)
    }
    await small.close()
  })

  test('an operation without a policy cannot be served', async () => {
    opened = await openTestPlatform()
    const app = createHttpApp(opened.platform, {
      session: () => undefined,
      apiKey: () => undefined,
      stillValid: () => false,
    })
    const { route } = await import('../../../src/server/platform/http.ts')
    const op = {
      id: 'secretDoor',
      method: 'GET',
      path: '/api/x',
      tag: 'X',
      summary: 'x',
      security: 'none',
      responses: {},
      errors: [],
    } as const
    expect(() => route(app, op, () => ({}) as never)).toThrow('Operation secretDoor has no policy')
    await app.close()
    opened.close()
  })
})
