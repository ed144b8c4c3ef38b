import { type IncomingMessage, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A far system of the worst kind: what it refuses it repeats, credentials and all. `/token` gives out `accessToken`. */
export async function startEcho(accessToken: string) {
  const server = createServer((request, response) => {
    void textOf(request).then((body) => {
      const token = request.url === '/token'
      response.writeHead(token ? 200 : 401, {
        'content-type': 'application/json',
        'x-echo': encodeURI(request.url ?? ''),
      })
      const echo = { error: 'denied', url: request.url, headers: request.headers, body }
      response.end(JSON.stringify(token ? { access_token: accessToken, token_type: 'Bearer', expires_in: 60 } : echo))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // Listening on TCP, so it has a port.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  // A request's chunks are buffers.
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString()
}
