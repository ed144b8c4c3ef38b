import type { Run, RunStep } from '../../../contract/runs.ts'
import { fillIn } from '../../../language/fill-in.ts'
import { type Message, isMessage } from '../../../language/message.ts'
import { translateMessage } from '../../i18n/translate.ts'
import { numberText } from '../../ui/format.ts'

type Failed = Pick<Run, 'error_message' | 'error_params'>
type Params = Readonly<Record<string, unknown>>

/** Reasons that say what was expected and what came instead; the catalog of the window has the words for both. */
const comparedReasons = {
  expectation_broken: 'expectationBroken',
  too_few_rows: 'tooFewRows',
  too_many_rows: 'tooManyRows',
  too_many_rejects: 'tooManyRejects',
  value_unlike_before: 'valueUnlikeBefore',
  value_loses: 'valueLoses',
  value_of_other_type: 'valueOfOtherType',
  column_type_differs: 'columnTypeDiffers',
  column_cannot_hold: 'columnCannotHold',
  csv_field_count: 'csvFieldCount',
  lookup_finds_nothing: 'lookupFindsNothing',
  lookup_many_rows: 'lookupManyRows',
  lookup_types_differ: 'lookupTypesDiffer',
  cursor_type_differs: 'cursorTypeDiffers',
  target_has_fewer: 'targetHasFewer',
  table_took_fewer: 'tableTookFewer',
  distinct_keys_differ: 'distinctKeysDiffer',
  rows_differ: 'rowsDiffer',
  success_false: 'successFalse',
} as const
/** The name of the words, which can’t hold the code itself: `_` has a meaning there. */
export type ComparedReason = (typeof comparedReasons)[keyof typeof comparedReasons]

const isCompared = (code: string): code is keyof typeof comparedReasons => Object.hasOwn(comparedReasons, code)

/** Texts around another one that add nothing to it but a row. */
const frames: ReadonlySet<string> = new Set(['expectation_failed_first'])

export interface FailureFacts {
  /** Why, without what to do about it. */
  cause: string
  /** What to do about it. */
  fix: string | null
  /** What was expected and what came, with the parameters of their words; then there is no need for the cause. */
  compared: { reason: ComparedReason; params: Params } | null
  /** A row that shows it, as far as the error has one. */
  row: Params | null
}

/** The text of an error without its hints, which are at its end. */
function withoutFixes(message: string, fixes: readonly Message[]): string {
  const end = fixes.map((fix) => fix.message).join(' ')
  return end !== '' && message.endsWith(end) ? message.slice(0, -end.length).trimEnd() : message
}

/** Words of the window for both sides of a comparison, with the parameters of its reason. */
export const comparedSaid = (words: string, params: Params): string =>
  fillIn(words, params, (value) =>
    isMessage(value) ? translateMessage(value) : typeof value === 'number' ? numberText(value) : String(value),
  )

/** A row that was written as JSON; null where it was cut off. */
function rowOf(text: unknown): Params | null {
  if (typeof text !== 'string') return null
  try {
    const row: unknown = JSON.parse(text)
    return typeof row === 'object' && row !== null && !Array.isArray(row)
      ? Object.fromEntries(Object.entries(row))
      : null
  } catch {
    return null
  }
}

/** What a failed run says, in parts that can be shown apart. */
export function failureFacts({ error_message, error_params }: Failed): FailureFacts {
  const { fix: given, ...params } = error_params ?? {}
  const fixes = [given].flat().filter(isMessage)
  const reason = typeof params['reason'] === 'string' ? params['reason'] : ''
  const framed = frames.has(reason) && isMessage(params['cause']) ? params['cause'] : null
  const inner = framed ?? { code: reason, params }
  return {
    cause: framed
      ? translateMessage(framed)
      : translateMessage({ params, message: withoutFixes(error_message ?? '', fixes) }),
    fix: fixes.length === 0 ? null : fixes.map(translateMessage).join(' '),
    compared: isCompared(inner.code)
      ? {
          reason: comparedReasons[inner.code],
          params: inner.params,
        }
      : null,
    row: rowOf(params['row']),
  }
}

/** The name of what failed within a step: of an expectation. */
export function failedPart(failed: Failed): string | null {
  const name = failureFacts(failed).compared?.params['name']
  return typeof name === 'string' ? name : null
}

/** The step that failed. */
export const failedStep = (steps: readonly RunStep[]): RunStep | null =>
  steps.find((step) => step.status === 'failed') ?? null
