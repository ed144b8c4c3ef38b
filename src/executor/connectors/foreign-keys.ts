/** Foreign keys as catalogs give them: a row for each column. */
import type { ForeignKey } from '../../contract/connectors.ts'

export interface ForeignKeyPart {
  name: string | null
  /** The table at the other end, as the list of resources names it. */
  table: string
  column: string
  reference: string
}

/** `key`: what the rows of one foreign key have in common. They come in the order of its columns. */
export function foreignKeysOf(parts: readonly (ForeignKeyPart & { key: string })[]): ForeignKey[] {
  const keys = new Map<string, ForeignKey>()
  for (const { key, name, table, column, reference } of parts) {
    const known = keys.get(key) ?? { name, table, columns: [], references: [] }
    known.columns.push(column)
    known.references.push(reference)
    keys.set(key, known)
  }
  return [...keys.values()]
}
