import { msg } from '../../contract/messages.ts'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Operation } from '../../contract/operation.ts'
import type { Authenticator, Caller } from './caller.ts'
import { type HttpAudit, createHttpAudit } from './http-audit.ts'
import { endSlowBodies } from './http-bodies.ts'
import { errorBody, toRefusal } from './http-errors.ts'
import { type Gate, createGate } from './http-gate.ts'
import { guardHost, secureHeaders, servedHosts } from './http-guards.ts'
import { acceptJsonOnly } from './http-json-body.ts'
import { answerUnknownPath, loggedPath, methodsOf, refuseShadowedMethods } from './http-paths.ts'
import { createSerializerCompiler } from './http-serialization.ts'
import { answerOnSocket } from './http-socket-answer.ts'
import { createValidatorCompiler } from './http-validation.ts'
import { type Idempotency, createIdempotency } from './idempotency.ts'
import type { Platform } from './platform.ts'
import { Refusal } from './refusal.ts'
import { type RequestsUnderWay, createRequestsUnderWay } from './requests-under-way.ts'
import { type Streams, createStreams } from './streams.ts'

/** What routes find at their app. */
export interface HttpServices {
  readonly platform: Platform
  readonly gate: (op: Operation) => Gate
  readonly idempotency: Idempotency
  readonly audit: HttpAudit
  /** Open event streams, which end when their credential is revoked or the server drains. */
  readonly streams: Streams
  readonly requests: RequestsUnderWay
}

declare module 'fastify' {
  interface FastifyInstance {
    headgate: HttpServices
  }
  interface FastifyRequest {
    /** Set by the gate of the operation. */
    caller: Caller | undefined
    /** The raw answer. */
    answer: ServerResponse | undefined
  }
  interface FastifyContextConfig {
    operation?: Operation
  }
}

const DEFAULT_BODY_LIMIT = 1_048_576

/** The HTTP side without any operation: error shape, guards, validation. */
export function createHttpApp(platform: Platform, authenticator: Authenticator): FastifyInstance {
  const app = Fastify({
    logger: false,
    genReqId: () => platform.ids.uuid(),
    requestIdHeader: false,
    bodyLimit: DEFAULT_BODY_LIMIT,
    forceCloseConnections: 'idle',
    // Names of resources are paths of files; their schema says how long, and Node how long an address may be.
    routerOptions: { maxParamLength: 16_384, ignoreTrailingSlash: false },
    clientErrorHandler: answerBrokenRequest,
    http: { headersTimeout: 20_000, connectionsCheckingInterval: 5_000 },
    frameworkErrors(error, request, reply) {
      // The hooks have not run.
      secureHeaders(request, reply)
      sendError(platform, error, request, reply)
    },
  })
  app.decorate('headgate', {
    platform,
    gate: createGate(platform, authenticator),
    idempotency: createIdempotency(platform.store, platform.clock),
    audit: createHttpAudit(platform),
    streams: createStreams(platform, authenticator),
    requests: createRequestsUnderWay(),
  })
  app.decorateRequest('caller', undefined)
  app.decorateRequest('answer', undefined)
  app.decorateRequest('signedIn', undefined)
  app.setValidatorCompiler(createValidatorCompiler())
  app.setSerializerCompiler(createSerializerCompiler())
  acceptJsonOnly(app)
  endSlowBodies(app)
  limitConnections(app)
  const hosts = servedHosts(platform.config)
  app.addHook('onRequest', (request, reply, done) => {
    try {
      request.answer = reply.raw
      app.headgate.requests.add(reply.raw)
      secureHeaders(request, reply)
      guardHost(request, hosts)
      // Fastify knows the method and would look at the body first.
      if (request.method === 'QUERY') answerUnknownPath(request, reply)
      done()
    } catch (error) {
      // Refusals are Errors.
      done(error as Error)
    }
  })
  app.setErrorHandler((error, request, reply) => sendError(platform, error, request, reply))
  app.setNotFoundHandler(answerUnknownPath)
  refuseShadowedMethods(app)
  return app
}

export function sendError(platform: Platform, error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const refusal = toRefusal(error)
  const { status, body } = errorBody(refusal, request.id)
  request.server.headgate.audit.failed(request, status, body.error)
  if (status >= 500) {
    const fields = { request_id: request.id, method: request.method, path: loggedPath(request) }
    // A refusal that was meant (no executor is online) is no fault; one made of an error (the disk is full) is.
    if (error instanceof Refusal) platform.logger.info(fields, error.message)
    else platform.logger.error({ ...fields, err: error }, refusal?.message ?? 'A request failed unexpectedly')
  }
  if (refusal?.retryAfterSeconds) reply.header('retry-after', String(refusal.retryAfterSeconds))
  if (status === 401) reply.header('www-authenticate', 'Bearer')
  reply.status(status).header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(body))
}

/**
 * Takes nothing new, lets what is under way finish, and ends every connection. Browsers keep connections that they have
 * not used yet; Node does not count those as idle and would wait for a request on them.
 */
export async function closeHttpApp(app: FastifyInstance): Promise<void> {
  const closed = app.close()
  await app.headgate.requests.settled()
  app.server.closeAllConnections()
  await closed
}

/** Bytes that are not HTTP, or do not come. */
function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  const isLate = error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
  // Browsers open connections ahead, and know what to do when one is closed unused.
  if (error.code === 'ECONNRESET' || (isLate && socket.bytesRead === 0)) return void socket.destroy()
  if (isLate) answerOnSocket(socket, 'REQUEST_TIMEOUT')
  else if (error.code === 'HPE_HEADER_OVERFLOW') answerOnSocket(socket, 'HEADERS_TOO_LARGE')
  else if (error.code === 'HPE_INVALID_METHOD') answerUnknownMethod(error, socket)
  else answerOnSocket(socket, 'VALIDATION_ERROR', msg('not_http'))
}

/** A method that Node's parser doesn't know. What isn't a request line at all is no HTTP. */
function answerUnknownMethod(error: Error & { rawPacket?: Buffer }, socket: Socket): void {
  const line = /^([A-Za-z]{1,40}) (\/[^\s?]*)\S* HTTP\/1\.[01]\r\n/.exec(error.rawPacket?.toString('latin1') ?? '')
  const [, method = '', path = ''] = line ?? []
  const methods = methodsOf(path).join(', ')
  if (!line) answerOnSocket(socket, 'VALIDATION_ERROR', msg('not_http'))
  else if (methods === '') answerOnSocket(socket, 'NOT_FOUND')
  else
    answerOnSocket(
      socket,
      'METHOD_NOT_ALLOWED',
      msg('method_not_taken', { path, methods, method }),
      `Allow: ${methods}\r\n`,
    )
}

/** More connections of one address than all windows, executors and scripts of a machine have. */
const mostConnections = 1000

/** One address cannot take the places of all others. */
function limitConnections(app: FastifyInstance): void {
  const open = new Map<string, number>()
  app.server.on('connection', (socket: Socket) => {
    const from = socket.remoteAddress ?? ''
    const count = (open.get(from) ?? 0) + 1
    open.set(from, count)
    socket.once('close', () => {
      const left = (open.get(from) ?? 1) - 1
      if (left === 0) open.delete(from)
      else open.set(from, left)
    })
    if (count > mostConnections) answerOnSocket(socket, 'RATE_LIMITED', msg('too_many_connections'))
  })
}
