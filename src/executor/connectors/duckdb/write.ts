import { shortened } from '../../../language/shortened.ts'
import type { ValueChange } from '../../../contract/value-change.ts'
import type { BoundConnector } from '../../../contract/executor-protocol.ts'
import type { TableTarget } from '../../../language/task/targets/target.types.ts'
import { refuseReadOnly } from '../config.ts'
import { duckDbError, duckDbFile } from './file.ts'
import { writeLooking } from '../../engine/changes.ts'
import type { DuckSession } from '../../engine/duckdb.ts'
import { EngineError, messageOf } from '../../engine/errors.ts'
import type { StageContext, TargetResult } from '../../engine/lane.types.ts'
import { name, names } from '../../engine/sql-text.ts'
import type { RowStream } from '../../engine/stream.ts'
import type { ColumnPlan } from '../../targets/column-plan.ts'
import { countRows, requireUniqueKey, shapeTable, tableColumns, tableOf, type ShapedTable } from './table.ts'
import type { DuckTable } from './table.types.ts'
import { findOutgrown } from '../../targets/outgrown.ts'
import { changesInto } from '../../targets/table-changes.ts'
import { exactValueAs } from './fields.ts'
import { resultOf } from '../../targets/summary.ts'
import { runMessage } from '../../../contract/run-messages.ts'

/** One transaction inside the session's own DuckDB: no value leaves it. */
export async function writeDuckDbTable(
  target: TableTarget,
  connector: BoundConnector,
  given: RowStream,
  context: StageContext,
): Promise<TargetResult> {
  refuseReadOnly(connector)
  const { session } = context
  const { path } = await duckDbFile(connector, 'write')
  const read = session.attached(path)
  // Rows of the same file are put down first: the table may be one that they come from.
  const stream = read !== null && given.sql.includes(name(read)) ? await context.materialise(given) : given
  const catalog = await session.attach(path)
  const table = tableOf(target, catalog)
  try {
    const existing = await tableColumns(session, table)
    if (target.mode === 'upsert' && existing.length > 0) await requireUniqueKey(session, target, table)
    // Before the transaction: it may change no second database, not even the session's own.
    const outgrown = await findOutgrown(target, stream, existing, 'duckdb', context)
    const write = (rows: RowStream, found: readonly ValueChange[]): Promise<TargetResult> =>
      inTransaction(session, async () => {
        context.changed(found)
        const shaped = await shapeTable(session, target, table, existing, rows.columns, {
          log: (message) => context.log('info', message),
          drift: context.drift,
          outgrown: async () => outgrown.narrow,
          warn: context.warn,
        })
        const written = await writeRows({ target, table, ...shaped }, rows, context)
        await context.readyToCommit({ sent: written.rows, taken: target.mode === 'upsert' ? null : written.changed })
        return written
      })
    const result = await writeLooking(changesInto('duckdb', stream.columns, existing), outgrown.stream, context, write)
    await emptyJournal(path, context)
    return result
  } catch (error) {
    throw duckDbError(error, connector, catalog)
  }
}

async function inTransaction<T>(session: DuckSession, work: () => Promise<T>): Promise<T> {
  await session.run('BEGIN TRANSACTION')
  try {
    const result = await work()
    await session.run('COMMIT')
    return result
  } catch (error) {
    await rollBack(session)
    throw error
  }
}

/** Also after the run was stopped, when the session itself takes no statement any more. */
async function rollBack({ connection }: DuckSession): Promise<void> {
  await connection.run('ROLLBACK').catch(() => undefined) // it is over already: a COMMIT that fails rolls back
}

async function emptyJournal(path: string, { session, log }: StageContext): Promise<void> {
  const stopped = await session.emptyJournal(path)
  if (stopped !== null)
    log('warn', `The rows are written, but are still in the journal next to the file: ${messageOf(stopped)}`)
}

interface Writing extends ShapedTable {
  target: TableTarget
  table: DuckTable
}

async function writeRows(writing: Writing, stream: RowStream, context: StageContext): Promise<TargetResult> {
  const { target, table, plan, types } = writing
  const { session } = context
  const shown = { table: target.table, key: target.key, columns: stream.columns }
  const fields = plan.writes.map(
    ({ from, to }) => `${exactValueAs(from, { name: to, type: types.get(to) ?? from.type }, shown)} AS ${name(to)}`,
  )
  const incoming = `SELECT ${fields.join(', ')} FROM (${stream.sql})`
  const list = names(plan.writes.map(({ to }) => to))
  const upserts = target.mode === 'upsert'
  return context.consume(stream, async () => {
    try {
      const before = await makeRoom(writing, incoming, session)
      const done = await session.run(
        upserts ? mergeSql(writing, incoming) : `INSERT INTO ${table.sql} (${list}) ${incoming}`,
      )
      const rows = upserts ? await countRows(session, `(${incoming})`) : done
      const inserted = upserts ? (await countRows(session, table.sql)) - before : done
      context.reached(rows)
      return { rows, value: resultOf(target, { rows, inserted, changed: done, before }) }
    } catch (error) {
      // What is looked at to find out why can only be read once the broken transaction is over.
      await rollBack(session)
      throw await namingColumn(error, writing, stream, session)
    }
  })
}

/** Deletes what the mode says; the rows deleted, with upsert the rows there are. */
async function makeRoom(
  { target, table, plan, types, removed }: Writing,
  incoming: string,
  session: DuckSession,
): Promise<number> {
  switch (target.mode) {
    case 'append':
      return 0
    case 'upsert':
      return countRows(session, table.sql)
    case 'replace':
      return removed + (await session.run(`DELETE FROM ${table.sql}`))
    case 'delete_insert': {
      const keys = keysOf(target, plan)
      return session.run(
        `DELETE FROM ${table.sql} AS t USING (SELECT DISTINCT ${names(keys)} FROM (${incoming})) AS s WHERE ${matching(keys, types)}`,
      )
    }
  }
}

function keysOf(target: TableTarget, plan: ColumnPlan): string[] {
  const keys = new Set(target.key.map((key) => key.toLowerCase()))
  return plan.writes.map(({ to }) => to).filter((column) => keys.has(column.toLowerCase()))
}

/** By bytes, as DuckDB's own unique keys do, whatever the collation of the column. */
function compared(from: string, column: string, types: ReadonlyMap<string, string>): string {
  return `${from}.${name(column)}${types.get(column) === 'VARCHAR' ? ' COLLATE C' : ''}`
}

function matching(keys: readonly string[], types: ReadonlyMap<string, string>): string {
  return keys.map((key) => `${compared('t', key, types)} = ${compared('s', key, types)}`).join(' AND ')
}

/** A row that is already there as it should be is not touched: the same upsert twice changes nothing. */
function mergeSql({ target, table, plan, types }: Writing, incoming: string): string {
  const keys = keysOf(target, plan)
  const columns = plan.writes.map(({ to }) => to)
  const others = columns.filter((column) => !keys.includes(column))
  const differs = others
    .map((column) => `${compared('t', column, types)} IS DISTINCT FROM ${compared('s', column, types)}`)
    .join(' OR ')
  const set = others.map((column) => `${name(column)} = s.${name(column)}`).join(', ')
  const update = others.length === 0 ? '' : ` WHEN MATCHED AND (${differs}) THEN UPDATE SET ${set}`
  const values = columns.map((column) => `s.${name(column)}`).join(', ')
  return `MERGE INTO ${table.sql} AS t USING (${incoming}) AS s ON (${matching(keys, types)})${update} WHEN NOT MATCHED THEN INSERT (${names(columns)}) VALUES (${values})`
}

/** A value that does not fit is told by DuckDB without its column: the casts are tried one by one, to name it. */
async function namingColumn(
  error: unknown,
  { target, plan, types }: Writing,
  stream: RowStream,
  session: DuckSession,
): Promise<unknown> {
  if (!(error instanceof EngineError) || error.code !== 'VALUE_INVALID') return error
  for (const { from, to } of plan.writes) {
    const type = types.get(to) ?? from.type
    if (type === from.type || type === 'JSON') continue
    const misfit = await firstMisfit(session, stream, from.name, type)
    if (misfit === null) continue
    return new EngineError(
      'VALUE_INVALID',
      runMessage('column_cannot_hold', { to, table: target.table, type, misfit: shortened(misfit, 200) }),
      { hint: runMessage('column_cannot_hold_fix'), cause: error.cause },
    )
  }
  return error
}

async function firstMisfit(
  session: DuckSession,
  stream: RowStream,
  column: string,
  type: string,
): Promise<string | null> {
  const value = name(column)
  try {
    const [row] = await session.rows(
      `SELECT CAST(${value} AS VARCHAR) FROM (${stream.sql}) WHERE ${value} IS NOT NULL AND TRY_CAST(${value} AS ${type}) IS NULL LIMIT 1`,
    )
    return row ? String(row[0]) : null
  } catch {
    return null // a step fails by itself: its own error is the one to be told
  }
}
