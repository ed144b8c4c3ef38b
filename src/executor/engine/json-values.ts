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
  type DuckDBType,
  type DuckDBValue,
} from '@duckdb/node-api'

/** Longest text that is shown of one value in previews, samples and rejects. */
const longestText = 10_000

/** Values as the contract's Row has them: what a JSON number cannot hold is text. */
export function jsonRow(row: readonly DuckDBValue[], types: readonly DuckDBType[]): unknown[] {
  return row.map((value, index) => {
    if (typeof value === 'string' && types[index]?.alias === 'JSON') return shortened(value, longestText)
    return jsonValue(value)
  })
}

export function jsonValue(value: DuckDBValue): unknown {
  if (value === null || typeof value === 'boolean') return value
  if (typeof value === 'string') return shortened(value, longestText)
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  if (typeof value === 'bigint') {
    return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value.toString()
  }
  if (value instanceof DuckDBBlobValue) return shortened(Buffer.from(value.bytes).toString('base64'), longestText)
  if (value instanceof DuckDBListValue || value instanceof DuckDBArrayValue) return value.items.map(jsonValue)
  if (value instanceof DuckDBStructValue) {
    return Object.fromEntries(Object.entries(value.entries).map(([key, item]) => [key, jsonValue(item)]))
  }
  if (value instanceof DuckDBMapValue) {
    return value.entries.map(({ key, value: item }) => ({ key: jsonValue(key), value: jsonValue(item) }))
  }
  if (value instanceof DuckDBUnionValue) return jsonValue(value.value)
  if (value instanceof DuckDBTimestampTZValue) return isoZoned(value.micros)
  if (value instanceof DuckDBTimestampValue) return value.toString().replace(/ (?=\d)/, 'T')
  if (value instanceof DuckDBDateValue) return value.toString()
  return String(value)
}

/** UTC, with as many fractional digits as the value has. */
function isoZoned(micros: bigint): string {
  const second = 1_000_000n
  const fraction = ((micros % second) + second) % second
  const date = new Date(Number((micros - fraction) / 1000n))
  if (Number.isNaN(date.getTime())) return `${micros} µs since 1970` // beyond what calendars of JavaScript hold; also ±infinity
  const digits = fraction === 0n ? '' : `.${fraction.toString().padStart(6, '0').replace(/0+$/, '')}`
  return `${date.toISOString().slice(0, -5)}${digits}Z`
}
