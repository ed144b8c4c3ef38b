import type { FastifyInstance } from 'fastify'
import type { AddressInfo } from 'node:net'
import { type Socket, connect } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { streamEvents } from '../../../src/contract/events.ts'
import type { Caller } from '../../../src/server/platform/caller.ts'
import { createHttpApp } from '../../../src/server/platform/http-app.ts'
import { route, streamed } from '../../../src/server/platform/http.ts'
import { type EventStream, type SseOptions, openEventStream } from '../../../src/server/platform/sse.ts'
import { type TestPlatform, openTestPlatform } from '../../support/platform.ts'
import { openSse } from '../../support/sse.ts'

let opened: TestPlatform
let app: FastifyInstance
let url: string
let streams: EventStream[]
let valid: boolean
let options: Partial<SseOptions>
let sockets: Socket[]

beforeEach(async () => {
  opened = await openTestPlatform()
  streams = []
  sockets = []
  valid = true
  options = {}
  const caller: Caller = {
    kind: 'api_key',
    user_id: 1,
    username: 'ada',
    role: 'viewer',
    scopes: [],
    api_key_id: 5,
    pending: false,
  }
  app = createHttpApp(opened.platform, {
    session: () => undefined,
    apiKey: () => (valid ? caller : undefined),
    stillValid: () => valid,
  })
  route(app, streamEvents, ({ request, reply, caller: who }) => {
    streams.push(openEventStream(request, reply, { caller: who, ...options }))
    return streamed
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
})
afterEach(async () => {
  for (const stream of streams) stream.close()
  for (const socket of sockets) socket.destroy()
  await app.close()
  opened.close()
})

const open = () => openSse(`${url}/api/events`, { authorization: 'Bearer svc_x' })
/** A client that asks and then never reads. */
async function openDeaf(): Promise<EventStream> {
  const { hostname, port, host } = new URL(url)
  const socket = connect(Number(port), hostname)
  sockets.push(socket)
  socket.on('error', () => {})
  socket.pause()
  socket.write(`GET /api/events HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer svc_x\r\n\r\n`)
  await expect.poll(() => streams.length).toBe(1)
  return streams[0]!
}

test('events arrive with id, name and data, whatever characters they hold', async () => {
  const client = await open()
  const data = { text: 'a\nb\r\n\u2028data: x\n\n', n: 1 }
  expect(streams[0]!.send({ id: 7, event: 'line', data })).toBe(true)
  expect(await client.next(() => true)).toEqual({ id: '7', event: 'line', data })
  client.close()
})

test('heartbeats keep a quiet stream alive', async () => {
  options = { heartbeatMs: 10 }
  const client = await open()
  await expect.poll(() => client.comments.length).toBeGreaterThan(2)
  client.close()
})

test('a stream whose key has expired ends with the next heartbeat', async () => {
  options = { heartbeatMs: 10 }
  const client = await open()
  valid = false
  await client.ended
  expect(streams[0]!.closed).toBe(true)
})

test('revoking one key ends its streams and no other', async () => {
  const client = await open()
  app.headgate.streams.revoke('api_key:6')
  streams[0]!.send({ data: 1 })
  await client.next(() => true)
  app.headgate.streams.revoke('api_key:5')
  await client.ended
  expect(streams[0]!.send({ data: 2 })).toBe(false)
})

test('a client that leaves too much untaken is dropped', async () => {
  const stream = await openDeaf()
  let closed = 0
  stream.onClose(() => (closed += 1))
  const data = 'x'.repeat(500_000)
  let sent = 0
  while (stream.send({ data }) && sent < 200) sent += 1
  expect(stream.closed).toBe(true)
  expect(closed).toBe(1)
  expect(sent).toBeLessThan(60)
  await stream.drained()
  expect(app.headgate.streams.open).toBe(0)
})

test('a client that takes nothing from one heartbeat to the next is dropped', async () => {
  options = { heartbeatMs: 20, maxPendingBytes: Infinity }
  const stream = await openDeaf()
  for (let i = 0; i < 100; i++) stream.send({ data: 'x'.repeat(200_000) })
  await expect.poll(() => stream.closed).toBe(true)
})

test('whoever sends waits until the client has taken what is there', async () => {
  const client = await open()
  const stream = streams[0]!
  for (let i = 0; i < 20; i++) {
    stream.send({ id: i, data: 'x'.repeat(500_000) })
    await stream.drained()
  }
  await client.next(({ id }) => id === '19')
  expect(client.events).toHaveLength(20)
  client.close()
})

test('told of the end once, also when it came before', async () => {
  const client = await open()
  const stream = streams[0]!
  const heard: string[] = []
  stream.onClose(() => heard.push('first'))
  client.close()
  await expect.poll(() => stream.closed).toBe(true)
  stream.close()
  stream.onClose(() => heard.push('late'))
  expect(heard).toEqual(['first', 'late'])
})
