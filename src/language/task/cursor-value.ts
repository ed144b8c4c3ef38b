import { checkArgumentValue, isDate, normalizeDatetime } from './argument-values.ts'
import type { Resolver } from './resolver.ts'
import type { CursorSpec } from './sources/source.types.ts'
import type { Json } from './task.types.ts'
import { msg } from '../messages.ts'

/** A value of a cursor: text where a number could not hold it exactly, moments as ISO 8601 in UTC. */
export type CursorValue = string | number

/** Where reading starts: what was saved, less the lag; else `initial`; else null. */
export function cursorStart(spec: CursorSpec, saved: CursorValue | null, resolver: Resolver): CursorValue | null {
  if (saved !== null) {
    if (fits(spec.type, saved)) return lessLag(spec, saved)
    resolver.problems.push({
      path: 'state.cursor',
      ...msg('cursor_of_other_type', { saved: JSON.stringify(saved), type: spec.type }),
    })
    return null
  }
  const initial: Json = resolver.json(spec.initial, 'state.cursor.initial')
  if (initial === null) return null
  const checked = checkInitialValue(spec.type, initial)
  if (checked.ok && (typeof checked.value === 'string' || typeof checked.value === 'number')) return checked.value
  resolver.problems.push({
    path: 'state.cursor.initial',
    ...(checked.ok ? msg('not_a_single_value') : msg('it_problem', { problem: checked.problem.message })),
  })
  return null
}

/** Integers beyond 2^53 are written as text, and are found as such. */
export function checkInitialValue(type: CursorSpec['type'], initial: Json): ReturnType<typeof checkArgumentValue> {
  if (type === 'integer' && typeof initial === 'string' && /^-?\d{1,19}$/.test(initial)) {
    const exact = BigInt(initial)
    if (BigInt.asIntN(64, exact) === exact) return { ok: true, value: exactInteger(exact) }
  }
  return checkArgumentValue({ type, required: false }, initial)
}

/** A cursor that was saved while the task's cursor was of another type is none of this one. */
function fits(type: CursorSpec['type'], saved: CursorValue): boolean {
  const text = String(saved)
  switch (type) {
    case 'integer':
      return /^-?\d+$/.test(text)
    case 'number':
      return text.trim() !== '' && Number.isFinite(Number(text))
    case 'date':
      return isDate(text)
    case 'datetime':
      return normalizeDatetime(text) !== null
    case 'string':
      return typeof saved === 'string'
  }
}

/** Inclusive, so that rows with the same value that were committed later are read, too. */
function lessLag({ type, lag }: CursorSpec, saved: CursorValue): CursorValue {
  if (lag === 0) return saved
  switch (type) {
    case 'integer':
      return exactInteger(BigInt(saved) - BigInt(lag))
    case 'number': {
      const scaled = scaledAlike(String(saved), String(lag))
      if (scaled === null) return Number(saved) - lag
      return exactDecimal(decimalText(scaled.one - scaled.other, scaled.places))
    }
    case 'date': {
      // A part of a day takes the whole day.
      const at = Math.max(Date.parse(`${saved}T00:00:00Z`) - lag, yearZero)
      return new Date(at).toISOString().slice(0, 10)
    }
    case 'datetime':
      return momentText(momentOf(String(saved)) - BigInt(Math.ceil(lag * 1000)))
    case 'string':
      return saved
  }
}

/** The greater of two cursors of a type. */
export function laterCursor(type: CursorSpec['type'], one: CursorValue, other: CursorValue): CursorValue {
  return compareCursors(type, one, other) >= 0 ? one : other
}

function compareCursors(type: CursorSpec['type'], one: CursorValue, other: CursorValue): number {
  switch (type) {
    case 'integer':
      return sign(BigInt(one) - BigInt(other))
    case 'number':
      return compareNumbers(String(one), String(other))
    case 'datetime':
      return sign(momentOf(String(one)) - momentOf(String(other)))
    case 'date':
    case 'string':
      return compareText(String(one), String(other))
  }
}

function sign(difference: bigint): number {
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

/** As doubles, and where those are the same, digit by digit: decimals have more digits than a double holds. */
function compareNumbers(one: string, other: string): number {
  const difference = Number(one) - Number(other)
  const scaled = difference === 0 ? scaledAlike(one, other) : null
  return scaled === null ? difference : sign(scaled.one - scaled.other)
}

/** Both without their points, as whole numbers of the same number of places; null: one is written with an exponent. */
function scaledAlike(one: string, other: string): { one: bigint; other: bigint; places: number } | null {
  if (![one, other].every((text) => /^-?\d+(\.\d+)?$/.test(text))) return null
  const places = Math.max(...[one, other].map((text) => text.split('.')[1]?.length ?? 0))
  const scaled = (text: string): bigint => {
    const [whole = '', fraction = ''] = text.split('.')
    return BigInt(whole + fraction.padEnd(places, '0'))
  }
  return { one: scaled(one), other: scaled(other), places }
}

function decimalText(scaled: bigint, places: number): string {
  const digits = String(scaled < 0n ? -scaled : scaled).padStart(places + 1, '0')
  const point = digits.length - places
  return `${scaled < 0n ? '-' : ''}${digits.slice(0, point)}${places === 0 ? '' : `.${digits.slice(point)}`}`
}

/** A number while it is exact, else its digits. */
export function exactDecimal(digits: string): CursorValue {
  const number = Number(digits)
  const bare = digits.includes('.') ? digits.replace(/\.?0+$/, '') : digits
  return String(number) === bare ? number : digits
}

/** By code points, which is the order of UTF-8's bytes. */
function compareText(one: string, other: string): number {
  const left = [...one]
  const right = [...other]
  for (let at = 0; at < left.length && at < right.length; at++) {
    const difference = (left[at]?.codePointAt(0) ?? 0) - (right[at]?.codePointAt(0) ?? 0)
    if (difference !== 0) return difference
  }
  return left.length - right.length
}

/** A number while it is exact, else its digits. */
export function exactInteger(value: bigint): CursorValue {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value.toString()
}

/** Before it there is no lag to take off: ISO 8601 writes four digits. */
const yearZero = Date.parse('0000-01-01T00:00:00Z')

/** Microseconds since 1970 of `2024-01-31T12:34:56.789012Z`. */
function momentOf(iso: string): bigint {
  const utc = normalizeDatetime(iso) ?? iso
  const fraction = /\.(\d+)/.exec(utc)?.[1] ?? ''
  const seconds = BigInt(Date.parse(utc.replace(/\.\d+/, '')) / 1000)
  return seconds * 1_000_000n + BigInt(fraction.padEnd(6, '0').slice(0, 6))
}

function momentText(wanted: bigint): string {
  const earliest = BigInt(yearZero) * 1000n
  const micros = wanted < earliest ? earliest : wanted
  const within = ((micros % 1_000_000n) + 1_000_000n) % 1_000_000n
  const seconds = (micros - within) / 1_000_000n
  return new Date(Number(seconds) * 1000).toISOString().replace(/\.000Z$/, `.${String(within).padStart(6, '0')}Z`)
}
