import type { Column } from '../../contract/common.ts'
import type { DatabaseType } from '../targets/type-map.ts'

/** What a database says of a column that is read from it. It travels with the column as long as no step gives it other values. */
export interface ColumnOrigin {
  database: DatabaseType
  /** Of the source. */
  name: string
  /** As the database shows it. */
  type: string
  /** As a new column of that type is declared. */
  declared: string
  /**
   * What the type is made of where databases may differ in it (the labels of an enum, the locale of money): only a database that has the
   * same takes the type. null: the system's own type.
   */
  made: string | null
  notNull: boolean
  /** Of the table, where the column is a part of it. The columns of a key share one object. */
  key: PrimaryKey | null
}

export interface PrimaryKey {
  /** Names in the source, in the order of the key. */
  columns: readonly string[]
  /** The step that may give several rows with the same key; null: none. */
  lost: string | null
}

/** A column of rows on their way, with where it comes from. */
export interface StreamColumn extends Column {
  origin?: ColumnOrigin & {
    /** DuckDB's type in which its values were read: a column of another type holds other values. */
    as: string
  }
}

/** The same rows; their columns say where they come from. */
export function withOrigins<Rows extends { columns: StreamColumn[] }>(
  stream: Rows,
  origins: readonly ColumnOrigin[],
): Rows {
  const byName = new Map(origins.map((origin) => [origin.name, origin]))
  return {
    ...stream,
    columns: stream.columns.map((column) => {
      const origin = byName.get(column.name)
      return origin ? { ...column, origin: { ...origin, as: column.type } } : column
    }),
  }
}

/** What the source of the same kind of database says of a column that arrives as it was read. */
export function originOf({ origin, type }: StreamColumn, database: DatabaseType): ColumnOrigin | undefined {
  return origin?.database === database && origin.as === type ? origin : undefined
}

/** The columns behind a step that may make several rows of one. */
export function withoutKeys(columns: readonly StreamColumn[], step: string): StreamColumn[] {
  const lost = new Map<PrimaryKey, PrimaryKey>()
  return columns.map((column) => {
    const key = column.origin?.key
    if (!column.origin || !key) return column
    if (!lost.has(key)) lost.set(key, { ...key, lost: key.lost ?? step })
    return { ...column, origin: { ...column.origin, key: lost.get(key) ?? null } }
  })
}

/** As people see a column: nothing but its name and type. */
export function plainColumn({ name, type }: Column): Column {
  return { name, type }
}
