import type { SqlToken } from './scan-sql.ts'
import { referencesIn } from './table-references.ts'

/**
 * Tables that DuckDB's SQL reads by a plain name, without those that it makes in WITH. What is qualified, a function or a file is left
 * to the database.
 */
export function tablesRead(sql: string, code: readonly SqlToken[]): { name: string; token: SqlToken }[] {
  return referencesIn(sql, code, 'duckdb').tables.flatMap(({ access, path, token }) => {
    const [name] = path
    return access === 'read' && path.length === 1 && name !== undefined ? [{ name, token }] : []
  })
}
