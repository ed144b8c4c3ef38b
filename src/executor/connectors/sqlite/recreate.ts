import type { Database } from 'better-sqlite3'
import { EngineError, messageOf } from '../../engine/errors.ts'
import { name } from '../../engine/sql-text.ts'
import type { ColumnChange } from '../../targets/column-plan.ts'
import { editCreateTable } from '../../targets/create-table.ts'
import { runMessage } from '../../../contract/run-messages.ts'

interface SchemaEntry {
  type: string
  name: string
  sql: string
}

function entriesOf(database: Database, table: string): SchemaEntry[] {
  return database
    .prepare(`SELECT type, name, sql FROM main.sqlite_schema WHERE lower(tbl_name) = lower(?) AND sql IS NOT NULL`)
    .all(table) as SchemaEntry[] // the columns of this query
}

function createOf(entries: readonly SchemaEntry[], table: string): string {
  const sql = entries.find(({ type }) => type === 'table')?.sql
  if (sql === undefined) throw new Error(`There is no table ${table}`)
  return sql
}

/**
 * Builds a table without rows anew with other types of some columns, in the transaction of the rows that come. Its keys, checks, indexes and
 * triggers are made again as they were; views find it by its name.
 */
export function recreateColumns(
  database: Database,
  table: string,
  changes: readonly ColumnChange[],
  log: (message: string) => void,
): void {
  const entries = entriesOf(database, table)
  const types = new Map(changes.map((column) => [column.name.toLowerCase(), column.type]))
  const { body } = editCreateTable(createOf(entries, table), 'sqlite', { types })
  const counted =
    database.prepare(`SELECT 1 FROM main.sqlite_schema WHERE name = 'sqlite_sequence'`).get() !== undefined
  const sequence = counted
    ? database.prepare('SELECT seq FROM main.sqlite_sequence WHERE name = ?').pluck().get(table)
    : undefined
  database.exec(`DROP TABLE main.${name(table)}`)
  for (const sql of [
    `CREATE TABLE main.${name(table)} ${body}`,
    ...entries.filter(({ type }) => type !== 'table').map((entry) => entry.sql),
  ]) {
    try {
      database.exec(sql)
    } catch (error) {
      throw new EngineError('SCHEMA_MISMATCH', runMessage('table_misfits_types', { table, cause: messageOf(error) }), {
        hint: runMessage('table_misfits_types_fix', { sql }),
        cause: error,
      })
    }
  }
  if (sequence !== undefined)
    database.prepare('INSERT INTO main.sqlite_sequence (name, seq) VALUES (?, ?)').run(table, sequence)
  for (const { name: column, type, from } of changes)
    log(`Gave column ${column} of ${table} the type ${type}; it was ${from}`)
}

/** Names under which SQLite also finds the number of a row; ADD COLUMN refuses them. */
const rowNumbers: ReadonlySet<string> = new Set(['rowid', '_rowid_', 'oid'])

export function isRowNumber(column: string): boolean {
  return rowNumbers.has(column.toLowerCase())
}

/**
 * Adds a column by writing its definition into the schema, which is what ADD COLUMN does: rows that lack it have NULL. Rows, indexes and
 * what refers to the table stay untouched.
 */
export function addByDefinition(database: Database, table: string, column: { name: string; type: string }): void {
  const { head, body } = editCreateTable(createOf(entriesOf(database, table), table), 'sqlite', {
    add: [`${name(column.name)} ${column.type}`],
  })
  database.unsafeMode(true)
  try {
    database.pragma('writable_schema = ON')
    database
      .prepare(`UPDATE main.sqlite_schema SET sql = ? WHERE type = 'table' AND lower(name) = lower(?)`)
      .run(head + body, table)
    const version = Number(database.pragma('main.schema_version', { simple: true }))
    // Other connections read the schema again.
    database.pragma(`main.schema_version = ${version + 1}`)
  } finally {
    database.pragma('writable_schema = RESET')
    database.unsafeMode(false)
  }
}
