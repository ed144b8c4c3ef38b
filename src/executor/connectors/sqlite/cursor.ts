import type { Database } from 'better-sqlite3'
import type { Column } from '../../../contract/common.ts'
import type { CursorFilter, StageContext } from '../../engine/lane.types.ts'
import { findColumn, name, text } from '../../engine/sql-text.ts'
import { tableStream, type RowStream } from '../../engine/stream.ts'
import { affinityOf } from './table.ts'

/** A condition of SQLite's that leaves out most rows before the cursor, and never one at or after it. */
export interface RoughCondition {
  sql: string
  value: string | number | bigint
}

/**
 * SQLite has no moments and no decimals: what a column holds may be written in several ways, and only `keepFromCursor` compares what is
 * meant. Here it is compared as stored, with room for other ways to write it.
 */
export function roughCondition(
  database: Database,
  from: string,
  { field, type, value }: CursorFilter,
): RoughCondition | null {
  const column = name(field)
  switch (type) {
    case 'string':
      return { sql: `${column} COLLATE BINARY >= :headgate_cursor`, value }
    case 'date':
      return dated(database, from, column, String(value))
    case 'datetime': {
      // Offsets of up to 14 hours move the day; `T` or a blank come after it.
      const day = new Date(Date.parse(String(value)) - 24 * 3_600_000).toISOString().slice(0, 10)
      return dated(database, from, column, day)
    }
    case 'integer':
    case 'number': {
      const declared = database.prepare(`SELECT ${column} FROM ${from}`).columns()[0]?.type ?? ''
      const exact = type === 'integer' || Number.isSafeInteger(value) ? BigInt(value) : Number(value)
      if (/INT|REAL|FLOA|DOUB/i.test(declared)) return { sql: `${column} >= :headgate_cursor`, value: exact }
      // As floating point decimals may come out a little less. Those kept as text compare as numbers only by a cast, which no index knows.
      const number = Number(value)
      const isNumber = affinityOf(declared) === 'NUMERIC' && declared !== ''
      return {
        sql: `${isNumber ? column : `CAST(${column} AS REAL)`} >= :headgate_cursor`,
        value: number - Math.abs(number) * 1e-9,
      }
    }
  }
}

/** With years of four digits, text is in the order of time. Longer ones are compared in DuckDB: `10000-01-01` is less than `2026-01-01`. */
function dated(database: Database, from: string, column: string, value: string): RoughCondition | null {
  if (!/^\d{4}-/.test(value)) return null
  const later = `${column} >= :headgate_cursor OR ${column} < '0'`
  const other = `substr(${column}, 5, 1) > '/'`
  return { sql: mayHaveOthers(database, from, column, value) ? `(${later} OR ${other})` : `(${later})`, value }
}

/**
 * Whether another digit follows the first four characters of a value before the cursor. Asked of an index, year by year: the condition that
 * finds such rows reads the whole table, which happens without an index anyway.
 */
function mayHaveOthers(database: Database, from: string, column: string, value: string): boolean {
  const bind = { headgate_cursor: value }
  const before = `${column} < :headgate_cursor`
  const plan = database.prepare(`EXPLAIN QUERY PLAN SELECT 1 FROM ${from} WHERE ${before}`).all(bind)
  const [step] = plan as { detail: string }[]
  if (plan.length !== 1 || !step?.detail.startsWith('SEARCH')) return true
  // No bound reads as a number: SQLite would compare it as one where the column is declared as a date.
  const first = (after: string): string =>
    `SELECT substr(min(${column}), 1, 4) FROM ${from} WHERE ${column} > ${after} AND ${before}`
  const years = `WITH RECURSIVE years(headgate_year) AS (${first(`''`)} UNION ALL SELECT (${first(`headgate_year || ':'`)}) FROM years WHERE headgate_year IS NOT NULL)`
  const found = `EXISTS (SELECT 1 FROM ${from} WHERE ${column} > headgate_year || '/:' AND ${column} < headgate_year || ':')`
  return database.prepare(`${years} SELECT 1 FROM years WHERE ${found} LIMIT 1`).get(bind) !== undefined
}

/** Leaves out what the rough condition let through. Rows without a value are before every cursor. */
export async function keepFromCursor(
  stream: RowStream,
  cursor: CursorFilter,
  context: StageContext,
): Promise<RowStream> {
  const condition = await fromCursor(stream.columns, cursor, context)
  if (condition === null) return stream
  const kept = context.session.newName('source')
  const rows = await context.session.createTable(kept, `SELECT * FROM (${stream.sql}) WHERE ${condition}`)
  return tableStream(kept, stream.columns, rows)
}

/** The condition in DuckDB; null where the column does not compare with the cursor. */
export async function fromCursor(
  columns: readonly Column[],
  cursor: CursorFilter,
  context: StageContext,
): Promise<string | null> {
  const column = findColumn(columns, cursor.field)
  // What does not compare is told by the cursor's own check of the column's type.
  if (!comparable[cursor.type].test(column.type)) return null
  const zoned =
    cursor.type === 'datetime' && column.type.startsWith('TIMESTAMP') && column.type !== 'TIMESTAMP WITH TIME ZONE'
  const variable = await context.session.setVariable(String(cursor.value))
  const given = `getvariable(${text(variable)})`
  const start = zoned ? `(CAST(${given} AS TIMESTAMPTZ) AT TIME ZONE 'UTC')` : `CAST(${given} AS ${column.type})`
  return `${name(column.name)}${cursor.type === 'string' ? ' COLLATE C' : ''} >= ${start}`
}

const comparable: Record<CursorFilter['type'], RegExp> = {
  string: /^VARCHAR$/,
  integer: /INT/,
  number: /INT|DOUBLE|FLOAT|DECIMAL/,
  date: /^DATE$/,
  datetime: /^TIMESTAMP/,
}
