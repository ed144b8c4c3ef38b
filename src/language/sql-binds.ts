import { scanSql, type SqlDialect } from './sql/scan-sql.ts'

export interface SqlBind {
  name: string
  /** Offsets of `:name`. */
  start: number
  end: number
}

export interface CompiledSql {
  /** DuckDB and PostgreSQL: `$1`, `$2` … in the order of `names`. SQLite: `:name`, to be bound by name. MySQL: `?` for each of `names`. */
  sql: string
  /** In order of appearance: each name once, in MySQL once for every use. */
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
  const binds = findBinds(sql, dialect)
  const positions = new Map<string, number>()
  let compiled = ''
  let at = 0
  for (const bind of binds) {
    const position = positions.get(bind.name) ?? positions.size + 1
    positions.set(bind.name, position)
    compiled += sql.slice(at, bind.start) + placeholder(bind.name, position, dialect)
    at = bind.end
  }
  return {
    sql: compiled + sql.slice(at),
    names: dialect === 'mysql' ? binds.map((bind) => bind.name) : [...positions.keys()],
  }
}

/** Where in SQL as it is written stands what is at this offset of `compileBinds(sql, dialect).sql`; within a placeholder: its `:name`. */
export function writtenOffset(sql: string, dialect: SqlDialect, compiledOffset: number): number {
  const binds = findBinds(sql, dialect)
  const positions = new Map([...new Set(binds.map(({ name }) => name))].map((name, index) => [name, index + 1]))
  let longer = 0
  for (const { name, start, end } of binds) {
    if (compiledOffset + longer < start) break
    const { length } = placeholder(name, positions.get(name) ?? 0, dialect)
    if (compiledOffset + longer < start + length) return start
    longer += end - start - length
  }
  return compiledOffset + longer
}

function placeholder(name: string, position: number, dialect: SqlDialect): string {
  if (dialect === 'mysql') return '?'
  return dialect === 'sqlite' ? `:${name}` : `$${position}`
}

export type { SqlDialect } from './sql/scan-sql.ts'
