export interface DuckTable {
  /** Under which the file is attached. */
  catalog: string
  schema: string
  table: string
  /** Quoted, with catalog and schema. */
  sql: string
}
