import { type ErrorCode, type ErrorDetail, errorCodes } from '../../contract/errors.ts'
import type { Message } from '../../contract/messages.ts'

export interface RefusalExtra {
  details?: ErrorDetail[]
  retryAfterSeconds?: number
}

/**
 * An expected failure with its machine code. Thrown, so that the transaction under way rolls back; the HTTP layer turns it
 * into the error answer.
 */
export class Refusal extends Error {
  readonly code: ErrorCode
  /** Undefined: the code says it all. */
  readonly reason: Message | undefined
  readonly details: ErrorDetail[] | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode, reason?: Message, extra: RefusalExtra = {}) {
    super(reason?.message ?? errorCodes[code].message)
    this.name = 'Refusal'
    this.code = code
    this.reason = reason
    this.details = extra.details?.length ? extra.details : undefined
    this.retryAfterSeconds = extra.retryAfterSeconds
  }

  get status(): number {
    return errorCodes[this.code].status
  }
}

// The helpers throw, so that they read as `store.get(id) ?? notFound()`.

export function notFound(reason?: Message): never {
  throw new Refusal('NOT_FOUND', reason)
}

export function conflict(reason?: Message, details?: ErrorDetail[]): never {
  throw new Refusal('CONFLICT', reason, { details })
}

/** 400 with the place of each mistake: `body.name`, `query.limit`, `params.id`. */
export function invalid(details: ErrorDetail[], reason?: Message): never {
  throw new Refusal('VALIDATION_ERROR', reason, { details })
}

export function invalidState(reason: Message): never {
  throw new Refusal('INVALID_STATE', reason)
}

export function forbidden(reason?: Message): never {
  throw new Refusal('FORBIDDEN', reason)
}

export function unauthenticated(reason?: Message): never {
  throw new Refusal('AUTH_ERROR', reason)
}

export function unavailable(reason: Message): never {
  throw new Refusal('UNAVAILABLE', reason)
}

export function rateLimited(retryAfterSeconds: number, reason?: Message): never {
  throw new Refusal('RATE_LIMITED', reason, { retryAfterSeconds: Math.max(1, Math.ceil(retryAfterSeconds)) })
}
