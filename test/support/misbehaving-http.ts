import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { gzipSync } from 'node:zlib'

/** A real HTTP server on a free port of 127.0.0.1 whose every path does what a test wants, well or badly. */
export interface MisbehavingHttp {
  url: string
  /** What was asked, in order. */
  seen: Seen[]
  on(path: string, behave: Behaviour): void
  /** Requests under way: a client that was stopped has none. */
  open(): number
  stop(): Promise<void>
}

export interface Seen {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  body: string
}

/** `count`: how often this path was asked, from 1. */
export type Behaviour = (response: ServerResponse, request: Seen, count: number) => void

export async function startMisbehavingHttp(tls?: { key: string; cert: string }): Promise<MisbehavingHttp> {
  const behaviours = new Map<string, Behaviour>()
  const counts = new Map<string, number>()
  const seen: Seen[] = []
  let open = 0
  const listen = (request: IncomingMessage, response: ServerResponse): void => {
    open++
    response.once('close', () => open--)
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const url = new URL(request.url ?? '/', 'http://localhost')
      const asked: Seen = {
        method: request.method ?? '',
        path: url.pathname,
        query: url.searchParams,
        headers: request.headers,
        body: Buffer.concat(parts).toString(),
      }
      seen.push(asked)
      const count = (counts.get(url.pathname) ?? 0) + 1
      counts.set(url.pathname, count)
      const behave = behaviours.get(url.pathname) ?? answer('{"error":"nothing here"}', { status: 404 })
      behave(response, asked, count)
    })
  }
  const server = tls ? createSecureServer(tls, listen) : createServer(listen)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port')
  return {
    url: `http${tls ? 's' : ''}://127.0.0.1:${address.port}`,
    seen,
    on: (path, behave) => void behaviours.set(path, behave),
    open: () => open,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

interface AnswerOptions {
  status?: number
  headers?: Record<string, string | string[]>
}

export function answer(body: string | Buffer, { status = 200, headers = {} }: AnswerOptions = {}): Behaviour {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(body)
  }
}

export function json(value: unknown, options: AnswerOptions = {}): Behaviour {
  return answer(JSON.stringify(value), options)
}

export function redirect(to: string, status = 302): Behaviour {
  return answer('', { status, headers: { location: to } })
}

/** The first answers fail, the later ones do not. */
export function fails(times: number, bad: Behaviour, good: Behaviour): Behaviour {
  return (response, request, count) => (count <= times ? bad : good)(response, request, count)
}

export const neverAnswers: Behaviour = () => undefined

/** A body that begins and goes on for ever, a blank now and then. */
export const neverEnds: Behaviour = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.write('[')
  const timer = setInterval(() => response.write(' '), 50)
  response.once('close', () => clearInterval(timer))
}

/** Half of what was announced, then the connection is gone. */
export const cutsOff: Behaviour = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
  response.write('[{"id":1},', () => response.destroy())
}

/** Ends in good order, but with less than was announced. */
export const announcesTooMuch: Behaviour = (response) => {
  response.socket?.end(
    'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 500\r\nconnection: close\r\n\r\n[{"id":1}]',
  )
}

/** 200 KB that become 200 MB. */
export const gzipBomb: Behaviour = answer(gzipSync(Buffer.alloc(200 * 1024 * 1024, ' ')), {
  headers: { 'content-encoding': 'gzip' },
})

/** A body without end, as fast as it is taken. */
export const pours: Behaviour = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  const block = Buffer.alloc(1024 * 1024, ' ')
  const pour = (): void => {
    while (!response.destroyed && response.write(block));
    if (!response.destroyed) response.once('drain', pour)
  }
  pour()
}
