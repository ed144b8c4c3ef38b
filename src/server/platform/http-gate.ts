import { type Message, msg } from '../../contract/messages.ts'
import type { FastifyRequest, onRequestHookHandler } from 'fastify'
import { createHash, timingSafeEqual } from 'node:crypto'
import { derivedKey } from '../../process/derived-key.ts'
import type { Operation } from '../../contract/operation.ts'
import type { OperationId } from '../../contract/operations.ts'
import { type Policy, allows, policies } from '../../contract/policy.ts'
import { type Authenticator, type Caller, callerKey } from './caller.ts'
import type { Platform } from './platform.ts'
import { createRateLimiter } from './rate-limit.ts'
import { forbidden, rateLimited, unauthenticated, unavailable } from './refusal.ts'

export const SESSION_COOKIE = 'svc_session'
const SAFE_METHODS = new Set(['GET', 'HEAD'])
/** For callers that have not said who they are, by address. */
const ANONYMOUS = { perSecond: 200, burst: 600 } as const
/** Public links are opened by many from one address, and answered from memory. */
const PUBLIC_LINKS = { perSecond: 2_000, burst: 4_000 } as const
const isPublicLink = (op: Operation) => op.tag === 'Public Dashboards'

/** What is open to somebody whose password was given by somebody else. */
const OPEN_BEFORE_PASSWORD_CHANGE: ReadonlySet<string> = new Set<OperationId>([
  'getMe',
  'getOwnUser',
  'changeOwnPassword',
  'logout',
  'endSession',
])

/** The door of one operation. */
export interface Gate {
  /** Lets a request in as soon as its headers are there. */
  enter: onRequestHookHandler
  /** Looks once more when the body is there: it may have come so slowly that the caller has been shut out meanwhile. */
  again(request: FastifyRequest): void
}

/** The door of every operation: who calls, how often, from where, and whether its policy lets him in. */
export function createGate(platform: Platform, authenticator: Authenticator): (op: Operation) => Gate {
  const { limits } = platform.config
  const known = createRateLimiter(platform.clock, {
    get perSecond() {
      return limits.requestsPerSecond
    },
    get burst() {
      return limits.burst
    },
  })
  const anonymous = createRateLimiter(platform.clock, ANONYMOUS)
  const publicLinks = createRateLimiter(platform.clock, PUBLIC_LINKS)
  const executorKey = digest(platform.config.executorKey)

  function limit(caller: Caller | undefined, request: FastifyRequest): void {
    const wait = caller ? known.take(callerKey(caller)) : anonymous.take(request.ip)
    if (wait > 0) rateLimited(wait)
  }

  function admit(op: Operation, policy: Policy, request: FastifyRequest): void {
    const bearer = bearerToken(request)
    if (policy.access === 'executor') {
      if (bearer !== undefined && isExecutors(bearer, policy, request)) return
      limit(undefined, request)
      unauthenticated(msg('executor_key_wrong'))
    }
    if (platform.draining.aborted) unavailable(msg('headgate_ending'))
    if (isPublicLink(op)) {
      // Whoever is signed in is nobody special here, and a stranger must not use up what a sign-in takes.
      const wait = publicLinks.take(request.ip)
      if (wait > 0) rateLimited(wait)
      return checkOrigin(request, false)
    }
    const caller = identify(request, bearer)
    limit(caller, request)
    if (policy.access === 'public') return checkOrigin(request, false)
    if (!caller) unauthenticated()
    if (caller.kind === 'session') checkOrigin(request, true)
    check(op, policy, caller, request)
  }

  function isExecutors(bearer: string, { keyOf }: Extract<Policy, { access: 'executor' }>, request: FastifyRequest) {
    const given = digest(bearer)
    if (timingSafeEqual(given, executorKey)) return true
    if (!keyOf) return false
    const id = (request.params as Record<string, string>)[keyOf] ?? '' // the path's own
    return timingSafeEqual(given, digest(derivedKey(platform.config.executorKey, id)))
  }

  function check(op: Operation, policy: Policy, caller: Caller, request: FastifyRequest): void {
    if (caller.pending && policy.access !== 'pending') unauthenticated(msg('sign_in_incomplete'))
    // Known from here on, also to the record of a refusal.
    request.caller = caller
    if (caller.password_change_required && !caller.pending && !OPEN_BEFORE_PASSWORD_CHANGE.has(op.id)) {
      forbidden(msg('password_change_first'))
    }
    // Every id of an operation is a row of the policy table: route registration has looked.
    if (!allows(op.id as OperationId, caller)) forbidden(refusalOf(policy, caller))
  }

  function identify(request: FastifyRequest, bearer: string | undefined): Caller | undefined {
    if (bearer !== undefined) return authenticator.apiKey(bearer)
    const cookie = cookieOf(request, SESSION_COOKIE)
    return cookie === undefined ? undefined : authenticator.session(cookie)
  }

  return (op) => {
    const policy = (policies as Readonly<Record<string, Policy | undefined>>)[op.id]
    if (!policy) throw new Error(`Operation ${op.id} has no policy`)
    return {
      enter: (request, _reply, done) => {
        try {
          admit(op, policy, request)
          done()
        } catch (error) {
          // Refusals are Errors.
          done(error as Error)
        }
      },
      again(request) {
        if (!request.caller || SAFE_METHODS.has(request.method)) return
        check(op, policy, identify(request, bearerToken(request)) ?? unauthenticated(), request)
      },
    }
  }
}

/**
 * A page of another origin must not act with the cookie. Browsers send Origin with every unsafe request, so its absence
 * is refused, too; ports count, as another local program may serve pages.
 */
function checkOrigin(request: FastifyRequest, authenticated: boolean): void {
  const safe = SAFE_METHODS.has(request.method)
  const site = request.headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && !(safe && (site === 'none' || !authenticated))) {
    forbidden(msg('other_site'))
  }
  if (safe) return
  const { origin, host } = request.headers
  if (origin === undefined) {
    if (authenticated) forbidden(msg('origin_missing'))
    return
  }
  const { platform } = request.server.headgate
  const behindProxy = host !== undefined && platform.config.allowedHosts.includes(host) && origin === `https://${host}`
  if (origin !== `http://${host}` && !behindProxy) forbidden(msg('other_origin'))
}

function refusalOf(policy: Policy, caller: Caller): Message | undefined {
  if (policy.access !== 'role') return undefined
  const scoped = caller.scopes.length > 0 && !caller.scopes.includes(policy.scope)
  if (scoped) return msg('scope_lacking', { scope: policy.scope })
  return msg('role_too_low', { role: caller.role, wanted: policy.role })
}

function bearerToken(request: FastifyRequest): string | undefined {
  const { authorization } = request.headers
  if (authorization === undefined) return undefined
  return /^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? ''
}

/** The value of a cookie; ours needs no decoding. */
export function cookieOf(request: FastifyRequest, name: string): string | undefined {
  const { cookie } = request.headers
  if (!cookie) return undefined
  for (const part of cookie.split(';')) {
    const at = part.indexOf('=')
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim()
  }
  return undefined
}

const digest = (text: string) => createHash('sha256').update(text).digest()
