import Fastify from 'fastify'
import { connect } from 'node:net'
import type { Static } from 'typebox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CreatedApiKey } from '../../../src/contract/auth.ts'
import { createApiKey, revokeApiKey } from '../../../src/contract/api-keys.ts'
import { endStalledBodies } from '../../../src/server/platform/http-bodies.ts'
import { signIn } from '../../support/sign-in.ts'
import { type TestServer, startTestServer } from '../../support/server.ts'

type Created = Static<typeof CreatedApiKey>
const account = { username: 'ada', password: 'correct horse battery staple' }
const body = JSON.stringify({ name: 'kept for later' })

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  await server.client.post('/api/auth/bootstrap', account)
})
afterAll(() => server.close())

interface SlowRequest {
  /** Sends the rest; the status of the answer. */
  finish(): Promise<number>
  closed: Promise<void>
}
/** A POST that has been let in, and whose body has not come yet. */
function slowPost(url: string, path: string, headers: Record<string, string>): Promise<SlowRequest> {
  const { hostname, port, host } = new URL(url)
  const socket = connect(Number(port), hostname)
  const closed = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<number>()
  const letIn = Promise.withResolvers<SlowRequest>()
  socket.on('close', () => closed.resolve())
  socket.on('error', () => {})
  const finish = () => {
    socket.write(body.slice(1))
    return answered.promise
  }
  socket.on('data', (data) => {
    const status = Number(/^HTTP\/1.1 (\d{3})/.exec(data.toString())?.[1])
    // The server says so as soon as it has the headers, and looks at them at once.
    if (status === 100) letIn.resolve({ finish, closed: closed.promise })
    else {
      answered.resolve(status)
      socket.destroy()
    }
  })
  const lines = Object.entries({
    host,
    'content-type': 'application/json',
    'content-length': String(body.length),
    expect: '100-continue',
    ...headers,
  }).map(([name, value]) => `${name}: ${value}`)
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body[0]}`)
  return letIn.promise
}
const slowKeyRequest = (headers: Record<string, string>) => slowPost(server.url, createApiKey.path, headers)

describe('whoever is shut out while the body of his request is on its way does nothing any more', () => {
  test('by revoking his key', async () => {
    const admin = server.as('admin')
    const made: Created = await admin.call(createApiKey, { body: { name: 'lost' } })
    const request = await slowKeyRequest({ authorization: `Bearer ${made.key}` })
    await admin.call(revokeApiKey, { params: { id: made.id } })
    expect(await request.finish()).toBe(401)
  })

  test('by ending his session', async () => {
    const { cookie } = await signIn(server, account)
    const headers = { cookie, origin: server.url }
    const request = await slowKeyRequest(headers)
    await server.client.with(headers).post('/api/auth/logout')
    expect(await request.finish()).toBe(401)
  })

  test('by taking his role', async () => {
    const editor = server.as('editor')
    const { user } = (await editor.get('/api/auth/me')).body as { user: { id: number } }
    const request = await slowPost(server.url, '/api/tasks', { ...editor.headers })
    await server.as('superadmin').put(`/api/users/${user.id}`, { role: 'viewer' })
    expect(await request.finish()).toBe(403)
  })

  test('and who is not, does', async () => {
    const request = await slowKeyRequest({ ...server.as('admin').headers })
    expect(await request.finish()).toBe(201)
  })
})

test('a client that sends nothing more of its body is not waited for; one that waits for its answer is', async () => {
  const app = Fastify()
  endStalledBodies(app, 200)
  const late = Promise.withResolvers<string>()
  app.post('/', () => late.promise)
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const answer = fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const stalled = await slowPost(url, '/', {})
  await stalled.closed
  late.resolve('{}')
  expect((await answer).status).toBe(200)
  await app.close()
})
