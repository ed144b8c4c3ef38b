import type { FastifyReply, FastifyRequest } from 'fastify'
import { Readable } from 'node:stream'
import { abortSignal } from './http.ts'

/** A client that takes nothing for so long is not waited for any longer. */
const STALLED_MS = 60_000

export interface Pieces {
  pieces: AsyncIterable<string | Uint8Array>
  /** Called in any case when it is over: lets go of what an answer that nobody has begun to take holds. */
  abandon?: () => void
  /** The head is sent at once: the first piece may take long, and clients do not wait forever. */
  isSlow?: boolean
}

/**
 * Answers with pieces as fast as the client takes them. Cut off when the client goes away or stalls, when its credential is
 * revoked, and when the server ends. The content type is the caller's to set.
 */
export function sendPieces(request: FastifyRequest, reply: FastifyReply, { pieces, abandon, isSlow }: Pieces): void {
  const { logger } = request.server.headgate.platform
  const ended = abortSignal(request)
  const stream = Readable.from(
    unlessStalled(pieces, (error) => stream.destroy(error)),
    { objectMode: false },
  )
  // What aborts it is an Error.
  const end = () => void stream.destroy(ended.reason as Error)
  if (ended.aborted) end()
  else ended.addEventListener('abort', end, { once: true })
  if (abandon) stream.once('close', abandon)
  if (isSlow) stream.once('resume', () => reply.raw.flushHeaders())
  stream.on('error', (error) => {
    logger.warn({ err: error, request_id: request.id }, 'A long answer was not sent to its end')
  })
  reply.send(stream)
}

async function* unlessStalled(pieces: AsyncIterable<string | Uint8Array>, stall: (error: Error) => void) {
  for await (const piece of pieces) {
    const timer = setTimeout(() => stall(new Error('The client has taken nothing for a minute')), STALLED_MS)
    timer.unref()
    try {
      yield piece
    } finally {
      clearTimeout(timer)
    }
  }
}
