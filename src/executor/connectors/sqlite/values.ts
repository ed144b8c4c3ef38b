import type { Binds, Json } from '../../../language/task/task.types.ts'

export function bindValues(wanted: string[], params: Binds): Record<string, unknown> {
  return Object.fromEntries(wanted.map((bind) => [bind, bindValue(params[bind] ?? null)]))
}

/** Whole numbers bind as integers: SQLite would else keep them as floating point. */
export function bindValue(value: Json): string | number | bigint | null {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
}

/** A stored value as JSON has it; integers beyond what a number holds are text, bytes base64. */
export function jsonOfStored(value: unknown): Json {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value.toString()
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  return typeof value === 'string' ? value : null
}
