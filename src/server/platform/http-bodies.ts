import { msg } from '../../contract/messages.ts'
import type { FastifyInstance } from 'fastify'
import { Socket } from 'node:net'
import type { Operation } from '../../contract/operation.ts'
import { answerOnSocket } from './http-socket-answer.ts'
import { Refusal } from './refusal.ts'

/**
 * Within this scope bodies are of the operation's own types and no other. They are left in `request.raw`, unread: the
 * handler takes them from there as they come, and counts; only an announced length is looked at here.
 */
export function leaveBodies(scope: FastifyInstance, { bodyTypes = [], bodyLimit }: Operation): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser([...bodyTypes], (request, _payload, done) => {
    const charset = otherCharset(request.headers['content-type'])
    if (charset !== null) return done(new Refusal('UNSUPPORTED_MEDIA_TYPE', msg('send_utf8', { charset })))
    if (bodyLimit !== undefined && Number(request.headers['content-length']) > bodyLimit) {
      return done(new Refusal('PAYLOAD_TOO_LARGE'))
    }
    done(null, undefined)
  })
  scope.addContentTypeParser('*', (_request, _payload, done) => {
    done(new Refusal('UNSUPPORTED_MEDIA_TYPE', msg('send_types', { types: bodyTypes.join(' or ') })))
  })
  // A handler may refuse in the middle of a body. Clients that look at the answer only when they have sent all of it, as browsers do, would
  // wait for a server that reads nothing more, and then be cut off. Node does the same with bodies that nobody began to read.
  scope.addHook('onResponse', ({ raw }, _reply, done) => {
    raw.resume()
    done()
  })
}

/** A charset that is not read here; null: the body is UTF-8. */
export function otherCharset(contentType: string | undefined): string | null {
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType ?? '')?.[1]
  return charset === undefined || /^(utf-?8|us-ascii)$/i.test(charset) ? null : charset
}

/** How long clients may take with a body, in ms and bytes. */
export interface Patience {
  /** Sends nothing more. */
  stalledMs: number
  /** For a whole body of JSON, which is small. */
  jsonMs: number
  /** An upload may be large, and its client slow: in each such span it sends so many bytes at least. */
  spanMs: number
  spanBytes: number
}

const patience: Patience = { stalledMs: 60_000, jsonMs: 30_000, spanMs: 30_000, spanBytes: 30_720 }

/** Ends the connections of clients that stop in the middle of a body, or drip: they would hold their place for good. */
export function endSlowBodies(app: FastifyInstance, { stalledMs, jsonMs, spanMs, spanBytes } = patience): void {
  app.addHook('onRequest', ({ raw, routeOptions }, reply, done) => {
    const { method, headers, socket } = raw
    const announced = headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0
    // Bodies of GET and HEAD are never read; what is injected in-process has no socket.
    if (announced && method !== 'GET' && method !== 'HEAD' && socket instanceof Socket) {
      // Node destroys it then.
      socket.setTimeout(stalledMs)
      const isUpload = routeOptions.config.operation?.bodyTypes !== undefined
      let seen = socket.bytesRead
      const timer = setInterval(
        () => {
          // It was refused, and has had its time to send what it had begun.
          if (reply.raw.writableFinished) socket.destroy()
          // What the server does not read is not the client's doing.
          else if (socket.isPaused() || (isUpload && socket.bytesRead - seen >= spanBytes)) seen = socket.bytesRead
          else answerOnSocket(socket, 'REQUEST_TIMEOUT')
        },
        isUpload ? spanMs : jsonMs,
      )
      const end = (): void => {
        clearInterval(timer)
        socket.setTimeout(0)
      }
      raw.once('end', end)
      raw.once('close', end)
    }
    done()
  })
}
