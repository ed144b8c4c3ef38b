import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A far system of the worst kind: what it refuses it repeats, credentials first. `/token` gives out `accessToken`. */
export async function startEcho(accessToken: string) {
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await textOf(request)
    const { authorization, 'x-api-key': key } = request.headers
    const echo = [authorization, key, request.url, body, JSON.stringify(request.headers)].join(' ')
    const token = request.url === '/token'
    response.writeHead(token ? 200 : 401, {
      'content-type': 'application/json',
      'x-echo': encodeURI(request.url ?? ''),
    })
    const given = { access_token: accessToken, token_type: 'Bearer', expires_in: 60 }
    response.end(JSON.stringify(token ? given : { error: echo, error_description: echo }))
  }
  const server = createServer((request, response) => void answer(request, response))
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
