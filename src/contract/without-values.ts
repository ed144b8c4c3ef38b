/** What may be said of a run's error where no value of a row may be: to models, and to agents whose key has no scope for rows. */
import type { Message } from '../language/message.ts'
import { isMessage } from '../language/message.ts'
import { isRunMessageCode, rebuilt } from './run-messages.ts'

/** Parameters that name parts of a task or a table, places, and counts. Every other one may hold a value. */
const harmless: ReadonlySet<string> = new Set(
  [
    'column columns table schema collection sheet sheets field fields missing type types encoding format mode separator',
    'task step stage slot input inputs check rule connector executor',
    'signal',
  ].flatMap((names) => names.split(' ')),
)
/** Harmless as numbers: as texts, some messages have rows and lines themselves under these names. */
const numbers: ReadonlySet<string> = new Set(
  'line row rows byte bytes count most limit size total failed rejected seconds http_status exit_code max min taken length free found expected'.split(
    ' ',
  ),
)
const HIDDEN = '…'

export interface SafeError {
  /** Stable; null where nothing but a text is known. */
  code: string | null
  message: string | null
  hint: string | null
}

/** The words of an error without the values in them. A text that came from another system is not repeated at all. */
export function withoutValues(params: Readonly<Record<string, unknown>> | null): SafeError {
  const reason = params?.['reason']
  const fix = params?.['fix']
  return {
    code: typeof reason === 'string' ? reason : null,
    message: reasonWithoutValues(params)?.message ?? null,
    hint: isMessage(fix) ? (safeMessage(fix)?.message ?? null) : null,
  }
}

/** The reason of an error without the values in it; null where nothing but a text is known. */
export function reasonWithoutValues(params: Readonly<Record<string, unknown>> | null): Message | null {
  const { reason, fix: _, ...own } = params ?? {}
  return typeof reason === 'string' ? safeMessage({ code: reason, params: own }) : null
}

function safeMessage(message: Omit<Message, 'message'>): Message | null {
  if (!isRunMessageCode(message.code)) return null
  return rebuilt({ code: message.code, params: safeParams(message.params) })
}

const safeParams = (params: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [name, safeValue(name, value)]))

function safeValue(name: string, value: unknown): unknown {
  if (isMessage(value)) {
    const text = isRunMessageCode(value.code) ? safeParams(value.params) : undefined
    return text === undefined ? HIDDEN : { ...value, params: text }
  }
  if (Array.isArray(value)) return value.map((one) => safeValue(name, one))
  return harmless.has(name) || (numbers.has(name) && typeof value === 'number') ? value : HIDDEN
}
