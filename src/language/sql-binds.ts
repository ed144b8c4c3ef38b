import { scanSql, type SqlDialect } from './sql/scan-sql.ts'

export interface SqlBind {
  name: string
  /** Offsets of `:name`. */
  start: number
  end: number
}

export interface CompiledSql {
  /** DuckDB and PostgreSQL: `$1`, `$2` … in the order of `names`. SQLite: `:name`, to be bound by name. */
  sql: string
  /** Each name once, in order of first appearance. */
  names: string[]
}

/** Every `:name` outside text, quoted names, comments, dollar quotes and `::` casts, in order. Linear in the SQL. */
export function findBinds(sql: string, dialect: SqlDialect = 'duckdb'): SqlBind[] {
  return scanSql(sql, dialect)
    .filter((token) => token.kind === 'bind')
    .map(({ start, end }) => ({ name: sql.slice(start + 1, end), start, end }))
}

/** Rewrites `:name` to what the database's driver binds; everything else stays byte for byte. */
export function compileBinds(sql: string, dialect: SqlDialect): CompiledSql {
  const positions = new Map<string, number>()
  let compiled = ''
  let at = 0
  for (const bind of findBinds(sql, dialect)) {
    const position = positions.get(bind.name) ?? positions.size + 1
    positions.set(bind.name, position)
    compiled += sql.slice(at, bind.start) + (dialect === 'sqlite' ? `:${bind.name}` : `$${position}`)
    at = bind.end
  }
  return { sql: compiled + sql.slice(at), names: [...positions.keys()] }
}

export type { SqlDialect } from './sql/scan-sql.ts'
