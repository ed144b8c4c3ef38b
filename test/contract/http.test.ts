// What holds for every operation, whatever it does.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ErrorBody, ErrorCode } from '../../src/contract/errors.ts'
import { type OperationId, operations } from '../../src/contract/operations.ts'
import { policies } from '../../src/contract/policy.ts'
import { rawRequest } from '../support/http.ts'
import type { Answer, TestClient } from '../support/server.ts'
import { signIn } from '../support/sign-in.ts'
import { errorComplaints } from './support/interface.ts'
import { type Request, operationOf, pathOf, sendRaw } from './support/send.ts'
import { type World, account, createWorld } from './support/worlds.ts'

const ids = Object.keys(operations).map((id) => id as OperationId)
/** Bodies of other types are read by whoever takes them. */
const withBody = ids.filter((id) => operationOf(id).body && !operationOf(id).bodyTypes)
const isStream = (id: OperationId) => operationOf(id).streams !== undefined

let world: World
let admin: TestClient
let cookie: string
beforeAll(async () => {
  world = await createWorld({ config: { limits: { requestsPerSecond: 100_000, burst: 100_000 } } })
  admin = world.server.as('superadmin')
  cookie = (await signIn(world.server, account)).cookie
})
afterAll(() => world?.close())

const json = { 'content-type': 'application/json' }
/** Who may perform the operation. */
const headersFor = (id: OperationId) =>
  policies[id].access === 'executor'
    ? { ...world.server.asExecutor().headers, 'x-executor-credential': 'any' }
    : admin.headers
const send = (id: OperationId, request: Request & { body?: string } = {}) =>
  sendRaw(world.server.url, id, { ...request, headers: { ...headersFor(id), ...request.headers } }, request.body)

/** What keeps the answer from being this refusal, in the form of every error. */
function unlike(code: ErrorCode, answer: Answer): string[] {
  const is = (answer.body as Partial<ErrorBody>).error === code
  return [...(is ? [] : [`${answer.status} ${JSON.stringify(answer.body)}`]), ...errorComplaints(answer)]
}

describe('every path', () => {
  const paths = Map.groupBy(ids, (id) => operationOf(id).path)
  test.each([...paths.keys()])('%s takes its own methods and says which', async (path) => {
    const own = paths.get(path)!.map((id) => operationOf(id).method)
    const others = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((method) => !own.some((one) => one === method))
    const target = pathOf({ ...operationOf('getHealth'), path })
    for (const method of others) {
      const answer = await admin.request(method, target)
      expect(unlike('METHOD_NOT_ALLOWED', answer)).toEqual([])
      const allowed = answer.headers.get('allow')!.split(', ')
      expect(allowed.filter((one) => one !== 'HEAD').toSorted()).toEqual(own.toSorted())
    }
  })

  test.each(['/api', '/api/', '/api/task', '/api/tasks/1/', '/api//tasks', '/API/tasks', '/api/tasks/1/x'])(
    '%s is none',
    async (path) => {
      for (const method of ['GET', 'POST', 'DELETE'])
        expect(unlike('NOT_FOUND', await admin.request(method, path))).toEqual([])
    },
  )
})

describe('every operation that takes a body', () => {
  test.each(withBody)('%s names line and column of what is no JSON', async (id) => {
    const answer = await send(id, { params: anyParams(id), headers: json, body: '{\n  "a": tru }' })
    expect(unlike('VALIDATION_ERROR', answer)).toEqual([])
    expect(answer.body).toMatchObject({ details: [{ path: 'body', line: 2, column: 8 }] })
  })

  test.each(withBody)('%s refuses a body that would change prototypes', async (id) => {
    for (const body of ['{"__proto__": {}}', '{"a": {"constructor": {"prototype": {}}}}']) {
      expect(unlike('VALIDATION_ERROR', await send(id, { params: anyParams(id), headers: json, body }))).toEqual([])
    }
  })

  // What calls a webhook sends what it likes.
  test.each(withBody.filter((id) => id !== 'callHook'))('%s names a field that it does not know', async (id) => {
    const answer = await send(id, { params: anyParams(id), headers: json, body: '{"no_such_field": 1}' })
    expect(unlike('VALIDATION_ERROR', answer)).toEqual([])
    expect(answer.body).toMatchObject({
      details: expect.arrayContaining([
        {
          path: 'body.no_such_field',
          message: 'is not a known field',
          code: 'additionalProperties',
          params: { additionalProperty: 'no_such_field' },
        },
      ]) as unknown,
    })
  })

  test.each(withBody.filter((id) => !operationOf(id).bodyLimit))('%s takes no body of 2 MiB', async (id) => {
    const body = JSON.stringify({ text: 'x'.repeat(2 * 1_048_576) })
    expect(unlike('PAYLOAD_TOO_LARGE', await send(id, { params: anyParams(id), headers: json, body }))).toEqual([])
  })
})

describe('every operation that one performs with a session', () => {
  const forSessions = ids.filter((id) => ['role', 'pending'].includes(policies[id].access))
  const unsafe = forSessions.filter((id) => operationOf(id).method !== 'GET')
  const withCookie = (id: OperationId, headers: Record<string, string>) =>
    sendRaw(world.server.url, id, { params: anyParams(id), headers: { cookie, ...headers } })

  test.each(unsafe)('%s is refused to a page of another origin, and to one that does not say', async (id) => {
    const { origin, port } = new URL(world.server.url)
    for (const from of ['http://evil.example', 'null', origin.replace(port, '1'), `http://localhost:${port}`]) {
      expect(unlike('FORBIDDEN', await withCookie(id, { origin: from }))).toEqual([])
    }
    expect(unlike('FORBIDDEN', await withCookie(id, {}))).toEqual([])
    expect(unlike('FORBIDDEN', await withCookie(id, { origin, 'sec-fetch-site': 'cross-site' }))).toEqual([])
  })

  test.each(forSessions)('%s is refused to another site', async (id) => {
    for (const site of ['cross-site', 'same-site']) {
      expect(unlike('FORBIDDEN', await withCookie(id, { origin: world.server.url, 'sec-fetch-site': site }))).toEqual(
        [],
      )
    }
  })

  test('none of these refusals has ended the session', async () => {
    expect((await world.server.client.get('/api/auth/me', { headers: { cookie } })).status).toBe(200)
  })
})

describe('every answer', () => {
  const common = {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown,
    'content-security-policy': expect.stringContaining("frame-ancestors 'none'") as unknown,
  }
  const own = (headers: Headers) => Object.fromEntries(headers)

  test.each(ids.filter((id) => !isStream(id)))(
    '%s has the headers of safety, and lets no other origin read',
    async (id) => {
      // Not done: no operation takes this parameter, body or query, or it has none of them.
      const answer = await send(id, {
        headers: { origin: 'http://evil.example', ...json },
        body: withoutBody(id) ? undefined : '[]',
      })
      expect(own(answer.headers)).toMatchObject(common)
      expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([])
    },
  )

  test.each(['/api/tasks/%', '/api/tasks/%ZZ', '/api/connectors/1/resources/%ff'])(
    '%s, which is not validly encoded, is refused like any other mistake',
    async (path) => {
      const { host } = new URL(world.server.url)
      const { status, headers, body } = await rawRequest(world.server.url, 'GET', path, { host, ...admin.headers })
      const given = new Headers(Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]))
      expect(unlike('VALIDATION_ERROR', { status, headers: given, body: JSON.parse(body) as unknown })).toEqual([])
      expect(own(given)).toMatchObject(common)
      expect(JSON.parse(body)).toMatchObject({ details: [{ path: 'path' }] })
    },
  )

  test.each(ids.filter((id) => operationOf(id).method === 'GET' && !isStream(id)))(
    '%s by HEAD is as by GET, without the body',
    async (id) => {
      const path = pathOf(operationOf(id), { id: world.files, vid: 1, name: 'x' })
      const [get, head] = [await admin.get(path), await admin.request('HEAD', path)]
      expect([head.status, head.headers.get('content-type'), head.body]).toEqual([
        get.status,
        get.headers.get('content-type'),
        '',
      ])
    },
  )
})

test('a resource may have a name as long as its path may be', async () => {
  const name = `${'ordner-ä/'.repeat(400)}x.csv`
  const params = { id: world.files, name }
  // No executor is there to look: it is not refused before that.
  expect(unlike('UNAVAILABLE', await send('getResource', { params }))).toEqual([])
  expect(
    unlike('VALIDATION_ERROR', await send('getResource', { params: { ...params, name: 'x'.repeat(4_097) } })),
  ).toEqual([])
})

test('a parameter that stands twice is refused, not guessed', async () => {
  for (const query of ['limit=1&limit=2', 'q=a&q=b', 'archived=true&archived=false', 'cursor=a&cursor=b']) {
    expect(unlike('VALIDATION_ERROR', await admin.get(`/api/tasks?${query}`))).toEqual([])
  }
})

const withoutBody = (id: OperationId) => operationOf(id).body === undefined
/** Such that only the body can be what is refused. */
function anyParams(id: OperationId): Record<string, number | string> {
  const names = [...operationOf(id).path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
  return Object.fromEntries(names.map((name) => [name, name === 'name' ? 'x' : 1]))
}
