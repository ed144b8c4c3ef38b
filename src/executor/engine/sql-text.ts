import type { Column } from '../../contract/common.ts'
import { nearest } from '../../language/nearest.ts'
import type { ColumnType } from '../../language/task/column-types.ts'
import { EngineError, fewNames } from './errors.ts'
import { runMessage } from '../../contract/run-messages.ts'
import type { Message } from '../../language/message.ts'

/** A quoted identifier; the same in DuckDB, SQLite and PostgreSQL. */
export function name(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`
}

/** A quoted text. Only for names, paths and values that we write ourselves: values of users are bound. */
export function text(value: string): string {
  return `'${value.replaceAll("'", "''")}'`
}

/** A path that is to be read: DuckDB would take `[1]` in a file's name for a pattern. */
export function escapeGlob(path: string): string {
  return path.replace(/[[*?]/g, '[$&]')
}

export function names(columns: readonly string[]): string {
  return columns.map(name).join(', ')
}

/** SQL over `duckdb_indexes()`: the list of an index's columns, by their names. What is no column stands there as it is written, in brackets. */
export const indexColumns = `list_transform(CAST(expressions AS VARCHAR[]), lambda one: CASE WHEN one[1] = '"' THEN replace(one[2:-2], '""', '"') ELSE one END)`

const duckDbTypes = {
  string: 'VARCHAR',
  integer: 'BIGINT',
  number: 'DOUBLE',
  boolean: 'BOOLEAN',
  date: 'DATE',
  time: 'TIME',
  datetime: 'TIMESTAMP',
  json: 'JSON',
  binary: 'BLOB',
} as const satisfies Partial<Record<ColumnType, string>>

/** DuckDB's name of a column type of the task language. */
export function duckDbType(type: ColumnType): string {
  return type in duckDbTypes ? duckDbTypes[type as keyof typeof duckDbTypes] : type.toUpperCase() // else decimal(p,s)
}

/** The column that a task names: exactly as written, else whatever its case, as SQL reads names. */
export function findColumn<C extends Column>(
  columns: readonly C[],
  wanted: string,
  notFound = (column: string): Message => runMessage('column_unknown', { column }),
): C {
  const found =
    columns.find((column) => column.name === wanted) ??
    columns.find((column) => column.name.toLowerCase() === wanted.toLowerCase())
  if (found) return found
  const all = columns.map((column) => column.name)
  const near = nearest(wanted, all)
  throw new EngineError('COLUMN_NOT_FOUND', notFound(wanted), {
    hint:
      near === null
        ? runMessage('columns_are', { columns: fewNames(all, 40) })
        : runMessage('columns_are_near', { near, columns: fewNames(all, 40) }),
  })
}

/** Refuses columns that differ at most in case, which DuckDB, SQLite and PostgreSQL would mix up, and names at whose NUL their SQL would end. */
export function refuseDuplicates(columns: readonly string[]): void {
  const seen = new Map<string, string>()
  for (const column of columns) {
    if (column.includes('\0')) {
      throw new EngineError(
        'FILE_UNREADABLE',
        runMessage('column_name_nul', { column: JSON.stringify(column.slice(0, 100)) }),
        {
          hint: runMessage('column_name_nul_fix'),
        },
      )
    }
    const before = seen.get(column.toLowerCase())
    if (before !== undefined) {
      throw new EngineError('COLUMN_DUPLICATE', runMessage('columns_collide', { before, column }), {
        hint: runMessage('columns_collide_fix'),
      })
    }
    seen.set(column.toLowerCase(), column)
  }
}

/** A relation without rows that has these columns: what a step's SQL is checked against. */
export function emptyRelation(columns: readonly Column[]): string {
  return `(${nulls(columns)} LIMIT 0)`
}

/** One row of these columns, without values. */
export function oneRow(columns: readonly Column[]): string {
  return `(${nulls(columns)})`
}

function nulls(columns: readonly Column[]): string {
  return `SELECT ${columns.map((column) => `CAST(NULL AS ${column.type}) AS ${name(column.name)}`).join(', ')}`
}

/** SQL of a value's text. DuckDB writes a decimal that has places only without a zero before the point, which is no number to JSON. */
export function wordsOf(type: string, value: string): string {
  const words = `CAST(${value} AS VARCHAR)`
  if (!/^DECIMAL\((\d+),\1\)$/.test(type)) return words
  return `CASE WHEN ${value} < 0 THEN '-0' || substr(${words}, 2) ELSE '0' || ${words} END`
}

/** SQL of the ISO text of a date or moment, see `isoYears`. */
export function momentWords(type: string, value: string): string {
  const words = isoYears(type, value)
  if (type === 'DATE') return words
  const joined = `replace(${words}, ' ', 'T')`
  return type === 'TIMESTAMP WITH TIME ZONE' ? `regexp_replace(${joined}, '\\+00$', 'Z')` : joined
}

/**
 * SQL of a date or moment as DuckDB writes it, but for the years before Christ: they are counted as ISO 8601 does, `0000` and `-0001` before
 * `0001`. DuckDB's own `0044-03-15 (BC)` is read by nobody else.
 */
export function isoYears(type: string, value: string): string {
  const words = `CAST(${value} AS VARCHAR)`
  // It reaches from 1677 to 2262.
  if (type === 'TIMESTAMP_NS') return words
  // With a zone there is no year 0 to `year`.
  const year = `year(${type === 'TIMESTAMP WITH TIME ZONE' ? `${value} AT TIME ZONE 'UTC'` : value})`
  const sign = `CASE WHEN ${year} < 0 THEN '-' ELSE '' END`
  const rest = `replace(substr(${words}, strpos(${words}, '-')), ' (BC)', '')`
  return `CASE WHEN ${value} < '0001-01-01' AND isfinite(${value}) THEN ${sign} || format('{:04d}', -${year}) || ${rest} ELSE ${words} END`
}
