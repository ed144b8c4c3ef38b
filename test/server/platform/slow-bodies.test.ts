import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Static } from 'typebox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CreatedApiKey } from '../../../src/contract/auth.ts'
import { createApiKey, revokeApiKey } from '../../../src/contract/api-keys.ts'
import { endSlowBodies } from '../../../src/server/platform/http-bodies.ts'
import { importBundle } from '../../../src/contract/exchange.ts'
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

describe('a client is waited for', () => {
  const patience = { stalledMs: 2_000, jsonMs: 300, spanMs: 200, spanBytes: 100 }
  let url: string
  const late = Promise.withResolvers<string>()
  const app = Fastify()
  beforeAll(async () => {
    endSlowBodies(app, patience)
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, done) => done(null, text))
    app.addContentTypeParser('text/plain', (_request, payload, done) => {
      payload.resume().once('end', () => done(null, ''))
    })
    app.post('/', () => late.promise)
    app.post('/upload', { config: { operation: { ...importBundle } } }, () => 'taken')
    const refuse = async (_request: FastifyRequest, reply: FastifyReply) => reply.status(401).send('no')
    app.post('/refused', { config: { operation: { ...importBundle } }, onRequest: refuse }, () => 'taken')
    url = await app.listen({ port: 0, host: '127.0.0.1' })
  })
  afterAll(() => app.close())

  /** Sends a body in drops; what the server says, or `taken` when all of it has gone. */
  async function drip(path: string, type: string, drop: string, everyMs: number, drops: number): Promise<string> {
    const { hostname, port, host } = new URL(url)
    const socket = connect(Number(port), hostname)
    socket.on('error', () => {})
    const answer: string[] = []
    socket.on('data', (data) => answer.push(data.toString()))
    const closed = new Promise((resolve) => socket.once('close', resolve))
    const length = drop.length * drops
    socket.write(
      `POST ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\ncontent-type: ${type}\r\ncontent-length: ${length}\r\n\r\n`,
    )
    for (let sent = 0; sent < drops && socket.writable && answer.length === 0; sent++) {
      socket.write(drop)
      await sleep(everyMs)
    }
    await closed
    return answer.join('')
  }

  test('not longer than a body of JSON may take, even if it always sends something', async () => {
    const answer = await drip('/', 'application/json', '1', 20, 100)
    expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
    expect(JSON.parse(answer.slice(answer.indexOf('{')))).toEqual({
      error: 'REQUEST_TIMEOUT',
      message: 'The request took too long to arrive',
    })
  })

  test('with an upload as long as it goes on, and not when it drips', async () => {
    const [goesOn, drips] = await Promise.all([
      drip('/upload', 'text/plain', 'x'.repeat(100), 20, 40),
      drip('/upload', 'text/plain', 'x', 20, 100),
    ])
    expect(goesOn).toMatch(/^HTTP\/1\.1 200 /)
    expect(drips).toMatch(/^HTTP\/1\.1 408 /)
  })

  test('with a refused upload only until it could have sent what it had begun, however fast it goes on', async () => {
    const { hostname, port, host } = new URL(url)
    const socket = connect(Number(port), hostname)
    socket.on('error', () => {})
    let answer = ''
    socket.on('data', (data) => (answer += data.toString()))
    socket.write(
      `POST /refused HTTP/1.1\r\nhost: ${host}\r\ncontent-type: text/plain\r\ncontent-length: 1000000000\r\n\r\n`,
    )
    const timer = setInterval(() => socket.write('x'.repeat(1_000)), 5)
    await new Promise((resolve) => socket.once('close', resolve))
    clearInterval(timer)
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401'])
  })

  test('while it waits for its own answer', async () => {
    const answer = fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    await sleep(3 * patience.jsonMs)
    late.resolve('{}')
    expect((await answer).status).toBe(200)
  })
})
