import type { BoundConnector } from '../../../contract/executor-protocol.ts'
import { compileBinds } from '../../../language/sql-binds.ts'
import { scanSql } from '../../../language/sql/scan-sql.ts'
import { sameColumn } from '../../../language/task/column-types.ts'
import type { SqlQueryRead, SqlTableRead } from '../../../language/task/sources/source.types.ts'
import { configOf } from '../config.ts'
import { mysqlName, openMysql, type MysqlField, type MysqlSession, type MysqlValue } from './client.ts'
import { mysqlColumns, mysqlTable, selectList, type MysqlTable } from './catalog.ts'
import { originsOf } from './origins.ts'
import { bindValue } from './values.ts'
import { withOrigins } from '../../engine/column-origin.ts'
import { findChanges } from '../../engine/changes.ts'
import { cancelled, type DuckSession } from '../../engine/duckdb.ts'
import { EngineError } from '../../engine/errors.ts'
import type { CursorFilter, StageContext } from '../../engine/lane.types.ts'
import { name, refuseDuplicates } from '../../engine/sql-text.ts'
import { queryStream, tableStream, type RowStream } from '../../engine/stream.ts'
import { readOf, type MysqlRead, type MysqlReading } from './columns.ts'
import { beginReading, openSnapshot, rangesOf, type MysqlSelect } from './ranges.ts'
import type { DatabaseSource } from '../../sources/sql.types.ts'
import { createTypedWriter, type TypedWriter } from '../../sources/typed-writer.ts'
import { runMessage } from '../../../contract/run-messages.ts'

/** Rows are taken as they come and go right into the session: memory stays flat, DuckDB spills what it cannot hold. */
export const openMysqlSource: DatabaseSource = async (read, connector, context, { limit }) => {
  const first = await openMysql(connector, context.signal)
  const open: MysqlSession[] = [first]
  try {
    const table = read.kind === 'table' ? mysqlTable(read.table, connector) : null
    const whole = read.kind === 'table' ? await tableRead(first, read, connector, context.cursor) : queryOf(read)
    const reading = configOf(connector, 'mysql')
    await check(first, whole.sql, reading)
    let parts: MysqlSelect[] = [whole]
    if (read.kind === 'table' && read.partition && table && limit === null) {
      const snapshot = await openSnapshot(
        first,
        table,
        read.partition,
        () => openMysql(connector, context.signal),
        open,
        context,
      )
      parts = await rangesOf(snapshot, table, whole, read.partition, context)
    } else {
      await beginReading(first)
      if (limit !== null) await first.run(`SET SESSION sql_select_limit = ${limit}`)
    }
    const { reads, writer } = await readAll(open, parts, context.session, reading)
    const staged = await writer.finish()
    if (context.signal.aborted) throw cancelled()
    context.log('info', `Read ${staged.rows.toLocaleString('en')} rows from ${connector.name}`)
    const nulled = new Set<string>()
    const stream = await typed(staged, reads, context, nulled)
    return table && limit === null ? withOrigins(stream, await originsOf(first, table, nulled)) : stream
  } finally {
    for (const session of open) session.close()
  }
}

interface Reading {
  reads: MysqlRead[]
  writer: TypedWriter
}

/** As many parts at once as there are sessions. */
async function readAll(
  sessions: readonly MysqlSession[],
  parts: readonly MysqlSelect[],
  session: DuckSession,
  config: MysqlReading,
): Promise<Reading> {
  const left = [...parts]
  let reading: Promise<Reading> | null = null
  let add: ((row: MysqlValue[]) => void) | null = null
  const begin = async (fields: MysqlField[]): Promise<void> => {
    reading ??= beginWriting(fields, session, config)
    const { reads, writer } = await reading
    add = (row) => writer.add(row.map((value, at) => (value === null ? null : (reads[at]?.encode?.(value) ?? value))))
  }
  const work = async (from: MysqlSession): Promise<void> => {
    for (let part = left.shift(); part; part = left.shift()) {
      await from.each(part.sql, part.values, { fields: begin, row: (row) => add?.(row) }) // never before `begin`
    }
  }
  const all = sessions.map(work)
  try {
    await Promise.all(all)
  } catch (error) {
    left.length = 0
    for (const open of sessions) open.close()
    // What is under way in the session must be over before the session is closed.
    await Promise.allSettled([...all, Promise.resolve(reading)])
    throw error
  }
  const found = await (reading as Promise<Reading> | null) // assigned in a callback
  if (!found) throw notSelect()
  return found
}

async function beginWriting(
  fields: readonly MysqlField[],
  session: DuckSession,
  config: MysqlReading,
): Promise<Reading> {
  const reads = fields.map((field) => readOf(field, config))
  return {
    reads,
    writer: await createTypedWriter(
      session,
      reads.map((one) => one.write),
    ),
  }
}

async function tableRead(
  session: MysqlSession,
  read: SqlTableRead,
  connector: BoundConnector,
  cursor: CursorFilter | null,
): Promise<MysqlSelect> {
  const table = mysqlTable(read.table, connector)
  const list = await selectList(session, table, read.columns)
  return filtered(`SELECT ${list} FROM ${table.sql}`, cursor, await isComparedByBytes(session, table, cursor))
}

/** Collations whose order is that of the bytes of UTF-8, but for blanks at the end, which let in a row too many at most. */
const byteOrder = /^(utf8mb4|utf8mb3|utf8|ascii)_.*bin$/

/** Whether a text cursor compares as it was found. A collation that puts `a` before `B` would never show a new `a`. */
async function isComparedByBytes(
  session: MysqlSession,
  table: MysqlTable,
  cursor: CursorFilter | null,
): Promise<boolean> {
  if (cursor?.type !== 'string') return true
  const column = (await mysqlColumns(session, table)).find(({ name: column }) => sameColumn(column, cursor.field))
  return (
    column?.collation !== null && byteOrder.test(column?.collation ?? '') && !/^(enum|set)/.test(column?.type ?? '')
  )
}

function queryOf(read: SqlQueryRead): MysqlSelect {
  const { sql, names } = compileBinds(read.query, 'mysql')
  const first = scanSql(sql, 'mysql').find((token) => token.kind !== 'comment' && token.kind !== 'open')
  const word = first?.kind === 'word' ? sql.slice(first.start, first.end).toLowerCase() : ''
  if (!['select', 'with', 'values', 'table'].includes(word)) throw notSelect()
  return { sql, values: names.map((bind) => bindValue(read.params[bind] ?? null)) }
}

function notSelect(): EngineError {
  return new EngineError('SQL_NOT_ALLOWED', runMessage('query_returns_no_rows'), {
    hint: runMessage('query_returns_no_rows_fix'),
  })
}

/** `state.cursor`: from there on. The value is compared as the column's type, not as floating point. */
function filtered(sql: string, cursor: CursorFilter | null, byBytes: boolean): MysqlSelect {
  if (!cursor) return { sql, values: [] }
  const field = mysqlName(cursor.field)
  const bound = (at: string, value: unknown): MysqlSelect => ({
    sql: `${sql} WHERE ${field} >= ${at}`,
    values: [value],
  })
  switch (cursor.type) {
    case 'integer':
      return bound('?', BigInt(cursor.value))
    case 'number':
      return typeof cursor.value === 'number'
        ? bound('?', cursor.value)
        : bound('CAST(? AS DECIMAL(65,30))', cursor.value)
    case 'date':
      return bound('CAST(? AS DATE)', cursor.value)
    case 'datetime':
      return bound('CAST(? AS DATETIME(6))', String(cursor.value).replace('T', ' ').replace(/Z$/, ''))
    case 'string': {
      if (byBytes) return bound('?', cursor.value)
      const bytes = (text: string): string => `CAST(CONVERT(${text} USING utf8mb4) AS BINARY)`
      return { sql: `${sql} WHERE ${bytes(field)} >= ${bytes('?')}`, values: [cursor.value] }
    }
  }
}

/** Before anything is run: it returns rows, under names of their own, that can be read. */
async function check(session: MysqlSession, sql: string, reading: MysqlReading): Promise<void> {
  const fields = await session.columns(sql)
  if (fields.length === 0) throw notSelect()
  refuseDuplicates(fields.map((field) => field.name))
  for (const field of fields) readOf(field, reading)
}

/** Looks at the columns whose type alone does not say that every value fits; see `readOf`. `nulled` gets those with values read as NULL. */
async function typed(
  staged: { table: string; rows: number },
  reads: readonly MysqlRead[],
  context: StageContext,
  nulled: Set<string>,
): Promise<RowStream> {
  const doubtful = reads.flatMap(({ write, doubt }) => (doubt ? [{ column: write.name, doubt }] : []))
  const tests = doubtful.map(({ column, doubt }) => ({
    column,
    change: runMessage('change_zero_dates'),
    when: `${name(column)} IS NOT NULL AND (${doubt.misfit})`,
  }))
  const found = await findChanges(tests, tableStream(staged.table, [], staged.rows), context)
  for (const { column, count, example } of found) {
    const refused = doubtful.find((one) => one.column === column)?.doubt.refused
    if (!refused) continue
    const others = count === 1 ? '' : runMessage('and_more', { count: count - 1 })
    throw new EngineError(
      'VALUE_INVALID',
      runMessage('column_unreadable', { column, type: refused.is, example: example ?? '', others }),
      {
        hint: refused.hint,
      },
    )
  }
  context.changed(found, 'lost')
  for (const { column } of found) nulled.add(column)
  const columns = reads.map((read) => ({ name: read.write.name, type: read.type }))
  const fields = reads.map((read) => `${read.sql} AS ${name(read.write.name)}`)
  return queryStream(`SELECT ${fields.join(', ')} FROM ${name(staged.table)}`, columns, staged.rows)
}
