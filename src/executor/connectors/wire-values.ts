import type { ValueType, WireValue } from '../../contract/query-values.ts'
import { runMessage } from '../../contract/run-messages.ts'
import { EngineError } from '../engine/errors.ts'

/** Floating point: what JSON has no number for is text. */
export function wireDouble(value: number): WireValue {
  if (Object.is(value, -0)) return '-0'
  return Number.isFinite(value) ? value : String(value)
}

/** Single precision: the shortest number that is the same there, as every system writes it. */
export function wireFloat(value: number): WireValue {
  if (!Number.isFinite(value) || value === 0) return wireDouble(value)
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits))
    if (Math.fround(short) === value) return short
  }
  return Number(value.toPrecision(9))
}

/** Longer values would take many times their size until they are sent. */
const mostBytes = 64 * 1024 * 1024

/** Refuses a value before it is copied. */
export function refuseTooLong(bytes: number): void {
  if (bytes <= mostBytes) return
  throw new EngineError('QUERY_INVALID', runMessage('value_too_long', { bytes, most: mostBytes }))
}

export function wireBytes(value: Uint8Array): string {
  refuseTooLong(value.byteLength)
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64')
}

/** A value whose type is not that of its field. */
export function wireTagged(type: ValueType, value: WireValue): WireValue {
  return { [type]: value }
}

/** `2024-02-29 12:34:56.1` as ISO 8601; what is no such moment (infinity, years before Christ) stays as the system writes it. */
export function wireMoment(text: string): string {
  return /^\d{4,}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?(\+00)?$/.test(text)
    ? text.replace(' ', 'T').replace('+00', 'Z')
    : text
}

/** The text of a value that is to be bound as text; objects, of which no column says what they are, as JSON. */
export function wireText(value: Exclude<WireValue, null>): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
