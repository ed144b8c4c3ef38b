import { shortened } from '../../language/shortened.ts'
import type { ErrorInfo } from '../../contract/executor-protocol.ts'
import { runMessage } from '../../contract/run-messages.ts'
import { redactDeep } from '../redact.ts'
import { reasonParams, type Message } from '../../language/message.ts'

/**
 * Every code a failed run may carry. Stable: retries, notifications and scripts match on them. `retryable` says whether another
 * attempt may fare better; it is false for mistakes in the task or its data.
 */
export const engineErrorCodes = {
  TASK_INVALID: { retryable: false },
  ARGUMENT_INVALID: { retryable: false },
  EXPRESSION_FAILED: { retryable: false },
  CONNECTOR_MISSING: { retryable: false },
  CONNECTOR_UNSUITABLE: { retryable: false },
  CONNECTOR_READ_ONLY: { retryable: false },
  PATH_OUTSIDE_FOLDER: { retryable: false },
  PATH_PROTECTED: { retryable: false },
  FOLDER_NOT_FOUND: { retryable: false },
  FILE_NOT_FOUND: { retryable: true },
  FILE_UNREADABLE: { retryable: false },
  FILE_CHANGED: { retryable: true },
  FILE_UNWRITABLE: { retryable: false },
  DATABASE_NOT_FOUND: { retryable: false },
  DATABASE_LOCKED: { retryable: true },
  DATABASE_REFUSED: { retryable: false },
  CONNECTION_FAILED: { retryable: true },
  AUTHENTICATION_FAILED: { retryable: false },
  ADDRESS_NOT_ALLOWED: { retryable: false },
  REQUEST_REFUSED: { retryable: false },
  REQUEST_FAILED: { retryable: true },
  RESPONSE_INVALID: { retryable: false },
  PAGES_INVALID: { retryable: false },
  TABLE_NOT_FOUND: { retryable: false },
  COLUMN_NOT_FOUND: { retryable: false },
  COLUMN_DUPLICATE: { retryable: false },
  SQL_INVALID: { retryable: false },
  SQL_NOT_ALLOWED: { retryable: false },
  QUERY_INVALID: { retryable: false },
  CAST_FAILED: { retryable: false },
  VALUE_INVALID: { retryable: false },
  EXPECTATION_FAILED: { retryable: false },
  TOO_MANY_REJECTS: { retryable: false },
  SCHEMA_MISMATCH: { retryable: false },
  KEY_NOT_UNIQUE: { retryable: false },
  ROWS_UNACCOUNTED: { retryable: true },
  CONSTRAINT_VIOLATED: { retryable: false },
  SCRIPT_FAILED: { retryable: false },
  COMMAND_FAILED: { retryable: true },
  COMMAND_NOT_ALLOWED: { retryable: false },
  OUTPUTS_TOO_LARGE: { retryable: false },
  OUT_OF_MEMORY: { retryable: true },
  DISK_FULL: { retryable: true },
  OUTCOME_UNKNOWN: { retryable: false },
  CANCELLED: { retryable: false },
  INTERNAL_ERROR: { retryable: true },
} as const satisfies Record<string, { retryable: boolean }>

export type EngineErrorCode = keyof typeof engineErrorCodes

export interface CsvRowFault {
  file: string
  /** Counted from 1, with the header and all that is skipped or blank. */
  number: number
  /** What is wrong; a number: how many values it was to have. */
  what: Message | number
}

/** A failure that the user is to read: what, where, and what to do about it. */
export class EngineError extends Error {
  readonly code: EngineErrorCode
  /** What happened, by the finer code of its text. */
  readonly reason: Message
  readonly fix: Message | undefined
  /** Index of the stage: 0 is the source, n the n-th step, the last the target. Set on the way up where it is not known below. */
  stage: number | undefined
  /** What happened is not known well enough: whoever knows the file may find out more. */
  readonly vague: boolean
  /** The row of a CSV file that it happened in: whoever reads the file knows its line, and its content. */
  readonly csvRow: CsvRowFault | undefined
  /** Several threads have read a CSV file, and what they have met is not in it: one thread may read it well. */
  readonly misread: boolean

  constructor(
    code: EngineErrorCode,
    reason: Message,
    more: {
      hint?: Message | undefined
      stage?: number | undefined
      vague?: boolean
      csvRow?: CsvRowFault | undefined
      misread?: boolean
      cause?: unknown
    } = {},
  ) {
    super(reason.message, more.cause === undefined ? undefined : { cause: more.cause })
    this.name = 'EngineError'
    this.code = code
    this.reason = reason
    this.fix = more.hint
    this.stage = more.stage
    this.vague = more.vague ?? false
    this.csvRow = more.csvRow
    this.misread = more.misread ?? false
  }

  get hint(): string | undefined {
    return this.fix?.message
  }
}

/** The words of a far system, as they are. */
export const verbatim = (text: string): Message => runMessage('as_told', { text })

/** The error of a run as it is reported: within the lengths of the protocol. */
export function errorInfo(code: string, reason: Message, fix: Message | undefined, retryable: boolean): ErrorInfo {
  return {
    code,
    params: redactDeep(reasonParams(reason, fix), (text) => shortened(text, 4000)),
    message: shortened(reason.message, 20_000),
    ...(fix && { hint: shortened(fix.message, 4000) }),
    retryable,
  }
}

export function toErrorInfo(error: EngineError, step: string | undefined): ErrorInfo {
  const info = errorInfo(error.code, error.reason, error.fix, engineErrorCodes[error.code].retryable)
  return step === undefined ? info : { ...info, step: shortened(step, 200) }
}

/** Whatever was thrown, as an error of ours; unknown ones are marked as internal and keep their cause. */
export function asEngineError(thrown: unknown): EngineError {
  if (thrown instanceof EngineError) return thrown
  return new EngineError('INTERNAL_ERROR', verbatim(messageOf(thrown)), {
    hint: runMessage('fault_of_headgate'),
    cause: thrown,
  })
}

export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}

/** Machine code of a driver's or the system's error: `ENOENT`, `SQLITE_BUSY`, `28P01`. */
export function codeOf(thrown: unknown): string | undefined {
  if (typeof thrown !== 'object' || thrown === null || !('code' in thrown)) return undefined
  return typeof thrown.code === 'string' ? thrown.code : undefined
}

/** The first of many names; a last `…` stands for the others. */
export function fewNames(names: readonly string[], show = 8): readonly string[] {
  return names.length <= show ? names : [...names.slice(0, show), '…']
}

/** `a`, `b` and 3 more. */
export function listNames(names: readonly string[], show = 8): string {
  const shown = names.slice(0, show).map((name) => `\`${name}\``)
  const rest = names.length - shown.length
  return shown.join(', ') + (rest > 0 ? ` and ${rest} more` : '')
}
