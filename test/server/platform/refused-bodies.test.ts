import { once } from 'node:events'
import { type Socket, connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestServer, startTestServer } from '../../support/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const piece = Buffer.alloc(1024 * 1024, 'x')
const frame = Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')])

/** Resolves when the server has taken it, as far as the system's buffers go. */
async function send(socket: Socket, bytes: Buffer | string): Promise<void> {
  if (!socket.write(bytes)) await once(socket, 'drain')
}

test('a client that sends a refused file to its end gets the answer, and the connection goes on', async () => {
  server.platform.config.uploads.maxMb = 1
  const { hostname, port, host } = new URL(server.url)
  const socket = connect(Number(port), hostname)
  let answers = ''
  socket.on('data', (data) => (answers += data.toString()))
  try {
    const headers = { host, ...server.as('editor').headers, 'content-type': 'application/octet-stream' }
    const lines = Object.entries({ ...headers, 'transfer-encoding': 'chunked' }).map(
      ([name, value]) => `${name}: ${value}`,
    )
    await send(socket, `POST /api/uploads?name=a.csv HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
    // Far more than what lies in buffers.
    for (let at = 0; at < 32; at++) await send(socket, frame)
    await send(socket, `0\r\n\r\nGET /api/health HTTP/1.1\r\nhost: ${host}\r\n\r\n`)
    await expect.poll(() => answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200'])
  } finally {
    server.platform.config.uploads.maxMb = 4096
    socket.destroy()
  }
})
