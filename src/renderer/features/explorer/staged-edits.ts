/** Edits of a result that wait for their review: nothing of them is sent before. Pure. */
import type { RowEdit } from '../../../contract/changes.ts'
import type { QueryField } from '../../../contract/query-values.ts'

type Values = ReadonlyMap<number, unknown>
export interface StagedEdits {
  /** New rows, which stand above the others; values by field. */
  readonly inserted: readonly Values[]
  /** By number of the row in the result. */
  readonly updated: ReadonlyMap<number, Values>
  readonly deleted: ReadonlySet<number>
  /** What was staged before the last step; null: nothing was. */
  readonly before: StagedEdits | null
}

export const noEdits: StagedEdits = { inserted: [], updated: new Map(), deleted: new Set(), before: null }

export const countOf = ({ inserted, updated, deleted }: StagedEdits): number =>
  inserted.length + updated.size + deleted.size

export function withRow(edits: StagedEdits): StagedEdits {
  return { ...edits, inserted: [...edits.inserted, new Map<number, unknown>()], before: edits }
}

/** `row` counts the new rows first, as the grid does. */
export function withValue(
  edits: StagedEdits,
  { row, field, value, original }: { row: number; field: number; value: unknown; original: unknown },
): StagedEdits {
  const { inserted } = edits
  if (row < inserted.length) {
    const rows = inserted.map((values, index) => (index === row ? new Map(values).set(field, value) : values))
    return { ...edits, inserted: rows, before: edits }
  }
  const at = row - inserted.length
  const values = new Map(edits.updated.get(at))
  if (JSON.stringify(value) === JSON.stringify(original)) values.delete(field)
  else values.set(field, value)
  const updated = new Map(edits.updated)
  if (values.size === 0) updated.delete(at)
  else updated.set(at, values)
  return { ...edits, updated, before: edits }
}

/** New rows go; others are marked. Marked ones are kept again. */
export function withoutRows(edits: StagedEdits, rows: readonly number[]): StagedEdits {
  const gone = new Set(rows)
  const inserted = edits.inserted.filter((_, row) => !gone.has(row))
  const updated = new Map(edits.updated)
  const deleted = new Set(edits.deleted)
  const marked = rows.map((row) => row - edits.inserted.length).filter((row) => row >= 0)
  const isUndone = marked.length > 0 && marked.every((row) => deleted.has(row))
  for (const row of marked) {
    updated.delete(row)
    if (isUndone) deleted.delete(row)
    else deleted.add(row)
  }
  return { inserted, updated, deleted, before: edits }
}

export function kindOf({ inserted, updated, deleted }: StagedEdits, row: number): RowEdit['kind'] | undefined {
  if (row < inserted.length) return 'insert'
  const at = row - inserted.length
  return deleted.has(at) ? 'delete' : updated.has(at) ? 'update' : undefined
}

/** The edits as they are sent; `rowAt` gives the rows as they were read. */
export function requestOf(
  { inserted, updated, deleted }: StagedEdits,
  fields: readonly QueryField[],
  rowAt: (row: number) => readonly unknown[] | undefined,
): RowEdit[] {
  const named = (values: Values) =>
    Object.fromEntries([...values].map(([field, value]) => [fields[field]?.name ?? '', value]))
  const original = (row: number) => named(new Map((rowAt(row) ?? []).map((value, field) => [field, value])))
  return [
    ...inserted.map((values) => ({ kind: 'insert' as const, values: named(values) })),
    ...[...updated].map(([row, values]) => ({
      kind: 'update' as const,
      original: original(row),
      values: named(values),
    })),
    ...[...deleted].map((row) => ({ kind: 'delete' as const, original: original(row) })),
  ]
}

/** What was typed as a value of the field; undefined: it is none. */
export function typedValue(text: string, { type }: QueryField): unknown {
  if (type === 'boolean') return /^true$/i.test(text) ? true : /^false$/i.test(text) ? false : undefined
  if (type === 'integer' || type === 'double') {
    if (type === 'double' && /^(NaN|-?Infinity|-0)$/.test(text)) return text
    const number = Number(text)
    return text.trim() !== '' && Number.isFinite(number) && (type === 'double' || Number.isInteger(number))
      ? number
      : undefined
  }
  if (type === 'bigint') return /^-?\d+$/.test(text) ? text : undefined
  if (type === 'document') {
    try {
      return JSON.parse(text) as unknown
    } catch {
      return undefined
    }
  }
  // SQLite keeps numbers as such where the column takes any value.
  if (type === 'any') return /^-?\d+$/.test(text) ? { bigint: text } : { text }
  return text
}

/** The text of a value, to be edited. */
export function editedText(value: unknown, type: QueryField['type']): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'object' && type !== 'document') return String(Object.values(value)[0])
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}
