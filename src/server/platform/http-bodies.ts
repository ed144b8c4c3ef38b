import type { FastifyInstance } from 'fastify'
import { Socket } from 'node:net'
import type { Operation } from '../../contract/operation.ts'
import { Refusal } from './refusal.ts'

/**
 * Within this scope bodies are of the operation's own types and no other. They are left in `request.raw`, unread: the
 * handler takes them from there as they come, and counts; only an announced length is looked at here.
 */
export function leaveBodies(scope: FastifyInstance, { bodyTypes = [], bodyLimit }: Operation): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser([...bodyTypes], (request, _payload, done) => {
    const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(request.headers['content-type'] ?? '')?.[1]
    if (charset !== undefined && !/^(utf-?8|us-ascii)$/i.test(charset)) {
      return done(new Refusal('UNSUPPORTED_MEDIA_TYPE', `Send it as UTF-8, not as ${charset}`))
    }
    if (bodyLimit !== undefined && Number(request.headers['content-length']) > bodyLimit) {
      return done(new Refusal('PAYLOAD_TOO_LARGE'))
    }
    done(null, undefined)
  })
  scope.addContentTypeParser('*', (_request, _payload, done) => {
    done(new Refusal('UNSUPPORTED_MEDIA_TYPE', `Send ${bodyTypes.join(' or ')}`))
  })
}

/** A client that sends nothing of what it has announced for so long is not waited for. */
const STALLED_MS = 60_000

/** Ends the connections of clients that stop in the middle of a body: they would hold their place for good. */
export function endStalledBodies(app: FastifyInstance, stalledMs = STALLED_MS): void {
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    const { method, headers, socket } = raw
    const announced = headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0
    // Bodies of GET and HEAD are never read; what is injected in-process has no socket.
    if (announced && method !== 'GET' && method !== 'HEAD' && socket instanceof Socket) {
      // Node destroys it then.
      socket.setTimeout(stalledMs)
      raw.once('end', () => socket.setTimeout(0))
    }
    done()
  })
}
