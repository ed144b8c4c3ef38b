import { msg } from '../../contract/messages.ts'
import type { FastifyInstance, FastifyRequest, FastifyReply, RouteOptions } from 'fastify'
import { createHash } from 'node:crypto'
import type { Static, TSchema } from 'typebox'
import type { BodyOf, Operation, ParamsOf, QueryOf, ResultOf } from '../../contract/operation.ts'
import type { Caller } from './caller.ts'
import { callerKey } from './caller.ts'
import type { IdempotentCall } from './idempotency.ts'
import { leaveBodies } from './http-bodies.ts'
import { hasHead } from './http-paths.ts'
import { Refusal, conflict, invalid } from './refusal.ts'

type HeadersOf<T extends Operation> = T['headers'] extends TSchema ? Static<T['headers']> : Record<never, never>
type CallerOf<T extends Operation> = T['security'] extends 'caller' | 'pending' ? Caller : undefined

/** What a handler gets: the validated request, and ways to answer beyond the body. */
export interface Context<T extends Operation> {
  readonly params: ParamsOf<T>
  readonly query: QueryOf<T>
  readonly body: BodyOf<T>
  readonly headers: HeadersOf<T>
  readonly caller: CallerOf<T>
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  /** Sets the ETag of the answer; the value without quotes. */
  readonly etag: (value: string) => void
  /**
   * Refuses with 409 when the caller sent an `If-Match` that is not `current` (without quotes; null: there is none), or
   * `If-None-Match: *` though there is one.
   */
  readonly ifMatch: (current: string | null) => void
  /**
   * Keeps the answer under the request's Idempotency-Key, in the transaction under way. Synchronous handlers need not call
   * it; an asynchronous one does, inside its own transaction, so that a crash cannot come between work and record.
   */
  readonly remember: (result: ResultOf<T>) => void
}

/** Returned by a handler that has taken over `ctx.reply` (hijacked) and writes the answer itself. */
export const streamed: unique symbol = Symbol('streamed')

type Answer<T extends Operation> = ResultOf<T> | typeof streamed
export type Handler<T extends Operation> = (ctx: Context<T>) => Answer<T> | Promise<Answer<T>>

/** What a handler that can't wait needs to have been read, if anything; its answer is called when the handler is done. */
export type Ahead<T extends Operation> = (ctx: Context<T>) => Promise<() => void> | undefined

/**
 * Serves an operation: its policy first, then validation, then the handler, whose value is the body of the success answer.
 * Expected failures are thrown as `Refusal`. `ahead` comes before the handler, and may take its time.
 */
export function route<T extends Operation>(app: FastifyInstance, op: T, handler: Handler<T>, ahead?: Ahead<T>): void {
  const gate = app.headgate.gate(op)
  const status = Number(Object.keys(op.responses)[0] ?? 200)
  const served: RouteOptions = {
    method: op.method,
    url: op.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    schema: {
      ...(op.params && { params: op.params }),
      ...(op.query && { querystring: op.query }),
      ...(op.headers && { headers: op.headers }),
      ...(op.body && !op.bodyTypes && { body: op.body }),
      // 204 has no body to be written.
      response: Object.fromEntries(Object.entries(op.responses).filter(([of]) => of !== '204')),
    },
    ...(bodyLimitOf(op) && { bodyLimit: bodyLimitOf(op) }),
    exposeHeadRoute: hasHead(op),
    config: { operation: op },
    onRequest: gate.enter,
    preValidation: (request, _reply, done) => {
      try {
        gate.again(request)
        if (op.bodyOptional && (request.body === undefined || request.body === null)) request.body = {}
        done()
      } catch (error) {
        // Refusals are Errors.
        done(error as Error)
      }
    },
    handler: async (request, reply) => {
      reply.status(status)
      const reading = ahead?.(context(op, request, reply, () => {}))
      // Most often there is nothing to wait for, and requests that start runs are many.
      const release = reading && (await reading)
      try {
        // What the caller may can have changed since.
        if (release) gate.again(request)
        const result = await answer(app, op, handler, request, reply)
        return result === streamed ? reply : result
      } finally {
        release?.()
      }
    },
  }
  if (!op.bodyTypes) return void app.route(served)
  void app.register((scope, _options, done) => {
    leaveBodies(scope, op)
    scope.route(served)
    done()
  })
}

/** Strangers send little: a megabyte of theirs takes the server's thread for as long as anybody's. */
const strangersLimit = 65_536
const bodyLimitOf = ({ bodyLimit, security }: Operation) =>
  bodyLimit ?? (security === 'none' || security === 'pending' ? strangersLimit : undefined)

/** What a reader of a record gets of the request. */
type RecordOf<T extends Operation> = Pick<Context<T>, 'params' | 'caller'>

/** Registers how a record is read: the audit log has its digests before and after what changes it. */
export function auditRecord<T extends Operation>(
  app: FastifyInstance,
  op: T,
  read: (of: RecordOf<T>) => ResultOf<T>,
): void {
  app.headgate.audit.shows(op, ({ params, caller }) =>
    // As `context` does: the request is one for this record.
    read({ params: params as ParamsOf<T>, caller: caller as CallerOf<T> }),
  )
}

/** Serves the GET of a record, which the audit log reads in the same way; `etag` without quotes. */
export function recordRoute<T extends Operation>(
  app: FastifyInstance,
  op: T,
  read: (of: RecordOf<T>) => ResultOf<T>,
  etag?: (of: RecordOf<T>) => string,
): void {
  auditRecord(app, op, read)
  route(app, op, (ctx) => {
    if (etag) ctx.etag(etag(ctx))
    return read(ctx)
  })
}

function answer<T extends Operation>(
  app: FastifyInstance,
  op: T,
  handler: Handler<T>,
  request: FastifyRequest,
  reply: FastifyReply,
): Answer<T> | Promise<Answer<T>> {
  const { audit, idempotency } = app.headgate
  const work = (remember: (result: ResultOf<T>) => void) =>
    audit.around(
      op,
      request,
      () => reply.statusCode,
      () => handler(context(op, request, reply, remember)),
    )
  const call = op.idempotent ? idempotentCall(op, request) : undefined
  return call ? idempotency.once(call, reply, work) : work(() => {})
}

function context<T extends Operation>(
  op: T,
  request: FastifyRequest,
  reply: FastifyReply,
  remember: (result: ResultOf<T>) => void,
): Context<T> {
  // The operation's own schemas have just validated the request, and its gate has found the caller.
  return {
    params: request.params as ParamsOf<T>,
    query: request.query as QueryOf<T>,
    body: request.body as BodyOf<T>,
    headers: request.headers as HeadersOf<T>,
    caller: request.caller as CallerOf<T>,
    request,
    reply,
    etag: (value) => void reply.header('etag', `"${value}"`),
    ifMatch: (current) => checkIfMatch(op, request, current),
    remember,
  }
}

function checkIfMatch(op: Operation, request: FastifyRequest, current: string | null): void {
  const unless = op.ifNoneMatch ? request.headers['if-none-match'] : undefined
  if (unless !== undefined && unless !== '*')
    invalid([{ path: 'headers.if-none-match', ...msg('none_match_not_star') }])
  if (unless !== undefined && current !== null) {
    conflict(msg('already_there'))
  }
  const given = request.headers['if-match']
  if (given === undefined) return
  const tags = new Set(given.split(',').map((tag) => tag.trim()))
  if (current !== null && (tags.has('*') || tags.has(`"${current}"`))) return
  conflict(msg('changed_since_read'))
}

function idempotentCall(op: Operation, request: FastifyRequest): IdempotentCall | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,200}$/.test(key)) {
    invalid([{ path: 'headers.idempotency-key', ...msg('idempotency_key_invalid') }])
  }
  const ofUrl = createHash('sha256').update(request.url)
  // Whoever calls a webhook is known by its token alone, which is in the URL: keys of two webhooks are two.
  const caller = request.caller ? callerKey(request.caller) : ofUrl.copy().digest('hex')
  const digest = ofUrl.update('\n').update(JSON.stringify(request.body ?? null))
  return {
    caller,
    operation: op.id,
    key,
    requestHash: digest.digest('hex'),
  }
}

const signals = new WeakMap<FastifyRequest, AbortSignal>()

/** Aborted when the client goes away before it has its answer, when what the caller may has changed, or when the server ends. */
export function abortSignal(request: FastifyRequest): AbortSignal {
  const known = signals.get(request)
  if (known) return known
  const controller = new AbortController()
  const { platform, streams } = request.server.headgate
  const { draining } = platform
  const end = () => controller.abort(new Error('The server is ending'))
  const cutOff = () => {
    if (draining.aborted) end()
    else controller.abort(new Refusal('AUTH_ERROR', msg('access_changed')))
  }
  const forget = request.caller ? streams.add(request.caller, cutOff) : () => {}
  const { answer: response } = request
  response?.once('close', () => {
    forget()
    draining.removeEventListener('abort', end)
    if (!response.writableFinished) controller.abort(new Error('The client has gone'))
  })
  if (draining.aborted) end()
  else draining.addEventListener('abort', end, { once: true })
  signals.set(request, controller.signal)
  return controller.signal
}
