import { msg } from '../../contract/messages.ts'
import type { FastifyError } from 'fastify'
import { type ErrorBody, type ErrorCode, errorCodes, fixedMessages } from '../../contract/errors.ts'
import { ValidationFailure } from './http-validation.ts'
import { Refusal } from './refusal.ts'
import { storeProblem } from './store-problem.ts'

/** Fastify's own refusals, by its code. */
const fastifyCodes: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'PAYLOAD_TOO_LARGE',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'VALIDATION_ERROR',
}

/** Any error as the refusal that its caller sees; undefined for one that must stay hidden. */
export function toRefusal(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error
  if (error instanceof ValidationFailure) return new Refusal('VALIDATION_ERROR', undefined, { details: error.details })
  // Errors of Fastify, of SQLite and of Node carry a string code.
  const { code, validation, statusCode } = error as Partial<FastifyError> & { validation?: unknown }
  if (code === 'FST_ERR_BAD_URL') return badUrl()
  if (typeof code === 'string' && fastifyCodes[code]) return new Refusal(fastifyCodes[code])
  const problem = typeof code === 'string' ? storeProblem(code) : undefined
  if (problem !== undefined) return new Refusal('UNAVAILABLE', problem)
  if (validation instanceof ValidationFailure) return toRefusal(validation)
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return new Refusal('VALIDATION_ERROR')
  return undefined
}

const badUrl = () =>
  new Refusal('VALIDATION_ERROR', undefined, { details: [{ path: 'path', ...msg('percent_encoding') }] })

export function errorBody(refusal: Refusal | undefined, requestId: string): { status: number; body: ErrorBody } {
  const { code: error, reason, details } = refusal ?? new Refusal('INTERNAL_ERROR')
  const { status, message } = errorCodes[error]
  // Where the message is always the same, the reason is a detail.
  const first = reason && fixedMessages.includes(error) ? [{ path: 'request', ...reason }] : []
  const allDetails = [...first, ...(details ?? [])]
  return {
    status,
    body: {
      error,
      message,
      ...(first.length === 0 && reason),
      ...(allDetails.length > 0 && { details: allDetails }),
      request_id: requestId,
    },
  }
}
