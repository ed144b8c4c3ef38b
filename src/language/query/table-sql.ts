/** Names in the SQL of each system. */
import type { SqlDialect } from '../sql/scan-sql.ts'
import { parseTableName } from '../task/table-name.ts'

const dialects: Readonly<Record<string, SqlDialect>> = {
  postgres: 'postgres',
  mysql: 'mysql',
  sqlite: 'sqlite',
  duckdb: 'duckdb',
  file: 'duckdb',
  s3: 'duckdb',
  sftp: 'duckdb',
}

/** The SQL of a type of connector; null: it has none. */
export const dialectOf = (type: string): SqlDialect | null =>
  Object.hasOwn(dialects, type) ? (dialects[type] ?? null) : null

/** A name in a statement. */
export function identifier(name: string, dialect: SqlDialect): string {
  return dialect === 'mysql' ? `\`${name.replaceAll('`', '``')}\`` : `"${name.replaceAll('"', '""')}"`
}

/** A resource, `name` as the list of resources has it. `written`: how each part of the name is. */
export function tableSql(
  type: string,
  name: string,
  dialect: SqlDialect,
  written: (part: string) => string = (part) => identifier(part, dialect),
): string {
  if (['file', 's3', 'sftp'].includes(type)) return `'${name.replaceAll("'", "''")}'`
  const parsed = type === 'sqlite' ? null : parseTableName(name)
  if (!parsed) return written(name)
  return parsed.schema ? `${written(parsed.schema)}.${written(parsed.name)}` : written(parsed.name)
}
