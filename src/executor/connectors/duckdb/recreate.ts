import type { DuckSession } from '../../engine/duckdb.ts'
import { EngineError } from '../../engine/errors.ts'
import { name, text } from '../../engine/sql-text.ts'
import type { ColumnChange } from '../../targets/column-plan.ts'
import { editCreateTable } from '../../targets/create-table.ts'
import type { DuckTable } from './table.types.ts'
import { runMessage } from '../../../contract/run-messages.ts'

interface Logging {
  log(message: string): void
  warn(message: string): void
}

/**
 * Puts an empty table with other types of some columns in the place of the table, in the transaction of the rows that come. Keys, checks,
 * defaults, indexes and comments are those of the old one; views are bound to the new types.
 */
export async function recreateColumns(
  session: DuckSession,
  table: DuckTable,
  changes: readonly ColumnChange[],
  { log, warn }: Logging,
): Promise<void> {
  const at = `database_name = ${text(table.catalog)} AND schema_name = ${text(table.schema)} AND table_name = ${text(table.table)}`
  const [[sql, comment] = []] = await session.rows(`SELECT sql, comment FROM duckdb_tables() WHERE ${at}`)
  const comments = await session.rows(
    `SELECT column_name, comment FROM duckdb_columns() WHERE ${at} AND comment IS NOT NULL`,
  )
  const indexes = await session.rows(`SELECT sql FROM duckdb_indexes() WHERE ${at} AND sql IS NOT NULL`)
  const types = new Map(changes.map((column) => [column.name.toLowerCase(), column.type]))
  const { body } = editCreateTable(String(sql), 'duckdb', { types })
  await within(session, table, async () => {
    await fitting(session, table, `CREATE OR REPLACE TABLE ${table.sql} ${body}`)
    for (const [index] of indexes) await fitting(session, table, String(index))
  })
  if (typeof comment === 'string') await session.run(`COMMENT ON TABLE ${table.sql} IS ${text(comment)}`)
  for (const [column, words] of comments)
    await session.run(`COMMENT ON COLUMN ${table.sql}.${name(String(column))} IS ${text(String(words))}`)
  for (const { name: column, type, from } of changes)
    log(`Gave column ${column} of ${table.table} the type ${type}; it was ${from}`)
  await bindViews(session, table, warn)
}

async function fitting(session: DuckSession, table: DuckTable, sql: string): Promise<void> {
  try {
    await session.run(sql)
  } catch (error) {
    if (!(error instanceof EngineError) || error.code === 'CANCELLED') throw error
    throw new EngineError(
      'SCHEMA_MISMATCH',
      runMessage('table_misfits_types', { table: table.table, cause: error.message }),
      {
        hint: runMessage('table_misfits_types_fix', { sql }),
        cause: error,
      },
    )
  }
}

/** A view knows the types that its query had. */
async function bindViews(session: DuckSession, table: DuckTable, warn: Logging['warn']): Promise<void> {
  const views = await session.rows(
    `SELECT schema_name, view_name, sql FROM duckdb_views() WHERE database_name = ${text(table.catalog)} AND NOT internal`,
  )
  const failing = async ([schema, view]: unknown[]): Promise<string | null> => {
    try {
      await session.describe(`SELECT * FROM ${name(table.catalog)}.${name(String(schema))}.${name(String(view))}`)
      return null
    } catch (error) {
      if (error instanceof EngineError && error.code !== 'CANCELLED') return error.message
      throw error
    }
  }
  for (const view of views) {
    if ((await failing(view)) === null) continue
    const [schema, called, sql] = view.map(String)
    const again = String(sql).replace(/^CREATE VIEW /, 'CREATE OR REPLACE VIEW ')
    const lost = await within(session, { ...table, schema: String(schema) }, async () => {
      try {
        await session.run(again)
        return await failing(view)
      } catch (error) {
        if (error instanceof EngineError && error.code !== 'CANCELLED') return error.message
        throw error
      }
    })
    if (lost !== null) warn(`View ${called} does not go with the new types: ${lost}. It is: ${sql}`)
  }
}

/** Names without a schema are those of the table's file: so its definitions are written. */
async function within<T>(session: DuckSession, { catalog, schema }: DuckTable, work: () => Promise<T>): Promise<T> {
  const [[before] = []] = await session.rows(`SELECT current_database() || '.' || current_schema()`)
  await session.run(`USE ${name(catalog)}.${name(schema)}`)
  try {
    return await work()
  } finally {
    await session.connection.run(`USE ${String(before)}`)
  }
}
