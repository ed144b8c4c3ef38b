import type { Database, Statement } from 'better-sqlite3'
import { isUtf8 } from 'node:buffer'
import type { SqlSource } from '../../../language/task/sources/source.types.ts'
import { compileBinds } from '../../../language/sql-binds.ts'
import { parseTableName } from '../../../language/task/table-name.ts'
import { outlineOf } from '../read-only.ts'
import { openSqlite, sqliteError, whenUnlocked } from './database.ts'
import { originsOf } from './origins.ts'
import { bindValues } from './values.ts'
import { withOrigins } from '../../engine/column-origin.ts'
import { shortened } from '../../../language/shortened.ts'
import type { ValueChange } from '../../../contract/value-change.ts'
import type { ColumnType } from '../../../language/task/column-types.ts'
import { findChanges } from '../../engine/changes.ts'
import { castExpression, momentOfText } from '../../engine/casts.ts'
import { EngineError } from '../../engine/errors.ts'
import type { CursorFilter, StageContext } from '../../engine/lane.types.ts'
import { name, names, refuseDuplicates } from '../../engine/sql-text.ts'
import { queryStream, type RowStream } from '../../engine/stream.ts'
import { keepFromCursor, roughCondition } from './cursor.ts'
import { kindsMixed, type ValueKind } from '../../sources/kinds-mixed.ts'
import { createStageWriter, declaredStorage, type Staged, type Storage } from '../../sources/stage-writer.ts'
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
    const doubtful = new Set<number>()
    for (const row of rows as IterableIterator<unknown[]>) {
      for (let at = 0; at < row.length; at++) {
        const value = row[at]
        if (typeof value === 'string' && value.includes('\ufffd')) doubtful.add(at)
      }
      if (writer.add(row)) await writer.flush(context.signal)
      if (limit !== null && writer.rows() >= limit) break
    }
    const texts = { statement, params, rows: writer.rows(), place: connector.name }
    for (const at of doubtful) refuseBroken(database, declared[at]?.name ?? '', texts)
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

/**
 * The driver puts U+FFFD for bytes that are no UTF-8, which SQLite keeps in texts as they are. Where one has come, the bytes say whether it
 * stands in the text itself.
 */
function refuseBroken(
  database: Database,
  column: string,
  texts: { statement: Statement; params: Record<string, unknown>; rows: number; place: string },
): void {
  if (database.pragma('encoding', { simple: true }) !== 'UTF-8') return
  database.function('headgate_is_utf8', (bytes: unknown) => Number(bytes instanceof Uint8Array && isUtf8(bytes)))
  const read = texts.statement.source.replace(/;\s*(--[^\n]*\s*)*$/, '')
  const rows = `SELECT row_number() OVER () AS nth, typeof(${name(column)}) AS kind, CAST(${name(column)} AS BLOB) AS bytes FROM (SELECT * FROM (\n${read}\n) LIMIT ${texts.rows})`
  const found = database
    .prepare(`SELECT nth FROM (${rows}) WHERE kind = 'text' AND NOT headgate_is_utf8(bytes) LIMIT 1`)
    .pluck()
    .get(texts.params)
  if (found === undefined) return
  const cause = runMessage('bytes_not_text', { column })
  throw new EngineError('VALUE_INVALID', runMessage('at_row', { file: texts.place, row: Number(found), cause }), {
    hint: runMessage('sqlite_bytes_not_text_fix', { column }),
  })
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
  // Before it is prepared, which can be enough for a pragma to act. Tasks for several systems were read as another one reads them.
  if (!/^(select|with|values)$/.test(outlineOf(sql, 'sqlite').words[0] ?? '')) throw notOneSelect()
  const statement = database.prepare(sql)
  if (!statement.reader || !statement.readonly) throw notOneSelect()
  return { statement, params: bindValues(wanted, read.params) }
}

const notOneSelect = (): EngineError =>
  new EngineError('SQL_NOT_ALLOWED', runMessage('query_not_one_select'), {
    hint: runMessage('query_returns_no_rows_fix'),
  })

/**
 * SQLite stores dates, booleans and decimals as text and numbers. Where a column is declared as one and every value reads as one, it
 * becomes one without losing anything; else it stays as stored, with a warning.
 */
async function typed(
  staged: Staged,
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
  const found = await findChanges(misfits, queryStream(staged.sql, [], staged.rows), context)
  const odd = new Set(found.map(({ column }) => column))
  context.changed([...found, ...declared.flatMap((column) => otherKinds(column, staged, odd.has(column.name)))])
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
  return queryStream(`SELECT ${fields.join(', ')} FROM (${staged.sql})`, columns, staged.rows)
}

const kindNames = {
  BIGINT: 'kind_numbers',
  DOUBLE: 'kind_numbers',
  VARCHAR: 'kind_texts',
  BLOB: 'kind_bytes',
} as const satisfies Record<Storage, ValueKind>

/**
 * SQLite keeps any value in any column: those of a kind that the column is not declared for may make the others text or bytes. `odd`: what the
 * column is declared as is more than how its values are stored, and some are none.
 */
function otherKinds(
  { name: column, type: declared }: { name: string; type: string | null },
  { types, kinds }: Staged,
  odd: boolean,
): ValueChange[] {
  const type = types.get(column) ?? ''
  const seen = kinds.get(column) ?? new Map<Storage, { count: number; example: unknown }>()
  const mixed = kindsMixed(
    column,
    [...seen.keys()].map((kind) => kindNames[kind]),
    type,
    [...seen].reduce((sum, [kind, { count }]) => (kind === type ? sum : sum + count), 0),
  )
  if (declared !== null && logicalTypeOf('sqlite', declared) !== null) return odd ? mixed : []
  if (declared === null || !/INT|CHAR|CLOB|TEXT|BLOB|REAL|FLOA|DOUB/i.test(declared)) return mixed
  const own = declaredStorage(declared)
  const others = [...seen].filter(([kind]) => kind !== own)
  const [first] = others
  // A column of bytes is often one of whatever there is.
  if (!first || (own === 'BLOB' && seen.size === 1)) return []
  if (type === own) return mixed
  const change = runMessage('change_read_as', { declared, type })
  const { code, params, message } = change
  const count = others.reduce((sum, [, kind]) => sum + kind.count, 0)
  const { example } = first[1]
  const shown = example instanceof Uint8Array ? `\\x${Buffer.from(example).toString('hex')}` : String(example)
  return [{ column, change: message, code, params, count, example: shortened(shown, 100) }, ...mixed]
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
