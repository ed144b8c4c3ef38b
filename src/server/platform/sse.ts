import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from './caller.ts'

export interface SseMessage {
  /** What a client that comes back sends as Last-Event-ID. */
  id?: number | string
  event?: string
  data: unknown
}

/** An answer of server-sent events. */
export interface EventStream {
  readonly closed: boolean
  /** False when the stream is closed, also by this message: a client that does not keep up is dropped and resumes later. */
  send(message: SseMessage): boolean
  /** Bytes that the client has not taken yet. */
  readonly pending: number
  /** Resolves when the client has taken what was sent, or the stream is closed. */
  drained(): Promise<void>
  close(): void
  onClose(listener: () => void): void
}

export interface SseOptions {
  caller: Caller
  /** How long the client waits before it comes back. */
  retryMs?: number
  heartbeatMs?: number
  /** A client that leaves so many bytes untaken is dropped. */
  maxPendingBytes?: number
}

/** Takes over the answer as a stream of events. It ends when the client goes, its credential is revoked, or we drain. */
export function openEventStream(request: FastifyRequest, reply: FastifyReply, options: SseOptions): EventStream {
  const { retryMs = 1_000, heartbeatMs = 15_000, maxPendingBytes = 4_194_304, caller } = options
  const { streams } = request.server.headgate
  const { raw } = reply
  const listeners: (() => void)[] = []
  let closed = false
  reply.hijack()
  raw.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  })
  raw.write(`retry: ${retryMs}\n\n`)

  function finish(): void {
    if (closed) return
    closed = true
    clearInterval(heartbeat)
    forget()
    for (const listener of listeners) listener()
  }

  function close(): void {
    if (closed) return
    finish()
    raw.end()
  }

  function drop(): void {
    finish()
    raw.destroy()
  }

  let stalled = false
  raw.on('drain', () => (stalled = false))
  const heartbeat = setInterval(() => {
    if (!streams.stillValid(caller)) return close()
    // From one heartbeat to the next it has taken nothing of what was there.
    if (stalled) return drop()
    stalled = raw.writableNeedDrain
    write(': heartbeat\n\n')
  }, heartbeatMs)
  heartbeat.unref()

  function write(text: string): boolean {
    if (closed) return false
    raw.write(text)
    if (raw.writableLength > maxPendingBytes) drop()
    return !closed
  }

  let forget: () => void = () => {}
  raw.once('close', finish)
  // A socket that breaks is told by close.
  raw.on('error', () => {})
  forget = streams.add(caller, close)
  return {
    get closed() {
      return closed
    },
    get pending() {
      return raw.writableLength
    },
    send: (message) => write(format(message)),
    drained: () =>
      closed || !raw.writableNeedDrain
        ? Promise.resolve()
        : new Promise((resolve) => {
            raw.once('drain', resolve)
            listeners.push(resolve)
          }),
    close,
    onClose(listener) {
      if (closed) listener()
      else listeners.push(listener)
    },
  }
}

/** The Last-Event-ID of a client that comes back, as a number; undefined when it is new or sends something else. */
export function lastEventId(request: FastifyRequest): number | undefined {
  const header = request.headers['last-event-id']
  return typeof header === 'string' && /^\d{1,15}$/.test(header) ? Number(header) : undefined
}

function format({ id, event, data }: SseMessage): string {
  const lines = [`data: ${JSON.stringify(data)}`]
  if (event !== undefined) lines.unshift(`event: ${event}`)
  if (id !== undefined) lines.unshift(`id: ${id}`)
  return `${lines.join('\n')}\n\n`
}
