import type { ValueType, WireValue } from '../../contract/query-values.ts'
import { digits, emptyField, note, see, typeOf, type Field } from '../sources/record-fields.ts'
import { TypedText, type FieldValue } from '../sources/record-values.ts'

/**
 * A column of a result on its way into a file: each value as a text, and the type that all of them have. Values in the usual form of the
 * field's type take a short way; every other value is looked at as one of a record without types.
 */
export interface TextColumn {
  /** null: NULL. */
  text(value: WireValue): string | null
  /** DuckDB's type; where there was no value, that of the field. */
  type(): string
}

export function textColumn(type: ValueType): TextColumn {
  const field = emptyField()
  const usual = usualForms[type]
  return {
    text(value) {
      if (value === null) return null
      return usual?.(field, value) ?? note(field, stored(value, type))
    },
    type: () => typeOf(field, types[type]),
  }
}

const types: Partial<Record<ValueType, string>> = {
  boolean: 'BOOLEAN',
  integer: 'BIGINT',
  bigint: 'BIGINT',
  double: 'DOUBLE',
  bytes: 'BLOB',
  date: 'DATE',
  time: 'TIME',
  datetime: 'TIMESTAMP',
  datetime_tz: 'TIMESTAMP',
  uuid: 'UUID',
}

/** The text of a value in the usual form; null: it has another one. */
type UsualForm = (field: Field, value: NonNullable<WireValue>) => string | null

const textual = (field: Field, value: NonNullable<WireValue>): string | null =>
  typeof value === 'string' ? see(field, 'VARCHAR', value) : null

const moment = (field: Field, value: NonNullable<WireValue>, zoned: boolean): string | null => {
  if (typeof value !== 'string' || !isDayAt(value) || value[10] !== 'T' || !isTimeAt(value, 11, zoned)) return null
  // To microseconds, in the years that every type of moments has.
  const places = value.length - (zoned ? 1 : 0) - 20
  const year = yearOf(value)
  if (places > 6 || year < 1678 || year > 2261) return null
  return see(field, 'TIMESTAMP', zoned ? value : `${value}Z`)
}

const usualForms: Partial<Record<ValueType, UsualForm>> = {
  boolean: (field, value) => (typeof value === 'boolean' ? see(field, 'BOOLEAN', value ? 'true' : 'false') : null),
  integer: (field, value) =>
    typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 1e15
      ? integer(field, String(value))
      : null,
  bigint: (field, value) =>
    typeof value === 'string' && value.length <= 18 && /^-?\d+$/.test(value) ? integer(field, value) : null,
  decimal: (field, value) => (typeof value === 'string' ? decimal(field, value) : null),
  // Digits count only beside decimals, of which a column of such values has none.
  double: (field, value) => (typeof value === 'number' ? see(field, 'DOUBLE', String(value)) : null),
  text: textual,
  json: textual,
  bytes: (field, value) => (typeof value === 'string' ? see(field, 'BLOB', value) : null),
  date: (field, value) =>
    typeof value === 'string' && value.length === 10 && isDayAt(value) ? see(field, 'DATE', value) : null,
  time: (field, value) =>
    typeof value === 'string' && value.length <= 15 && isTimeAt(value, 0, false) ? see(field, 'TIME', value) : null,
  datetime: (field, value) => moment(field, value, false),
  datetime_tz: (field, value) => moment(field, value, true),
}

function integer(field: Field, written: string): string {
  if (written.length > field.whole) digits(field, written)
  return see(field, 'BIGINT', written)
}

const [zero, nine, point, minus] = [48, 57, 46, 45]
const isDigit = (code: number): boolean => code >= zero && code <= nine

function decimal(field: Field, written: string): string | null {
  const begin = written.charCodeAt(0) === minus ? 1 : 0
  let first = written.length
  let behind = -1
  for (let at = begin; at < written.length; at++) {
    const code = written.charCodeAt(at)
    if (code === point && behind < 0 && at > begin) behind = at + 1
    else if (!isDigit(code)) return null
    else if (code !== zero && behind < 0 && first > at) first = at
  }
  const end = behind < 0 ? written.length : behind - 1
  if (end === begin || behind === written.length) return null
  field.whole = Math.max(field.whole, end - first)
  field.places = Math.max(field.places, behind < 0 ? 0 : written.length - behind)
  return see(field, 'DECIMAL', written)
}

/** `picture`: `0` is a digit, anything else itself. */
function isLike(text: string, from: number, picture: string): boolean {
  for (let at = 0; at < picture.length; at++) {
    const [code, wanted] = [text.charCodeAt(from + at), picture.charCodeAt(at)]
    if (wanted === zero ? !isDigit(code) : code !== wanted) return false
  }
  return true
}

const numberAt = (text: string, at: number): number =>
  (text.charCodeAt(at) - zero) * 10 + text.charCodeAt(at + 1) - zero
const yearOf = (text: string): number => numberAt(text, 0) * 100 + numberAt(text, 2)

/** A day of the calendar, at the beginning. */
function isDayAt(text: string): boolean {
  if (!isLike(text, 0, '0000-00-00')) return false
  const [year, month, day] = [yearOf(text), numberAt(text, 5), numberAt(text, 8)]
  return year > 0 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month)
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

/** A time of day with its seconds to the end; `zoned`: before a `Z`. */
function isTimeAt(text: string, from: number, zoned: boolean): boolean {
  if (!isLike(text, from, '00:00:00')) return false
  if (numberAt(text, from) > 23 || numberAt(text, from + 3) > 59 || numberAt(text, from + 6) > 59) return false
  const end = text.length - (zoned ? 1 : 0)
  if (zoned && text[end] !== 'Z') return false
  if (from + 8 === end) return true
  for (let at = from + 9; at < end; at++) if (!isDigit(text.charCodeAt(at))) return false
  return text.charCodeAt(from + 8) === point && from + 9 < end
}

/** A value as one of a record is: what its type cannot hold stays text, and then the column is text. */
function stored(value: WireValue, type: ValueType): FieldValue {
  if (value === null || typeof value === 'boolean') return value
  if (typeof value === 'object') {
    if (type === 'document') return JSON.stringify(value)
    const [inner] = Object.entries(value)
    // A tag of `wireTagged`, whose value is of that type.
    return inner ? stored(inner[1] as WireValue, inner[0] as ValueType) : null
  }
  if (typeof value === 'number') return value
  const form = forms[type]
  return form ? form(value) : value
}

const forms: Partial<Record<ValueType, (value: string) => FieldValue>> = {
  bigint: (value) => (/^-?\d+$/.test(value) ? BigInt(value) : value),
  decimal: (value) => new TypedText('decimal', value),
  double: Number,
  bytes: (value) => Buffer.from(value, 'base64'),
  date: (value) => (value.length === 10 && isDayAt(value) ? new TypedText('date', value) : value),
  time: (value) => (isTimeAt(value, 0, false) ? new TypedText('time', value) : value),
  datetime: (value) => momentOf(value, false),
  datetime_tz: (value) => momentOf(value, true),
  uuid: (value) => new TypedText('uuid', value),
}

function momentOf(value: string, zoned: boolean): FieldValue {
  if (!isDayAt(value) || value[10] !== 'T' || !isTimeAt(value, 11, zoned)) return value
  return new TypedText('datetime', zoned ? value : `${value}Z`)
}
