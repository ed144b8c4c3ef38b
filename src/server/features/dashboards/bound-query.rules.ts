import { findBinds, type SqlDialect } from '../../../language/sql-binds.ts'

/** A list fills `IN (:name)`: one value each, all of them bound. An empty list is NULL, which nothing is equal to. */
export function spreadLists(
  sql: string,
  params: Readonly<Record<string, unknown>>,
  dialect: SqlDialect,
): { sql: string; params: Record<string, unknown> } {
  let written = ''
  let at = 0
  const bound: Record<string, unknown> = {}
  for (const { name, start, end } of findBinds(sql, dialect)) {
    const value = Object.hasOwn(params, name) ? params[name] : null
    written += sql.slice(at, start)
    at = end
    if (!Array.isArray(value)) {
      bound[name] = asBind(value)
      written += `:${name}`
      continue
    }
    // Two underscores: no name of the author ends like this by accident, and one that does has a value of its own.
    const names = value.map((_, index) => `${name}__${index + 1}`)
    for (const [index, one] of value.entries()) bound[names[index] ?? ''] = asBind(one)
    written += names.length === 0 ? 'NULL' : names.map((one) => `:${one}`).join(', ')
  }
  return { sql: written + sql.slice(at), params: bound }
}

/** Objects are bound as JSON. */
const asBind = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : (value ?? null)

export function dialectOfType(type: string): SqlDialect {
  return type === 'sqlite' || type === 'mysql' || type === 'duckdb' ? type : 'postgres'
}

const textType: Record<string, string> = { mysql: 'CHAR', sqlite: 'TEXT', duckdb: 'VARCHAR' }

/** Those rows of an options query whose value is among `:headgate_chosen`. */
export const chosenQuery = (sql: string, type: string): string => {
  const quote = type === 'mysql' ? '`' : '"'
  const column = `${quote}value${quote}`
  return `SELECT * FROM (\n${sql}\n) AS headgate_options WHERE CAST(headgate_options.${column} AS ${textType[type] ?? 'TEXT'}) IN (:headgate_chosen)`
}
