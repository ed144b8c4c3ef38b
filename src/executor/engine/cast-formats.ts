import { runMessage } from '../../contract/run-messages.ts'
import type { Message } from '../../language/message.ts'
import type { ColumnType } from '../../language/task/column-types.ts'
import { momentExpression, type NumberFormat, type ValueFormat } from '../../language/task/value-formats.ts'
import { text } from './sql-text.ts'

/** Texts that write numbers, days and times in a form of their own, in DuckDB's SQL. */

/** Blanks between digits: that of the keyboard, two that do not break, and a narrow one. Apostrophes: straight and curved. */
const sameMarks: Readonly<Record<string, string>> = { ' ': ' \u00A0\u202F\u2009', "'": "'\u2019" }

/** The number as the language writes it (`1234.56`); NULL where the text is no number of this form. `value`: SQL. */
export function plainNumber(value: string, { decimal, thousands }: NumberFormat): string {
  const marks = thousands === null ? '' : (sameMarks[thousands] ?? thousands)
  const groups = marks === '' ? '' : `|[0-9]{1,3}([${marks}][0-9]{2,3})*[${marks}][0-9]{3}`
  const form = `[+-]?([0-9]+${groups})?([${decimal}][0-9]*)?([eE][+-]?[0-9]+)?`
  return `CASE WHEN regexp_full_match(${value}, ${text(form)}) THEN translate(${value}, ${text(decimal + marks)}, '.') END`
}

/** The moment that a text of this form means, in UTC where it says an offset; NULL: it is none. */
export function patternMoment(value: string, pattern: string): string {
  const moment = `TRY_STRPTIME(${value}, ${text(pattern)})`
  const inUtc = /%z/.test(pattern.replaceAll('%%', '')) ? `${moment} AT TIME ZONE 'UTC'` : moment
  return `CASE WHEN regexp_full_match(${value}, ${text(momentExpression(pattern))}) THEN ${inUtc} END`
}

/** How a value was to be written, for what is said of one that is not. */
export function typeInFormat(format: ValueFormat, type: ColumnType): Message {
  if (format.kind === 'moment') return runMessage('type_written_as', { type, pattern: format.pattern })
  const { decimal, thousands } = format
  return thousands === null
    ? runMessage('type_with_fraction', { type, decimal })
    : runMessage('type_with_groups', { type, decimal, thousands })
}
