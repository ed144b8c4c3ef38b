import { shortened } from '../../language/shortened.ts'
/** How a value of data is to be shown. Pure. */
export type ShownValue =
  | { kind: 'null' | 'missing' | 'empty' }
  | { kind: 'text'; text: string; before: number; after: number }
  | { kind: 'number' | 'boolean' | 'json'; text: string }

export function describeValue(value: unknown): ShownValue {
  if (value === undefined) return { kind: 'missing' }
  if (value === null) return { kind: 'null' }
  if (typeof value === 'string') return describeText(value)
  if (typeof value === 'number' || typeof value === 'bigint') return { kind: 'number', text: String(value) }
  if (typeof value === 'boolean') return { kind: 'boolean', text: String(value) }
  return { kind: 'json', text: JSON.stringify(value) }
}

function describeText(text: string): ShownValue {
  if (text === '') return { kind: 'empty' }
  const before = text.length - text.trimStart().length
  return { kind: 'text', text, before, after: text.trim() === '' ? 0 : text.length - text.trimEnd().length }
}

const numericTypes =
  /^(U?(TINY|SMALL|BIG|HUGE)?INT(EGER|[0-9]+)?|FLOAT[0-9]*|DOUBLE( PRECISION)?|REAL|DECIMAL|NUMERIC|MONEY|SERIAL|BIGSERIAL|NUMBER)\b/i

/** Whether a column of this type (the source system's own name) holds numbers, which are aligned right. */
export const isNumericType = (type: string) => numericTypes.test(type.trim())

/** Titles are for looking, not for reading a megabyte. */
export const bigText = (text: string) => shortened(text, 2001)
