import type { Column } from '../../../contract/common.ts'

/** How the columns after a step differ from those before it. */
export interface SchemaDiff {
  added: ReadonlySet<string>
  removed: readonly Column[]
  /** Column → its type before. */
  retyped: ReadonlyMap<string, string>
}

export const noDiff: SchemaDiff = { added: new Set(), removed: [], retyped: new Map() }

export function schemaDiff(before: readonly Column[] | undefined, after: readonly Column[]): SchemaDiff {
  if (!before) return noDiff
  const was = new Map(before.map((column) => [column.name, column.type]))
  const is = new Set(after.map((column) => column.name))
  const retyped = new Map<string, string>()
  for (const column of after) {
    const type = was.get(column.name)
    if (type !== undefined && type !== column.type) retyped.set(column.name, type)
  }
  return {
    added: new Set(after.filter((column) => !was.has(column.name)).map((column) => column.name)),
    removed: before.filter((column) => !is.has(column.name)),
    retyped,
  }
}

export const differs = (diff: SchemaDiff) => diff.added.size > 0 || diff.removed.length > 0 || diff.retyped.size > 0
