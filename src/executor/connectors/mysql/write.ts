import { createHash } from 'node:crypto'
import type { BoundConnector } from '../../../contract/executor-protocol.ts'
import type { TableTarget } from '../../../language/task/targets/target.types.ts'
import { refuseReadOnly } from '../config.ts'
import { mysqlName, withMysql, type MysqlSession } from './client.ts'
import { mysqlTable, type MysqlTable } from './catalog.ts'
import { reportChanges } from '../../engine/changes.ts'
import { cancelled } from '../../engine/duckdb.ts'
import { EngineError } from '../../engine/errors.ts'
import type { StageContext, TargetResult } from '../../engine/lane.types.ts'
import type { RowStream } from '../../engine/stream.ts'
import { columnValues } from '../../engine/vectors.ts'
import type { ColumnPlan } from '../../targets/column-plan.ts'
import { findOutgrown } from '../../targets/outgrown.ts'
import { createMysqlInsert, signalled, type InsertCounts } from './insert.ts'
import { deleteKeys, requireOneSpelling, requireOwnRows, requireSameKeys, requireStored } from './keys.ts'
import { mysqlChanges, mysqlRow } from './literals.ts'
import { shapeTable, type ShapedTable } from './table.ts'
import { resultOf } from '../../targets/summary.ts'
import { runMessage } from '../../../contract/run-messages.ts'

const turnSeconds = 30

/** One transaction, from the first row to the last: readers see the table as before or as after. */
export async function writeMysqlTable(
  target: TableTarget,
  connector: BoundConnector,
  given: RowStream,
  context: StageContext,
): Promise<TargetResult> {
  refuseReadOnly(connector)
  const place = mysqlTable(target.table, connector)
  const work = async (session: MysqlSession): Promise<TargetResult> => {
    if (target.mode === 'replace' || target.mode === 'delete_insert') await takeTurns(session, target, place)
    let looked = given
    const table = await shapeTable(session, target, connector, given.columns, {
      log: (message) => context.log('info', message),
      drift: context.drift,
      async outgrown(existing) {
        const found = await findOutgrown(target, looked, existing, 'mysql', context)
        looked = found.stream
        return found.narrow
      },
      warn: context.warn,
    })
    try {
      const stream = await reportChanges(mysqlChanges(table.plan.writes, table.columns), looked, context)
      await session.run('START TRANSACTION')
      const before = await makeRoom(session, target, table, stream, context)
      if (target.mode === 'upsert') await requireSameKeys(session, table.keys, stream, context)
      const { rows, inserted, updated } = await insertRows(session, target, table, stream, context)
      if (target.mode === 'upsert') await requireOwnRows(session, table.keys, stream, context)
      if (target.mode === 'delete_insert') await requireOneSpelling(session, table.keys, stream, context)
      await context.readyToCommit({ sent: rows, taken: target.mode === 'upsert' ? null : inserted })
      await session.run('COMMIT')
      await table.beside?.takePlace()
      const changed = inserted + updated
      return resultOf(target, { rows, inserted, changed, before })
    } catch (error) {
      await session.run('ROLLBACK').catch(() => undefined) // the connection may be broken; closing it rolls back, too
      if (table.made) await dropIfEmpty(session, table)
      await table.beside?.discard().catch(() => undefined) // the connection may be broken; the next such run removes it
      throw signalled(error, target.table, 'a row') ?? error
    }
  }
  return withMysql(connector, context.signal, work, { strict: true })
}

/**
 * Runs that empty the same table do so one after the other: where it has no rows yet, there is nothing to lock, and each would add its
 * own to the other's. The server lets go of the lock when the connection ends.
 */
async function takeTurns(session: MysqlSession, target: TableTarget, { schema, table }: MysqlTable): Promise<void> {
  const turn = `headgate:${createHash('sha1').update(`${schema}.${table}`.toLowerCase()).digest('hex')}`
  const [[got] = []] = await session.rows(`SELECT GET_LOCK(?, ${turnSeconds})`, [turn])
  if (Number(got) === 1) return
  throw new EngineError(
    'DATABASE_LOCKED',
    runMessage('table_written_by_other_run', { table: target.table, seconds: turnSeconds }),
    {
      hint: runMessage('table_written_by_other_run_fix'),
    },
  )
}

/** A table that this run has made would else stand in the way of the next one, with types that may have been wrong. */
async function dropIfEmpty(session: MysqlSession, table: ShapedTable): Promise<void> {
  try {
    // Another run may be filling it: it is waited for, a little.
    await session.run('SET SESSION lock_wait_timeout = 2')
    await session.run(`LOCK TABLES ${table.sql} WRITE`)
    if ((await session.rows(`SELECT 1 FROM ${table.sql} LIMIT 1`)).length === 0)
      await session.run(`DROP TABLE ${table.sql}`)
  } catch {
    // What failed first is told; an empty table is left over.
  }
}

/** Rows that have to go: all of them, or those whose keys come in. Never TRUNCATE, which commits. */
async function makeRoom(
  session: MysqlSession,
  target: TableTarget,
  table: ShapedTable,
  stream: RowStream,
  context: StageContext,
): Promise<number> {
  if (table.beside) return table.beside.rows
  if (target.mode === 'replace') return (await session.run(`DELETE FROM ${table.sql}`)).affectedRows
  return target.mode === 'delete_insert' ? deleteKeys(session, table.keys, stream, context) : 0
}

async function insertRows(
  session: MysqlSession,
  target: TableTarget,
  table: ShapedTable,
  stream: RowStream,
  context: StageContext,
): Promise<InsertCounts> {
  const {
    plan,
    types,
    keys: { writes: keys, loose },
  } = table
  const keyNames = keys.map(({ to }) => mysqlName(to))
  const names = plan.writes.map(({ to }) => to)
  const [[packet] = []] = await session.rows('SELECT @@max_allowed_packet')
  const insert = createMysqlInsert(session, {
    head: `INSERT INTO ${table.sql} (${names.map(mysqlName).join(', ')}) VALUES `,
    tail:
      target.mode === 'upsert'
        ? onDuplicate(
            names,
            keys.filter(({ to }) => !loose.has(to)),
          )
        : '',
    rows: target.batch.rows,
    lookup: table.otherKeys ? `SELECT count(*) FROM ${table.sql} WHERE (${keyNames.join(', ')}) IN (` : null,
    requireStored: (literals) => requireStored(session, table.keys, literals),
    table: target.table,
    columns: names,
    mostBytes: Number(packet ?? 1_048_576) - 1024,
  })
  const shown = { table: target.table, key: target.key, columns: stream.columns }
  const key = table.otherKeys ? `, ${mysqlRow(keys, types, shown)}` : ''
  return context.consume(stream, async () => {
    let rows = 0
    for await (const chunk of context.session.chunks(
      `SELECT ${mysqlRow(plan.writes, types, shown)}${key} FROM (${stream.sql})`,
    )) {
      const literals = columnValues(chunk, 0)
      const keyed = table.otherKeys ? columnValues(chunk, 1) : null
      for (let row = 0; row < chunk.rowCount; row++)
        await insert.add(String(literals[row]), keyed ? String(keyed[row]) : null)
      rows += chunk.rowCount
      context.reached(rows)
      if (context.signal.aborted) throw cancelled()
    }
    return { rows, value: await insert.finish() }
  })
}

/** A row that is already there as it should be is not touched: the same upsert twice changes nothing. `keys`: those that stay as they are. */
function onDuplicate(columns: readonly string[], keys: ColumnPlan['writes']): string {
  const others = columns.filter((column) => !keys.some(({ to }) => to === column))
  const set = (others.length === 0 ? columns.slice(0, 1) : others).map(
    (column) => `${mysqlName(column)} = ${others.length === 0 ? mysqlName(column) : `VALUES(${mysqlName(column)})`}`,
  )
  return ` ON DUPLICATE KEY UPDATE ${set.join(', ')}`
}
