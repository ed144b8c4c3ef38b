import { shortened } from '../../language/shortened.ts'
import {
  DuckDBArrayValue,
  DuckDBBlobValue,
  DuckDBDateValue,
  DuckDBListValue,
  DuckDBMapValue,
  DuckDBStructValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  DuckDBUnionValue,
  type DuckDBValue,
} from '@duckdb/node-api'

/** Longest text that is shown of one value in previews, samples and rejects. */
const longestText = 10_000

/** Values as people are shown them. */
export const shownRow = (row: readonly DuckDBValue[]): unknown[] => row.map((value) => jsonValue(value, longestText))

/** A value as the contract's Row has it: what a JSON number cannot hold is text. `most`: characters of one text. */
export function jsonValue(value: DuckDBValue, most = Infinity): unknown {
  const inner = (item: DuckDBValue): unknown => jsonValue(item, most)
  if (value === null || typeof value === 'boolean') return value
  if (typeof value === 'string') return shortened(value, most)
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  if (typeof value === 'bigint') {
    return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value.toString()
  }
  if (value instanceof DuckDBBlobValue) return shortened(Buffer.from(value.bytes).toString('base64'), most)
  if (value instanceof DuckDBListValue || value instanceof DuckDBArrayValue) return value.items.map(inner)
  if (value instanceof DuckDBStructValue) {
    return Object.fromEntries(Object.entries(value.entries).map(([key, item]) => [key, inner(item)]))
  }
  if (value instanceof DuckDBMapValue) {
    return value.entries.map(({ key, value: item }) => ({ key: inner(key), value: inner(item) }))
  }
  if (value instanceof DuckDBUnionValue) return inner(value.value)
  if (value instanceof DuckDBTimestampTZValue) return isoZoned(value)
  if (value instanceof DuckDBTimestampValue) return isoMoment(value)
  if (value instanceof DuckDBDateValue) return value.isFinite ? isoYear(value.toString()) : infinity(value.days > 0)
  return String(value)
}

const isoMoment = (value: DuckDBTimestampValue): string => isoYear(value.toString().replace(/ (?=\d)/, 'T'))

/** As `isoYears` writes it; the driver does as DuckDB does, but writes the year 0 as such. */
function isoYear(words: string): string {
  const [, year, day, time] = /^(\d+)(-\d\d-\d\d) \(BC\)(.*)$/.exec(words) ?? []
  return year === undefined ? words : `-${String(Number(year) - 1).padStart(4, '0')}${day}${time}`
}

const infinity = (isLast: boolean): string => (isLast ? 'infinity' : '-infinity')

/** UTC, with as many fractional digits as the value has. */
function isoZoned(value: DuckDBTimestampTZValue): string {
  const { micros } = value
  if (!value.isFinite) return infinity(micros > 0n)
  const second = 1_000_000n
  const fraction = ((micros % second) + second) % second
  const date = new Date(Number((micros - fraction) / 1000n))
  const year = date.getUTCFullYear()
  // Other years JavaScript does not have, or writes with six digits.
  if (!(year >= 0 && year <= 9999)) return `${isoMoment(new DuckDBTimestampValue(micros))}Z`
  const digits = fraction === 0n ? '' : `.${fraction.toString().padStart(6, '0').replace(/0+$/, '')}`
  return `${date.toISOString().slice(0, -5)}${digits}Z`
}
