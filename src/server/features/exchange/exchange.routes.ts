import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Readable } from 'node:stream'
import { bundleType, exportBundle, importBundle } from '../../../contract/exchange.ts'
import type { Caller } from '../../platform/caller.ts'
import { abortSignal, route, streamed } from '../../platform/http.ts'
import type { ExportsService } from './exports.service.ts'
import type { ImportsService } from './imports.service.ts'

/** A client that takes nothing for so long is not waited for any longer. */
const STALLED_MS = 60_000

export function registerExchangeRoutes(app: FastifyInstance, exports: ExportsService, imports: ImportsService): void {
  route(app, exportBundle, ({ query, caller, request, reply }) => {
    const bundle = exports.open(query)
    const day = app.headgate.platform.clock.iso().slice(0, 10)
    reply.header('content-disposition', `attachment; filename="headgate-${day}.ndjson"`)
    sendLines(request, reply, endOf(request, caller), bundle)
    return streamed
  })

  route(app, importBundle, async ({ query, caller, request, reply }): Promise<typeof streamed> => {
    const ended = endOf(request, caller)
    const interrupt = () => request.raw.destroy()
    ended.addEventListener('abort', interrupt, { once: true })
    // Leaving the loop must not end the connection, over which a refusal still has to go.
    const body: AsyncIterable<Uint8Array> = request.raw.iterator({ destroyOnReturn: false })
    const applied = await imports.open(body, query, caller, ended)
    ended.removeEventListener('abort', interrupt)
    sendLines(request, reply, ended, applied)
    return streamed
  })
}

interface Lines {
  lines: AsyncGenerator<string>
  abandon(): void
}

/** Aborted when the client goes away, when its credential is revoked, and when the server ends. */
function endOf(request: FastifyRequest, caller: Caller): AbortSignal {
  const revoked = new AbortController()
  const forget = request.server.headgate.streams.add(caller, () =>
    revoked.abort(new Error('The server ends, or the caller may do no more')),
  )
  request.answer?.once('close', forget)
  return AbortSignal.any([abortSignal(request), revoked.signal])
}

/** As fast as the client takes them. */
function sendLines(request: FastifyRequest, reply: FastifyReply, ended: AbortSignal, { lines, abandon }: Lines): void {
  const { logger } = request.server.headgate.platform
  const stream = Readable.from(
    unlessStalled(lines, (error) => stream.destroy(error)),
    { objectMode: false },
  )
  // What aborts it is an Error.
  const end = () => void stream.destroy(ended.reason as Error)
  if (ended.aborted) end()
  else ended.addEventListener('abort', end, { once: true })
  stream.once('close', abandon)
  stream.on('error', (error) => {
    logger.warn({ err: error, request_id: request.id }, 'A bundle, or what became of it, was not sent to its end')
  })
  reply.header('content-type', `${bundleType}; charset=utf-8`)
  reply.send(stream)
}

async function* unlessStalled(lines: AsyncGenerator<string>, stall: (error: Error) => void) {
  for await (const piece of lines) {
    const timer = setTimeout(() => stall(new Error('The client has taken nothing for a minute')), STALLED_MS)
    timer.unref()
    try {
      yield piece
    } finally {
      clearTimeout(timer)
    }
  }
}
