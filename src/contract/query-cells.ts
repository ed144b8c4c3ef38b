import type { QueryField, ValueType } from './query-values.ts'

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

/** Where these columns are, in this order; null: all. What isn’t there is left out. */
export const columnsAt = (fields: readonly QueryField[], columns: readonly string[] | null): number[] =>
  columns?.map((name) => fields.findIndex((field) => field.name === name)).filter((at) => at >= 0) ?? [...fields.keys()]
