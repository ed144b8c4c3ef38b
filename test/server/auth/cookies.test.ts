import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rawRequest } from '../../support/http.ts'
import { type TestServer, startTestServer } from '../../support/server.ts'
import { signIn } from '../../support/sign-in.ts'

const account = { username: 'Ada', password: 'correct horse' }

describe('requests with a cookie', () => {
  let server: TestServer
  let cookie: string
  beforeAll(async () => {
    server = await startTestServer()
    await server.client.post('/api/auth/bootstrap', account)
    cookie = (await signIn(server, account)).cookie
  })
  afterAll(() => server.close())

  const host = () => new URL(server.url).host
  const send = (headers: Record<string, string>, method = 'POST', path = '/api/api-keys') =>
    rawRequest(
      server.url,
      method,
      path,
      { host: host(), cookie, 'content-type': 'application/json', ...headers },
      method === 'POST' ? '{"name":"k"}' : undefined,
    )

  test('change something only with our exact origin', async () => {
    expect((await send({ origin: server.url })).status).toBe(201)
    expect((await send({ origin: server.url, 'sec-fetch-site': 'same-origin' })).status).toBe(201)
  })

  test.each([
    ['no origin', {}],
    ['another site', { origin: 'http://evil.example' }],
    ['the same machine on another port', { origin: 'http://127.0.0.1:1' }],
    ['our port under another name', { origin: 'http://localhost' }],
    ['https', { origin: 'https://127.0.0.1' }],
    ['a sandboxed page', { origin: 'null' }],
  ])('with %s change nothing', async (_, headers) => {
    const before = server.platform.store.sqlite.prepare('SELECT count(*) AS n FROM api_keys').get()
    const answer = await send(headers)
    expect(answer.status).toBe(403)
    expect(JSON.parse(answer.body)).toMatchObject({ error: 'FORBIDDEN' })
    expect(server.platform.store.sqlite.prepare('SELECT count(*) AS n FROM api_keys').get()).toEqual(before)
  })

  test.each(['same-site', 'cross-site'])('that the browser calls %s are refused even to read', async (site) => {
    expect((await send({ origin: server.url, 'sec-fetch-site': site })).status).toBe(403)
    for (const path of ['/api/auth/me', '/api/events']) {
      expect((await send({ 'sec-fetch-site': site }, 'GET', path)).status).toBe(403)
    }
  })

  test('may read when the address was typed or the page is ours', async () => {
    for (const site of ['none', 'same-origin']) {
      expect((await send({ 'sec-fetch-site': site }, 'GET', '/api/auth/me')).status).toBe(200)
    }
    expect((await send({}, 'GET', '/api/auth/me')).status).toBe(200)
  })

  test('an API key needs no origin: no browser sends it by itself', async () => {
    expect((await server.as('viewer').post('/api/api-keys', { name: 'k' })).status).toBe(201)
  })

  test('signing in from a page of another origin is refused', async () => {
    const answer = await server.client.post('/api/auth/login', account, { headers: { origin: 'http://evil.example' } })
    expect(answer.status).toBe(403)
  })
})
