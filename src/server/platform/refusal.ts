import { type ErrorCode, type ErrorDetail, errorCodes } from '../../contract/errors.ts'

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
  readonly details: ErrorDetail[] | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode, message: string = errorCodes[code].message, extra: RefusalExtra = {}) {
    super(message)
    this.name = 'Refusal'
    this.code = code
    this.details = extra.details?.length ? extra.details : undefined
    this.retryAfterSeconds = extra.retryAfterSeconds
  }

  get status(): number {
    return errorCodes[this.code].status
  }
}

// The helpers throw, so that they read as `store.get(id) ?? notFound()`.

export function notFound(message?: string): never {
  throw new Refusal('NOT_FOUND', message)
}

export function conflict(message?: string, details?: ErrorDetail[]): never {
  throw new Refusal('CONFLICT', message, { details })
}

/** 400 with the place of each mistake: `body.name`, `query.limit`, `params.id`. */
export function invalid(details: ErrorDetail[], message?: string): never {
  throw new Refusal('VALIDATION_ERROR', message, { details })
}

export function invalidState(message: string): never {
  throw new Refusal('INVALID_STATE', message)
}

export function forbidden(message?: string): never {
  throw new Refusal('FORBIDDEN', message)
}

export function unauthenticated(message?: string): never {
  throw new Refusal('AUTH_ERROR', message)
}

export function unavailable(message: string): never {
  throw new Refusal('UNAVAILABLE', message)
}

export function rateLimited(retryAfterSeconds: number, message?: string): never {
  throw new Refusal('RATE_LIMITED', message, { retryAfterSeconds: Math.max(1, Math.ceil(retryAfterSeconds)) })
}
