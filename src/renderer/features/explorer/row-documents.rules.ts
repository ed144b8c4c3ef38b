/** Rows of a result as documents. Pure; every digit stays. */
import type { QueryField, ValueType } from '../../../contract/query-values.ts'
import { cellOf, hexOf, isNumber } from '../../ui/grid/cell.rules.ts'
import { WrittenNumber, parseExact } from '../../ui/json/exact-json.ts'

/** Names of the fields, each once: a query can give two columns one name. */
export function uniqueNames(fields: readonly QueryField[]): string[] {
  const seen = new Map<string, number>()
  return fields.map(({ name }) => {
    const before = seen.get(name) ?? 0
    seen.set(name, before + 1)
    return before === 0 ? name : `${name} (${before + 1})`
  })
}

/** undefined: the row has no such field. */
export function documentValue(value: unknown, type: ValueType): unknown {
  if (type === 'document' || value === null || value === undefined) return value
  const cell = cellOf(value, type)
  const text = cell.text ?? ''
  if (isNumber(cell.type)) return new WrittenNumber(text)
  if (cell.type === 'boolean') return text === 'true'
  if (cell.type === 'bytes') return hexOf(text)
  if (cell.type === 'json') {
    try {
      return parseExact(text)
    } catch {
      // Cut in the middle: what there is of it.
      return text
    }
  }
  return text
}

/** A row with its values by name, in the order of the columns. A row that is one document is that document. */
export function rowDocument(names: readonly string[], fields: readonly QueryField[], row: readonly unknown[]) {
  return new Map(
    fields.flatMap(({ type }, at): [string, unknown][] => {
      const value = documentValue(row[at], type)
      return value === undefined ? [] : [[names[at] ?? '', value]]
    }),
  )
}
