import { castText } from '../engine/cast-decimals.ts'
import type { ValueChange } from '../../contract/value-change.ts'
import { kindsMixed, type ValueKind } from './kinds-mixed.ts'
import { plainForm } from './number-facts.ts'
import { documentText, TypedText, type FieldValue } from './record-values.ts'

type Kind =
  | 'BIGINT'
  | 'DOUBLE'
  | 'DECIMAL'
  | 'BOOLEAN'
  | 'VARCHAR'
  | 'TIMESTAMP'
  | 'TIMESTAMP_NS'
  | 'DATE'
  | 'TIME'
  | 'UUID'
  | 'BLOB'
  | 'JSON'

/** What the values of a field have shown so far: its type follows from all of them. */
export interface Field {
  /** Kinds of the values seen. */
  kinds: Set<Kind>
  /** Values that are no texts: they change where the column is one of text. */
  others: number
  /** Digits before and behind the point, of integers and decimals. */
  whole: number
  places: number
  /** There are infinities, or NaN. */
  endless: boolean
  /** There are moments beyond the years that nanoseconds are kept for. */
  wide: boolean
  /** There are integers that floating point would round. */
  long: boolean
}

export function emptyField(): Field {
  return { kinds: new Set(), others: 0, whole: 0, places: 0, endless: false, wide: false, long: false }
}

/** What stands in the file for a value; scalars as text, so that no reader rounds them. */
export function note(field: Field, value: FieldValue): string | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'string') return see(field, 'VARCHAR', value)
  if (typeof value === 'boolean') return see(field, 'BOOLEAN', String(value))
  if (typeof value === 'bigint') {
    const written = value.toString()
    digits(field, written)
    return see(field, BigInt.asIntN(64, value) === value ? 'BIGINT' : 'DECIMAL', written)
  }
  if (typeof value === 'number') {
    if (!Number.isInteger(value) || Math.abs(value) >= 2 ** 63) return double(field, numberText(value))
    // Its shortest text: of 363592736631635000 BigInt would show the binary number, which ends with 008.
    const written = String(value)
    digits(field, written)
    return see(field, 'BIGINT', Object.is(value, -0) ? '-0' : written)
  }
  if (value instanceof TypedText) return noteTyped(field, value)
  if (value instanceof Uint8Array) return see(field, 'BLOB', Buffer.from(value).toString('base64'))
  return see(field, 'JSON', documentText(value))
}

function noteTyped(field: Field, { type, text: written }: TypedText): string {
  if (type === 'number') return double(field, written)
  if (type === 'datetime') return noteMoment(field, written)
  if (type === 'date') return see(field, 'DATE', written)
  // DuckDB keeps microseconds: a finer time of day stays text.
  if (type === 'time') return see(field, fraction(written).length > 6 ? 'VARCHAR' : 'TIME', written)
  if (type === 'uuid') return see(field, 'UUID', written)
  if (!decimalNumber.test(written)) return see(field, 'VARCHAR', written)
  digits(field, written)
  return see(field, 'DECIMAL', written)
}

const decimalNumber = /^[+-]?\d+(\.\d+)?([eE][+-]?\d{1,4})?$/

function double(field: Field, written: string): string {
  if (decimalNumber.test(written)) digits(field, written)
  else field.endless = true
  return see(field, 'DOUBLE', written)
}

/** Of a second, without zeros at its end. */
function fraction(written: string): string {
  return /:\d\d\.(\d*?)0*(?:[Zz]|[+-]\d\d:?\d\d|)$/.exec(written)?.[1] ?? ''
}

/** Nanoseconds are kept from 1678 to 2261; a moment that no type keeps stays text. */
function noteMoment(field: Field, written: string): string {
  const year = Number(/^([+-]?\d+)-/.exec(written)?.[1] ?? NaN)
  const places = fraction(written)
  if (places.length <= 6) {
    field.wide ||= !(year > 1677 && year < 2262)
    return see(field, 'TIMESTAMP', written)
  }
  const seconds = new Date(`${written.replace(/\.\d+|[Zz]$/g, '')}${/[+-]\d\d:?\d\d$/.test(written) ? '' : 'Z'}`)
  if (places.length > 9 || Number.isNaN(seconds.getTime()) || !(year > 1677 && year < 2262))
    return see(field, 'VARCHAR', written)
  return see(field, 'TIMESTAMP_NS', `${seconds.toISOString().slice(0, 19)}.${places}Z`)
}

export function see(field: Field, kind: Kind, written: string): string {
  field.kinds.add(kind)
  if (kind !== 'VARCHAR') field.others++
  if (kind === 'BIGINT' && written.length > 15) field.long ||= BigInt(Number(written)) !== BigInt(written)
  return written
}

function numberText(value: number): string {
  if (Number.isFinite(value)) return String(value)
  return Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf'
}

export function digits(field: Field, written: string): void {
  const { whole, places } = plainForm(written)
  field.whole = Math.max(field.whole, whole)
  field.places = Math.max(field.places, places)
}

/** DuckDB's type of the column. `known`: the type that the column has in any case, unless a value is of another kind. */
export function typeOf({ kinds, whole, places, endless, wide, long }: Field, known: string | undefined): string {
  const [only] = kinds
  if (known !== undefined && [...kinds].every((kind) => kind === known || (known === 'DOUBLE' && kind === 'BIGINT')))
    return known
  if (kinds.size === 0) return 'VARCHAR'
  const isOneOf = (...some: Kind[]): boolean => [...kinds].every((kind) => some.includes(kind))
  if (isOneOf('TIMESTAMP', 'TIMESTAMP_NS', 'DATE') && kinds.has('TIMESTAMP_NS'))
    return wide ? 'VARCHAR' : 'TIMESTAMP_NS'
  if (kinds.size === 1 && only !== undefined && only !== 'DECIMAL') return only
  // An integer beyond 2^53 beside fractions would lose digits as a number.
  if (isOneOf('BIGINT', 'DOUBLE') && !long) return 'DOUBLE'
  if (isOneOf('BIGINT', 'DECIMAL', 'DOUBLE'))
    return whole + places <= 38 && !endless ? `DECIMAL(38,${places})` : 'VARCHAR'
  return isOneOf('DATE', 'TIMESTAMP') ? 'TIMESTAMP' : 'VARCHAR'
}

const valueKinds = {
  BIGINT: 'kind_numbers',
  DOUBLE: 'kind_numbers',
  DECIMAL: 'kind_numbers',
  BOOLEAN: 'kind_booleans',
  VARCHAR: 'kind_texts',
  TIMESTAMP: 'kind_moments',
  TIMESTAMP_NS: 'kind_moments',
  DATE: 'kind_moments',
  TIME: 'kind_times',
  UUID: 'kind_uuids',
  BLOB: 'kind_bytes',
  JSON: 'kind_documents',
} as const satisfies Record<Kind, ValueKind>

/** What arrives differently because the column has one type. */
export function changesOf(column: string, { kinds, others }: Field, type: string): ValueChange[] {
  return kindsMixed(
    column,
    [...kinds].map((kind) => valueKinds[kind]),
    type,
    others,
  )
}

/** SQL that makes a value out of its text in the file. */
export function valueOfText(written: string, kind: string): string {
  if (kind === 'VARCHAR') return written
  if (kind === 'BLOB') return `from_base64(${written})`
  if (kind === 'TIMESTAMP_NS') {
    const coarse = `CAST(CAST(${written} AS TIMESTAMPTZ) AT TIME ZONE 'UTC' AS TIMESTAMP_NS)`
    return `CASE WHEN regexp_matches(${written}, '\\.[0-9]{7,}Z$') THEN CAST(rtrim(${written}, 'Z') AS TIMESTAMP_NS) ELSE ${coarse} END`
  }
  if (kind === 'TIMESTAMP') return `(CAST(${written} AS TIMESTAMPTZ) AT TIME ZONE 'UTC')`
  return castText(written, kind)
}
