import type { Json } from '../../../language/task/task.types.ts'
import type { MysqlField, MysqlValue } from './client.ts'

/** A value as the session binds it. */
export function bindValue(value: Json): unknown {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value)
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
}

/** Numbers of columns' types, as they are sent. */
export const columnTypes = {
  tiny: 1,
  short: 2,
  long: 3,
  float: 4,
  double: 5,
  null: 6,
  timestamp: 7,
  longlong: 8,
  int24: 9,
  date: 10,
  time: 11,
  datetime: 12,
  year: 13,
  bit: 16,
  vector: 242,
  json: 245,
  decimal: 246,
  geometry: 255,
} as const

const unsignedFlag = 32
const binaryCharset = 63

export function isUnsigned(field: MysqlField): boolean {
  return (Number(field.flags) & unsignedFlag) !== 0
}

/** Bytes rather than text. */
export function isBinary(field: MysqlField): boolean {
  return field.characterSet === binaryCharset
}

/** A bit field as a number. */
export function bitsOf(value: Buffer): bigint {
  return value.length === 0 ? 0n : BigInt(`0x${value.toString('hex')}`)
}

/** A value as JSON has it: exact, else text; bytes as base64. */
export function jsonOf(value: MysqlValue, field: MysqlField): Json {
  if (value === null) return null
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  if (typeof value === 'string') return value
  if (!Buffer.isBuffer(value)) return JSON.stringify(value)
  if (field.columnType !== columnTypes.bit) return value.toString('base64')
  const bits = bitsOf(value)
  return Number.isSafeInteger(Number(bits)) ? Number(bits) : bits.toString()
}
