import type { Column } from '../../../contract/common.ts'

/** `:name` binds as `$1`, `$2` …, with their values. */
export interface Statement {
  sql: string
  values: (string | null)[]
}

export interface PgColumn extends Column {
  /** DuckDB's type; VARCHAR for texts, for types that are read as text, and for numerics without a precision. */
  duckdb: string
  /** How the server is asked for its text form where its binary form is something else; null: it is read as it is. */
  asText: 'abbrev' | 'cast' | 'format' | null
  /** See `ColumnOrigin`. */
  declared: string
  made: string | null
}
