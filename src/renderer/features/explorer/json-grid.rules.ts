/** A JSON value as rows with columns. Pure. */
import type { QueryField, ValueType } from '../../../contract/query-values.ts'
import { WrittenNumber, entriesOf, isBranch, writeExact } from '../../ui/json/exact-json.ts'

/** Wider tables are read as a tree. */
const mostColumns = 1_000

const isObject = (value: unknown): value is object => isBranch(value) && !Array.isArray(value)

export interface JsonGrid {
  fields: QueryField[]
  rows: unknown[][]
}

/** Items as rows: their keys are the columns; what is no object has one. null: they have too many keys. */
export function gridOf(items: readonly unknown[], valueName: string): JsonGrid | null {
  const names = new Set<string>()
  let other = false
  for (const item of items) {
    if (!isObject(item)) other = true
    else for (const [key] of entriesOf(item)) names.add(String(key))
    if (names.size > mostColumns) return null
  }
  const plainName = other ? freeName(valueName, names) : null
  const columns = [...(plainName === null ? [] : [plainName]), ...names]
  const rows = items.map((item) => {
    const values = new Map(isObject(item) ? entriesOf(item).map(([key, value]) => [String(key), value]) : [])
    return columns.map((name) => (name === plainName ? (isObject(item) ? undefined : item) : values.get(name)))
  })
  const types = columns.map((_, at) => typeOf(rows.map((row) => row[at])))
  return {
    fields: columns.map((name, at) => ({ name, type: types[at] ?? 'any', native: '' })),
    rows: rows.map((row) => row.map((value, at) => cell(value, types[at] === 'any'))),
  }
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  for (let at = 1; ; at++) {
    const one = at === 1 ? name : `${name} (${at})`
    if (!taken.has(one)) return one
  }
}

function kindOf(value: unknown): ValueType {
  if (value instanceof WrittenNumber) return 'decimal'
  if (typeof value === 'number') return 'double'
  if (typeof value === 'boolean') return 'boolean'
  return typeof value === 'string' ? 'text' : 'json'
}

function typeOf(values: readonly unknown[]): ValueType {
  const kinds = new Set(values.filter((value) => value !== null && value !== undefined).map(kindOf))
  const [first = 'any', ...others] = kinds
  return others.length === 0 ? first : 'any'
}

function cell(value: unknown, mixed: boolean): unknown {
  if (value === null || value === undefined) return value
  const form =
    value instanceof WrittenNumber
      ? value.text
      : isBranch(value)
        ? writeExact(value, '', '').replaceAll('\n', '')
        : value
  return mixed ? { [kindOf(value)]: form } : form
}
