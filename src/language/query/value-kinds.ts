/** What values of filters are. Pure. */
import type { QueryPlace, ValueKind } from './query.types.ts'

const number = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/
const special = /^(NaN|[+-]?Infinity)$/
const date = /^\d{4,}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d(?::?\d\d)?)?)?$/
export const isObjectId = (text: string): boolean => /^[0-9a-f]{24}$/i.test(text)
export const isNumber = (text: string): boolean => number.test(text)
/** NaN and the infinities, which some systems have. */
export const isSpecialNumber = (text: string): boolean => special.test(text)
export const isBoolean = (text: string): boolean => /^(true|false|0|1)$/i.test(text)
const booleanWord = /^(true|false)$/i

export function isDate(text: string): boolean {
  if (!date.test(text)) return false
  const [, year = '', month = '', day = ''] = /^(\d+)-(\d\d)-(\d\d)/.exec(text) ?? []
  const found = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  if (found.getUTCMonth() !== Number(month) - 1 || found.getUTCDate() !== Number(day)) return false
  const [, hour = '0', minute = '0', second = '0'] = /[T ](\d\d):(\d\d)(?::(\d\d))?/.exec(text) ?? []
  return Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60
}

export const hasTime = (text: string): boolean => text.length > 10 && /[T ]/.test(text)
export const hasZone = (text: string): boolean => /[T ].*(?:Z|[+-]\d\d(?::?\d\d)?)$/.test(text)

/** The same moment in UTC, without saying so; text without a zone is as it was. */
export function inUtc(text: string): string {
  const [, moment = text, fraction = '', zone] =
    /^([^.Z+]*?)(\.\d+)?(Z|[+-]\d\d(?::?\d\d)?)$/.exec(text.replace(' ', 'T')) ?? []
  if (zone === undefined || !hasTime(text)) return text
  const full = /T\d\d:\d\d$/.test(moment) ? `${moment}:00` : moment
  const offset = zone === 'Z' ? zone : `${zone.slice(0, 3)}:${zone.slice(3).replace(':', '') || '00'}`
  return `${new Date(`${full}${offset}`).toISOString().slice(0, -5)}${fraction}`
}

/** What the values of a column are, by the system's name of its type; null: nothing that a filter needs to know. */
export function kindOfColumn(system: string, type: string): Exclude<ValueKind, 'null'> | null {
  const written = type.trim().toLowerCase()
  if (written.endsWith(']') || /^(struct|map|list|union)\b/.test(written)) return null
  if (written.startsWith('bool')) return 'boolean'
  if (system === 'sqlite') return kindOfDeclared(written)
  if (/^(date|timestamp|datetime|smalldatetime)/.test(written)) return 'date'
  if (
    /^(u?(tiny|small|medium|big|huge|uhuge)?int(eger)?\d*|(big|small)?serial|numeric|decimal|dec|real|double|float\d*|number|oid|bit|year|bignum|varint|long)\b/.test(
      written,
    )
  )
    return 'number'
  return /char|text|string|clob|enum|^set\b/.test(written) ? 'string' : null
}

/** SQLite columns hold anything; their affinity says what most of it is. */
function kindOfDeclared(written: string): Exclude<ValueKind, 'null'> | null {
  if (written === '' || written.includes('blob')) return 'auto'
  if (/char|clob|text/.test(written) && !written.includes('int')) return 'string'
  // What is no number may be kept as text: dates, for instance.
  return 'auto'
}

/** Numbers that are written as systems write them: `007` and `1.50` are rather text. */
const plainNumber = (text: string): boolean =>
  /^(0|-?[1-9]\d*|-?(0|[1-9]\d*)\.\d*[1-9])$/.test(text) && text.replace(/\D/g, '').length <= 38

/** What `auto` means for a value. */
export function settled(
  { type, columns }: QueryPlace,
  field: string,
  given: ValueKind,
  text: string,
): Exclude<ValueKind, 'auto'> {
  if (given !== 'auto') return given
  // Services say themselves what their properties are; addresses hold nothing but text.
  if (type === 'odata' || type === 'http') return 'string'
  const column = columns?.find(({ name }) => name === field)
  if (type === 'mongodb') return ofDocuments(column?.type, field, text)
  const known = column === undefined ? 'auto' : kindOfColumn(type, column.type)
  // MySQL keeps booleans as numbers.
  if (known === 'number' && type === 'mysql' && booleanWord.test(text)) return 'boolean'
  return known === 'auto' ? byLook(text) : (known ?? 'string')
}

const byLook = (text: string): 'number' | 'string' => (plainNumber(text) ? 'number' : 'string')

/** Fields of documents are of the types that a few of them have, unless the value can't be. */
function ofDocuments(types: string | undefined, field: string, text: string): Exclude<ValueKind, 'auto'> {
  if (text === 'null') return 'null'
  const all = types?.split(' | ') ?? []
  const only = (wanted: RegExp): boolean => all.length > 0 && all.every((type) => wanted.test(type))
  if (only(/^string$/)) return 'string'
  if (isObjectId(text) && (field === '_id' || only(/^objectId$/))) return 'objectId'
  if (isDate(text) && only(/^date$/)) return 'date'
  if (booleanWord.test(text)) return 'boolean'
  return isNumber(text) && only(/^(int|long|double|decimal)$/) ? 'number' : byLook(text)
}

/** Digits before and after the point; null: it has an exponent, or is no plain number. */
export function digitsOf(text: string): { whole: number; fraction: number } | null {
  const [, whole, fraction = ''] = /^[+-]?(\d*)\.?(\d*)$/.exec(text) ?? []
  if (whole === undefined) return null
  return { whole: whole.replace(/^0+/, '').length, fraction: fraction.length }
}

/** Whether a whole number lies within so many bits, with a sign. */
export function fitsBits(text: string, bits: bigint): boolean {
  if (!/^[+-]?\d+$/.test(text)) return false
  const value = BigInt(text.replace(/^\+/, ''))
  return value >= -(2n ** (bits - 1n)) && value < 2n ** (bits - 1n)
}

/** As JSON has it where that is exact, else its text. */
export function jsonNumber(text: string): number | string {
  const value = Number(text)
  if (/^[+-]?\d+$/.test(text)) return Number.isSafeInteger(value) ? value : text
  return text.replace(/[eE].*$/, '').replace(/\D/g, '').length <= 15 ? value : text
}
