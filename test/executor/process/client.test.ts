import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { postRunState } from '../../../src/contract/executor-protocol.ts'
import {
  createControlPlaneClient,
  Refused,
  Unreachable,
  type ControlPlaneClient,
} from '../../../src/executor/control/control-plane-client.ts'

type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => void
let server: Server
let client: ControlPlaneClient
let handler: Handler
let requests: { path: string; headers: IncomingMessage['headers']; body: string }[]
let connections: number

const state = {
  params: { id: 7 },
  body: { attempt: 1, lease_token: 'ü', state: 'running' as const, started_at: '2026-01-01T00:00:00.000Z' },
}
const answer = (response: ServerResponse, status: number, body: unknown, headers = {}): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

beforeEach(async () => {
  requests = []
  connections = 0
  handler = (_, response) => answer(response, 200, { accepted: true })
  server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (chunk) => (body += String(chunk)))
    request.on('end', () => {
      requests.push({ path: request.url ?? '', headers: request.headers, body })
      handler(request, response, body)
    })
  })
  server.on('connection', () => (connections += 1))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const url = new URL(`http://127.0.0.1:${port}/base/`)
  client = createControlPlaneClient({ url: () => url, key: () => 'secret-key', backoff: { firstMs: 1, maxMs: 5 } })
})
afterEach(() => {
  client.close()
  server.closeAllConnections()
  server.close()
})

test('sends the operation as the contract says, with the key, over one connection', async () => {
  for (let n = 0; n < 5; n++) expect(await client.call(postRunState, state)).toEqual({ accepted: true })
  expect(requests[0]).toMatchObject({
    path: '/base/api/executor/runs/7/state',
    headers: { authorization: 'Bearer secret-key', 'content-type': 'application/json' },
  })
  expect(JSON.parse(requests[0]!.body)).toEqual(state.body)
  expect(connections).toBe(1)
})

describe('persist', () => {
  test('tries again after errors of the server and broken connections', async () => {
    const failures: Handler[] = [
      (_, response) => answer(response, 503, { error: 'UNAVAILABLE', message: 'later' }),
      (request) => request.socket.destroy(),
      (_, response) => answer(response, 429, { error: 'RATE_LIMITED', message: 'slowly' }, { 'retry-after': '0' }),
      (_, response) => response.writeHead(200).end('<html>a proxy</html>'),
      (_, response) => answer(response, 200, { accepted: true }),
    ]
    handler = (...args) => failures.shift()?.(...args)
    expect(await client.persist(postRunState, state)).toEqual({ accepted: true })
    expect(requests).toHaveLength(5)
  })

  test('tries again after answers that were cut off, wherever that was and however their length is told', async () => {
    const whole = JSON.stringify({ accepted: true, pad: 'x'.repeat(300_000) })
    const cut = (status: number, headers: Record<string, string | number>, length: number): Handler => {
      return (_, response) => {
        response.writeHead(status, headers)
        response.write(whole.slice(0, length), () => response.socket?.destroy())
      }
    }
    const failures: Handler[] = [
      cut(200, { 'content-length': whole.length }, 200_000),
      cut(200, { 'content-length': whole.length }, 0),
      cut(200, {}, 200_000),
      // All that matters has come, but not the end of it.
      cut(200, {}, whole.length),
      cut(200, { connection: 'close', 'transfer-encoding': 'identity' }, 200_000),
      // Refused, perhaps: what for is not known.
      cut(409, { 'content-length': whole.length }, 200_000),
      (_, response) => answer(response, 200, { accepted: true }),
    ]
    const { length } = failures
    handler = (...args) => failures.shift()?.(...args)
    expect(await client.persist(postRunState, state)).toEqual({ accepted: true })
    expect(requests).toHaveLength(length)
  })

  test.each([400, 401, 404, 409, 413])('never repeats what was refused with %i', async (status) => {
    handler = (_, response) => answer(response, status, { error: 'SOME_CODE', message: 'no' })
    const error = await client.persist(postRunState, state).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(Refused)
    expect(error).toMatchObject({ status, body: { error: 'SOME_CODE', message: 'no' } })
    expect(requests).toHaveLength(1)
  })

  test('ends when it is aborted, with the reason', async () => {
    handler = (_, response) => answer(response, 500, { error: 'INTERNAL_ERROR', message: 'x' })
    const abort = new AbortController()
    const persisting = client.persist(postRunState, { ...state, signal: abort.signal })
    await expect.poll(() => requests.length).toBeGreaterThan(2)
    abort.abort(new Error('enough'))
    await expect(persisting).rejects.toThrow('enough')
  })
})

test('gives up on an answer that does not come', async () => {
  handler = () => {}
  await expect(client.call(postRunState, { ...state, timeoutMs: 50 })).rejects.toThrow(Unreachable)
})
