import type { FastifyRequest } from 'fastify'
import { createHash } from 'node:crypto'
import type { Operation } from '../../contract/operation.ts'
import type { NewAuditRecord } from './audit.ts'
import { entityOf, isAtomic, isAudited, isOwn, shownAt } from './http-audit.rules.ts'
import { loggedPath } from './http-paths.ts'
import type { Platform } from './platform.ts'
import { createRateLimiter } from './rate-limit.ts'

/** Who has just signed in: set by the operations that do it, as nobody was there when they were called. */
export interface SignedInUser {
  user_id: number
  username: string
}

declare module 'fastify' {
  interface FastifyRequest {
    signedIn: SignedInUser | undefined
  }
}

/** Reads the record that the request is about. */
type Show = (request: FastifyRequest) => unknown

export interface HttpAudit {
  /** How the record of a GET is read: its digests stand in the records of what changes it. */
  shows(op: Operation, show: Show): void
  /** Whether the record that the operation changes is read: then its digests are known. */
  reads(op: Operation): boolean
  /** Does the work and records it. Refusals and failures are recorded by `failed`, whoever throws them. */
  around<R>(op: Operation, request: FastifyRequest, status: () => number, work: () => R | Promise<R>): R | Promise<R>
  /** Never throws: it is the answer that counts then. */
  failed(request: FastifyRequest, status: number, code: string): void
}

/** Records never go: whoever says nothing of himself must not fill the disk with what is no try to get in. */
const STRANGERS = { perSecond: 1 / 30, burst: 20 } as const

export function createHttpAudit({ audit, store, logger, clock }: Platform): HttpAudit {
  const shown = new Map<string, Show>()
  const strangers = createRateLimiter(clock, STRANGERS)

  /** Wrong passwords and tokens are few: more of them are a 429. */
  function isFlood(request: FastifyRequest, status: number): boolean {
    if (status === 429) return true
    return !request.caller && status !== 401 && strangers.take(request.ip) > 0
  }

  function readerOf(op: Operation): Show | undefined {
    const path = shownAt(op)
    return path === undefined ? undefined : shown.get(path)
  }

  function look(op: Operation, request: FastifyRequest): unknown {
    const show = readerOf(op)
    if (!show) return undefined
    try {
      return show(request)
    } catch {
      // It is not there, or not any more: then there is no digest of it.
      return undefined
    }
  }

  function record(op: Operation, request: FastifyRequest, status: number, before: unknown, result: unknown): void {
    const after = look(op, request) ?? (op.method === 'POST' && idOf(result) !== null ? result : undefined)
    audit.append({
      ...auditedRequest(op, request),
      ...named(op, request, [result, after, before]),
      outcome: 'ok',
      status,
      error: null,
      before_digest: digestOf(before),
      after_digest: digestOf(after),
    })
  }

  return {
    shows: (op, show) => void shown.set(op.path, show),
    reads: (op) => readerOf(op) !== undefined,

    around(op, request, status, work) {
      if (!isAudited(op)) return work()
      const act = () => {
        const before = look(op, request)
        const noted = (value: unknown) => record(op, request, status(), before, value)
        const { value: result, grouped } = store.followed(noted, work)
        if (!(result instanceof Promise)) noted(result)
        return { noted, result, grouped }
      }
      const { noted, result, grouped } = isAtomic(op) ? store.transaction(act) : act()
      if (grouped || !(result instanceof Promise)) return result
      return result.then((value) => {
        noted(value)
        return value
      })
    },

    failed(request, status, code) {
      const op = request.routeOptions?.config.operation
      // Whoever says nothing of himself may knock as he likes; only tries to get in are noted. Floods are not.
      if (!op || !isAudited(op) || (!request.caller && op.security !== 'none')) return
      try {
        if (isFlood(request, status)) return
        audit.append({
          ...auditedRequest(op, request),
          ...named(op, request, [look(op, request)]),
          outcome: status >= 500 ? 'failed' : 'refused',
          status,
          error: code,
          before_digest: null,
          after_digest: null,
        })
      } catch (error) {
        logger.error({ err: error, request_id: request.id }, 'A refusal could not be recorded in the audit log')
      }
    },
  }
}

/** Who asks, for what, and from where. */
export function auditedRequest(op: Operation, request: FastifyRequest) {
  const { caller, signedIn } = request
  return {
    actor: caller?.kind ?? 'anonymous',
    user_id: caller?.user_id ?? signedIn?.user_id ?? null,
    username: caller?.username ?? signedIn?.username ?? givenName(request.body),
    role: caller?.role ?? null,
    session_id: caller?.session_id ?? null,
    api_key_id: caller?.api_key_id ?? null,
    address: request.ip,
    user_agent: request.headers['user-agent'] ?? null,
    operation: op.id,
    method: op.method,
    path: loggedPath(request),
    request_id: request.id,
  } satisfies Partial<NewAuditRecord>
}

/** Of whoever tries to sign in. */
function givenName(body: unknown): string {
  const name = fieldOf(body, 'username')
  return typeof name === 'string' ? name : ''
}

function named(op: Operation, request: FastifyRequest, from: unknown[]) {
  const { caller } = request
  if (isOwn(op) && caller) return { entity: 'user', entity_id: caller.user_id, entity_name: caller.username }
  const { entity, parameter } = entityOf(op)
  const given = parameter === null ? undefined : fieldOf(request.params, parameter)
  // A refusal may come before the parameters were read as what they are, and a number may be no id.
  const value = typeof given === 'string' || typeof given === 'number' ? String(given) : undefined
  const number = /id$/i.test(parameter ?? '') && /^\d{1,15}$/.test(value ?? '') ? Number(value) : undefined
  const names = from.map((record) => fieldOf(record, 'name') ?? fieldOf(record, 'username'))
  const name = names.find((found) => typeof found === 'string') ?? (number === undefined ? value : undefined)
  return {
    entity,
    entity_id: number ?? (value === undefined ? idOf(from[0]) : null),
    // A hook's token is what opens it.
    entity_name: typeof name === 'string' && parameter !== 'token' ? name : null,
  }
}

function idOf(record: unknown): number | null {
  const id = fieldOf(record, 'id')
  return typeof id === 'number' ? id : null
}

function fieldOf(record: unknown, field: string): unknown {
  if (typeof record !== 'object' || record === null || !(field in record)) return undefined
  // Just seen to be an object with that field.
  return (record as Record<string, unknown>)[field]
}

function digestOf(record: unknown): string | null {
  return record === undefined ? null : createHash('sha256').update(JSON.stringify(record)).digest('hex')
}
