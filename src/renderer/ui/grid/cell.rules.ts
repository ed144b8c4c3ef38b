import type { ValueType } from '../../../contract/query-values.ts'
import type { SqlDialect } from '../../../language/sql/scan-sql.ts'

/** A value of a query's row, as the eye and the clipboard take it. Pure; no digit goes through a JavaScript number. */
export interface Cell {
  type: ValueType
  /** null: NULL. undefined: the row has no such field. */
  text: string | null | undefined
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A value whose type is not its field's says so itself: `{"text": "n/a"}`. */
export function cellOf(value: unknown, type: ValueType): Cell {
  if (value === null || value === undefined) return { type, text: value }
  if (isObject(value) && type !== 'document') {
    const [[own, inner] = []] = Object.entries(value)
    return { type: own as ValueType, text: textOf(inner) } // by the contract of `any`
  }
  return { type, text: textOf(value) }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

export const isNumber = (type: ValueType): boolean => ['integer', 'bigint', 'decimal', 'double'].includes(type)

/** `\x` and hexadecimal digits, as databases write them. */
export function hexOf(base64: string): string {
  const bytes = atob(base64)
  let hex = ''
  for (let at = 0; at < bytes.length; at++) hex += bytes.charCodeAt(at).toString(16).padStart(2, '0')
  return `\\x${hex}`
}

/** What a cell shows: bytes in hexadecimal, the first of many. */
export function shownText({ type, text }: Cell & { text: string }): string {
  if (type !== 'bytes') return text
  return text.length > 400 ? `${hexOf(text.slice(0, 400))}…` : hexOf(text)
}

/** How statements and values in copied text are written. */
export type SqlStyle = SqlDialect
