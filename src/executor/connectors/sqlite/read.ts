import type { Database, Statement } from 'better-sqlite3'
import type { SqlSource } from '../../../language/task/sources/source.types.ts'
import { compileBinds } from '../../../language/sql-binds.ts'
import { parseTableName } from '../../../language/task/table-name.ts'
import { openSqlite, sqliteError, whenUnlocked } from './database.ts'
import { originsOf } from './origins.ts'
import { bindValues } from './values.ts'
import { withOrigins } from '../../engine/column-origin.ts'
import type { ColumnType } from '../../../language/task/column-types.ts'
import { findChanges } from '../../engine/changes.ts'
import { castExpression, momentOfText } from '../../engine/casts.ts'
import { EngineError } from '../../engine/errors.ts'
import type { CursorFilter, StageContext } from '../../engine/lane.types.ts'
import { name, names, refuseDuplicates } from '../../engine/sql-text.ts'
import { queryStream, tableStream, type RowStream } from '../../engine/stream.ts'
import { keepFromCursor, roughCondition } from './cursor.ts'
import { createStageWriter } from '../../sources/stage-writer.ts'
import { logicalTypeOf } from '../../targets/type-map.ts'
import type { DatabaseSource } from '../../sources/sql.types.ts'
import { runMessage } from '../../../contract/run-messages.ts'

/** Reads row by row into the session; memory stays flat, DuckDB spills what it cannot hold. */
export const openSqliteSource: DatabaseSource = async (read, connector, context, { limit }) => {
  const database = openSqlite(connector, 'read')
  try {
    const { statement, params } = await whenUnlocked(connector, context.signal, () =>
      prepare(database, read, context.cursor, limit),
    )
    const declared = statement.columns().map((column) => ({ name: column.name, type: column.type }))
    refuseDuplicates(declared.map((column) => column.name))
    const writer = createStageWriter(context.session, declared)
    const rows = await whenUnlocked(connector, context.signal, () => statement.raw().safeIntegers().iterate(params))
    for (const row of rows as IterableIterator<unknown[]>) {
      if (writer.add(row)) await writer.flush(context.signal)
      if (limit !== null && writer.rows() >= limit) break
    }
    const staged = await writer.finish()
    if (read.kind === 'table' && read.partition !== null)
      context.log('debug', '`partition` has no effect here: SQLite is read in one go')
    context.log('info', `Read ${staged.rows.toLocaleString('en')} rows from ${connector.name}`)
    const stream = withOrigins(await typed(staged, declared, context), originsOf(database, read, statement.columns()))
    return read.kind === 'table' && context.cursor !== null
      ? await keepFromCursor(stream, context.cursor, context)
      : stream
  } catch (error) {
    throw sqliteError(error, connector)
  } finally {
    database.close()
  }
}

/** The one SELECT of a source. */
export function prepare(
  database: Database,
  read: SqlSource['read'],
  cursor: CursorFilter | null,
  limit: number | null,
): { statement: Statement; params: Record<string, unknown> } {
  const top = limit === null ? '' : ` LIMIT ${limit}`
  if (read.kind === 'table') {
    const table = parseTableName(read.table)
    if (!table)
      throw new EngineError('TABLE_NOT_FOUND', runMessage('table_name_invalid', { table: read.table }), {
        hint: runMessage('sqlite_table_name_fix'),
      })
    const from = table.schema === null ? name(table.name) : `${name(table.schema)}.${name(table.name)}`
    const start = cursor === null ? null : roughCondition(database, from, cursor)
    const where = start === null ? '' : ` WHERE ${start.sql}`
    return {
      statement: database.prepare(
        `SELECT ${read.columns === null ? '*' : names(read.columns)} FROM ${from}${where}${top}`,
      ),
      params: start === null ? {} : { headgate_cursor: start.value },
    }
  }
  const { sql, names: wanted } = compileBinds(read.query, 'sqlite')
  const statement = database.prepare(sql)
  if (
    !statement.reader ||
    !statement.readonly ||
    !/^\s*(--[^\n]*\n\s*|\/\*[\s\S]*?\*\/\s*)*(select|with|values)\b/i.test(sql)
  ) {
    throw new EngineError('SQL_NOT_ALLOWED', runMessage('query_not_one_select'), {
      hint: runMessage('query_returns_no_rows_fix'),
    })
  }
  return { statement, params: bindValues(wanted, read.params) }
}

/**
 * SQLite stores dates, booleans and decimals as text and numbers. Where a column is declared as one and every value reads as one, it
 * becomes one without losing anything; else it stays as stored, with a warning.
 */
async function typed(
  staged: { table: string; rows: number; types: Map<string, string> },
  declared: { name: string; type: string | null }[],
  context: StageContext,
): Promise<RowStream> {
  const wanted = declared.flatMap((column) => {
    const type = column.type === null ? null : logicalTypeOf('sqlite', column.type)
    const stored = staged.types.get(column.name)
    if (type === null || stored === undefined || type === stored) return []
    return [{ column: column.name, type, reading: readingOf(column.name, stored, type) }]
  })
  const misfits = wanted.map(({ column, type, reading: { read, loses } }) => ({
    column,
    change: runMessage('change_read_as', { declared: type, type: staged.types.get(column) ?? '' }),
    when: `${name(column)} IS NOT NULL AND (${read} IS NULL OR ${loses})`,
  }))
  const found = await findChanges(misfits, tableStream(staged.table, [], staged.rows), context)
  context.changed(found)
  const odd = new Set(found.map(({ column }) => column))
  const fits = new Map(
    wanted.flatMap(({ column, type, reading: { read } }) =>
      odd.has(column) ? [] : [[column, { type, read }] as const],
    ),
  )
  const columns = declared.map((column) => ({
    name: column.name,
    type: fits.get(column.name)?.type ?? staged.types.get(column.name) ?? 'VARCHAR',
  }))
  const fields = columns.map((column) => {
    const fit = fits.get(column.name)
    return fit ? `${fit.read} AS ${name(column.name)}` : name(column.name)
  })
  return queryStream(`SELECT ${fields.join(', ')} FROM ${name(staged.table)}`, columns, staged.rows)
}

/** How a stored value is read as what its column is declared as (NULL where it is none), and whether that would lose a part of it. */
function readingOf(column: string, stored: string, type: string): { read: string; loses: string } {
  const value = name(column)
  const read = `TRY_CAST(${value} AS ${type})`
  const isText = stored === 'VARCHAR'
  if (type === 'TIMESTAMP' && isText) return { read: `(${momentOfText(value)})`, loses: 'false' }
  if (type === 'DATE' && isText) {
    const day = castExpression({ column, from: stored, type: 'date', to: type, rounding: 'truncate' })
    // A date with a time of day.
    return { read: day, loses: `coalesce(${momentOfText(value)} <> ${day}, false)` }
  }
  if (type === 'BOOLEAN' && (stored === 'BIGINT' || stored === 'DOUBLE'))
    return { read, loses: `${value} NOT IN (0, 1)` }
  if (type.startsWith('DECIMAL(') && stored !== 'BLOB')
    return {
      read: castExpression({ column, from: stored, type: type.toLowerCase() as ColumnType, to: type }),
      loses: 'false',
    } // by the line above
  return { read, loses: 'false' }
}
