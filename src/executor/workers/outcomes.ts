import type { ErrorInfo } from '../../contract/executor-protocol.ts'
import { redactDeep, type Redact } from '../redact.ts'
import type { CallError, CallResult, RunOutcome } from '../worker-protocol.ts'
import { runMessage } from '../../contract/run-messages.ts'
import { errorInfo } from '../engine/errors.ts'

const CALL_ERROR_CODES: readonly string[] = [
  'VALIDATION_ERROR',
  'NOT_FOUND',
  'CONNECTOR_ERROR',
  'TIMEOUT',
  'INTERNAL_ERROR',
] satisfies CallError['code'][]

/** The outcome of an engine that threw: a fault of ours, for mistakes of users are outcomes of its own. */
export function failedOutcome(error: unknown): RunOutcome {
  return {
    status: 'failed',
    item_count: null,
    reject_count: 0,
    error: errorInfo(
      'INTERNAL_ERROR',
      runMessage('executor_failed', { cause: describe(error) }),
      runMessage('executor_failed_fix'),
      false,
    ),
    steps: [],
    metrics: { rows_in: 0, rows_out: 0, rejected: 0, lane: 'none' },
  }
}

export function redactOutcome(outcome: RunOutcome, redact: Redact): RunOutcome {
  return outcome.error ? { ...outcome, error: redactError(outcome.error, redact) } : outcome
}

/** What may speak of a connector's configuration: messages. Rows are data and stay as they are. */
export function redactCallResult(result: CallResult, redact: Redact): CallResult {
  if (result.kind === 'test') return { ...result, value: redactDeep(result.value, redact) }
  if (result.kind !== 'preview') return result
  const stages = result.value.stages.map((stage) => ({
    ...stage,
    ...(stage.error ? { error: redactDeep(stage.error, redact) } : {}),
    rejects: stage.rejects.map(({ row, ...reason }) => ({ ...redactDeep(reason, redact), row })),
  }))
  return { ...result, value: { ...result.value, stages } }
}

/** The error of a call: as the engine said it, or as an internal one. */
export function callErrorFrom(error: unknown, redact: Redact): CallError {
  if (!isCallFailure(error)) {
    return { code: 'INTERNAL_ERROR', message: redact(`The executor failed unexpectedly: ${describe(error)}`) }
  }
  const { code, message, reason, details } = error
  return redactDeep({ code, message, ...(reason && { reason }), ...(details && { details }) }, redact)
}

function isCallFailure(error: unknown): error is CallError {
  return error instanceof Error && 'code' in error && CALL_ERROR_CODES.includes(String(error.code))
}

function redactError(error: ErrorInfo, redact: Redact): ErrorInfo {
  return {
    ...error,
    ...(error.params && { params: redactDeep(error.params, redact) }),
    message: redact(error.message).slice(0, 20_000),
    ...(error.hint === undefined ? {} : { hint: redact(error.hint).slice(0, 4_000) }),
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
}
