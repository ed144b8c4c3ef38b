/** How values of a result compare: by what they are, with every digit. Pure; nothing goes through a JavaScript number. */
import type { ValueType } from '../../../contract/query-values.ts'
import { inUtc, isBoolean, isDate, isNumber as isNumberText } from '../../../language/query/value-kinds.ts'
import { type Cell, hexOf, isNumber } from './cell.rules.ts'

/** `rank`: values of different kinds stand in this order. */
export type OrderKey =
  | { rank: 0; value: boolean }
  | { rank: 1; sign: number; magnitude: number; digits: string }
  | { rank: 2; year: number; rest: string }
  | { rank: 3; text: string }

const moments: ReadonlySet<ValueType> = new Set(['date', 'datetime', 'datetime_tz'])

/** null: there is no value. */
export function keyOf({ type, text }: Cell): OrderKey | null {
  if (text === null || text === undefined) return null
  if (type === 'boolean') return { rank: 0, value: text === 'true' }
  if (isNumber(type)) return numberKey(text) ?? { rank: 3, text }
  if (moments.has(type)) return momentKey(text) ?? { rank: 3, text }
  if (type === 'time') return { rank: 3, text: withoutZeros(text) }
  return { rank: 3, text: type === 'bytes' ? hexOf(text) : text }
}

/** What somebody wrote, to be compared with values of a type; undefined: no value of that type. */
export function writtenKey(text: string, type: ValueType): OrderKey | undefined {
  const written = text.trim()
  if (type === 'boolean') return isBoolean(written) ? { rank: 0, value: /^(true|1)$/i.test(written) } : undefined
  if (isNumber(type)) return numberKey(written)
  if (moments.has(type)) {
    if (/^-?infinity$/i.test(written)) return momentKey(written.toLowerCase())
    if (!isDate(written)) return undefined
    return momentKey(type === 'datetime_tz' ? inUtc(written) : written)
  }
  if (type === 'time') return { rank: 3, text: withoutZeros(written) }
  return { rank: 3, text }
}

const infinite = { NaN: 2, Infinity: 1, '-Infinity': -1 } as const

function numberKey(text: string): OrderKey | undefined {
  const plain = text.replace(/^\+/, '')
  if (Object.hasOwn(infinite, plain)) {
    const sign = infinite[plain as keyof typeof infinite]
    return { rank: 1, sign, magnitude: Infinity, digits: '' }
  }
  if (!isNumberText(text)) return undefined
  const [, minus, whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?$/.exec(plain) ?? []
  const all = whole + fraction
  const digits = all.replace(/^0+/, '')
  const magnitude = whole.length + Number(exponent) - (all.length - digits.length)
  if (digits === '') return { rank: 1, sign: 0, magnitude: 0, digits: '' }
  return { rank: 1, sign: minus ? -1 : 1, magnitude, digits: digits.replace(/0+$/, '') }
}

function momentKey(text: string): OrderKey | undefined {
  if (text === 'infinity' || text === '-infinity')
    return { rank: 2, year: text === 'infinity' ? Infinity : -Infinity, rest: '' }
  const [, year = '', rest = '', before] = /^(-?\d+)-(\d\d-\d\d(?:[T ][\d:.]*)?)Z?( BC)?$/.exec(text) ?? []
  if (year === '') return undefined
  const spaced = rest.replace('T', ' ')
  const full = spaced.length === 5 ? `${spaced} 00:00:00` : spaced.length === 11 ? `${spaced}:00` : spaced
  return { rank: 2, year: before ? 1 - Number(year) : Number(year), rest: withoutZeros(full) }
}

/** Fractions of seconds come with as many digits as the system likes. */
const withoutZeros = (text: string): string => text.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '')

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
const words = new Intl.Collator()

/** Less than 0: `a` comes first. */
export function compareKeys(a: OrderKey, b: OrderKey): number {
  if (a.rank === 0 && b.rank === 0) return Number(a.value) - Number(b.value)
  if (a.rank === 1 && b.rank === 1) {
    if (a.sign !== b.sign) return a.sign - b.sign
    const size = a.magnitude === b.magnitude ? order(a.digits, b.digits) : a.magnitude - b.magnitude
    return a.sign < 0 ? -size : size
  }
  if (a.rank === 2 && b.rank === 2) return a.year === b.year ? order(a.rest, b.rest) : a.year < b.year ? -1 : 1
  if (a.rank === 3 && b.rank === 3) return words.compare(a.text, b.text) || order(a.text, b.text)
  return a.rank - b.rank
}
