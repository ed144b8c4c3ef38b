import { runMessage } from '../../../contract/run-messages.ts'
import type { StageContext } from '../../engine/lane.types.ts'
import { TypedText } from '../../sources/record-values.ts'

/** Counts values with halves of characters, which are read as U+FFFD, by their column. */
export function createHalvedValues(): {
  /** A record as it came; what is no object is the column `value`. */
  count(record: unknown): void
  report(context: Pick<StageContext, 'changed'>): void
} {
  const counts = new Map<string, number>()
  return {
    count(record) {
      const fields = isObject(record) && !Array.isArray(record) ? Object.entries(record) : [['value', record] as const]
      for (const [key, value] of fields) {
        if (key.isWellFormed() && !hasHalf(value)) continue
        const column = key.toWellFormed()
        counts.set(column, (counts.get(column) ?? 0) + 1)
      }
    },
    report({ changed }) {
      const { code, params, message } = runMessage('change_half_character')
      if (counts.size > 0)
        changed([...counts].map(([column, count]) => ({ column, change: message, code, params, count })))
    },
  }
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !(value instanceof TypedText)

function hasHalf(value: unknown): boolean {
  if (typeof value === 'string') return !value.isWellFormed()
  return isObject(value) && Object.entries(value).some(([key, item]) => !key.isWellFormed() || hasHalf(item))
}

/** The record with U+FFFD in place of halves of characters, in whatever it holds. */
export const wholeRecord = (record: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key.toWellFormed(), wholeValue(value)]))

function wholeValue(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed()
  if (!isObject(value)) return value
  return Array.isArray(value) ? value.map(wholeValue) : wholeRecord(value as Record<string, unknown>) // of JSON
}
