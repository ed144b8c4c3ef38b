import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestServer, startTestServer } from '../../support/server.ts'

let server: TestServer
beforeAll(async () => void (server = await startTestServer()))
afterAll(() => server.close())

/** What comes back for these bytes. */
async function raw(bytes: string): Promise<string> {
  const { hostname, port } = new URL(server.url)
  const socket = connect(Number(port), hostname)
  socket.write(bytes)
  return text(socket)
}
const asked = (method: string, path: string, more = '') =>
  raw(`${method} ${path} HTTP/1.1\r\nHost: ${new URL(server.url).host}\r\nConnection: close\r\n${more}\r\n`)

test.each(['QUERY', 'PROPFIND', 'TRACE', 'FOO', 'get'])('%s is a 405 that names the right methods', async (method) => {
  for (const more of ['', 'Content-Type: application/json\r\nContent-Length: 2\r\n']) {
    const answer = await asked(method, '/api/tasks/7?x=1', more)
    expect(answer).toMatch(/^HTTP\/1\.1 405 Method Not Allowed\r\n/)
    expect(answer).toMatch(/\r\nallow: GET, HEAD, PUT\r\n/i)
    expect(answer).toContain('"error":"METHOD_NOT_ALLOWED"')
  }
})

test('with an unknown method on an unknown path is a 404, and what is not HTTP stays a 400', async () => {
  expect(await asked('FOO', '/api/nothing')).toMatch(/^HTTP\/1\.1 404 /)
  expect(await asked('QUERY', '/api/nothing')).toMatch(/^HTTP\/1\.1 404 /)
  expect(await raw('hello\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /)
})
