import type pg from 'pg'
import type { Column } from '../../contract/common.ts'
import type { BoundConnector } from '../../contract/executor-protocol.ts'
import type { TableTarget } from '../../language/task/targets/target.types.ts'
import { refuseReadOnly } from '../connectors/config.ts'
import { withPostgres } from '../connectors/postgres-client.ts'
import type { StageContext, TargetResult } from '../engine/lane.types.ts'
import { name, names } from '../engine/sql-text.ts'
import type { RowStream } from '../engine/stream.ts'
import type { ColumnPlan, TableColumn } from './column-plan.ts'
import { requireTaken } from './left-out.ts'
import { copyRows, type FilledRows } from './postgres-copy.ts'
import { leavesOut, requireUniqueKey, shapeTable, tableColumns, tableOf, type PgTable } from './postgres-table.ts'
import { summarise } from './summary.ts'

const stage = name('headgate_stage')

export async function writePostgresTable(
  target: TableTarget,
  connector: BoundConnector,
  stream: RowStream,
  context: StageContext,
): Promise<TargetResult> {
  refuseReadOnly(connector)
  return withPostgres(connector, context.signal, (client) =>
    fillTable(
      client,
      {
        target,
        connector,
        columns: stream.columns,
        log: (message) => context.log('info', message),
        warn: context.warn,
        readyToCommit: (sent) => context.readyToCommit({ sent, taken: null }),
      },
      {
        fill: (into, plan, table) => copyRows(client, into, { plan, table }, connector, stream, context),
      },
    ),
  )
}

export interface PostgresWrite {
  target: TableTarget
  connector: BoundConnector
  /** What comes in, in DuckDB's types. */
  columns: readonly Column[]
  log(message: string): void
  warn(message: string): void
  /** All `sent` rows are written; throws where they may not be committed. */
  readyToCommit(sent: number): Promise<void>
}

/** How rows come into a table, whatever lane brings them. */
export interface RowFiller {
  /** The transaction has begun. */
  begun?(): Promise<void>
  /** Looks at how the rows will be written before any is; throws where the lane does not suit. */
  suits?(plan: ColumnPlan, existing: readonly TableColumn[]): void
  /** Fills `into`, which is `table (columns)`, of the table's types. */
  fill(into: string, plan: ColumnPlan, existing: readonly TableColumn[]): Promise<FilledRows>
  /** Looks at the staged rows before they are merged. */
  staged?(stage: string, keys: string[]): Promise<void>
}

/** One transaction. All modes but append stage the rows first. */
export async function fillTable(client: pg.Client, write: PostgresWrite, filler: RowFiller): Promise<TargetResult> {
  const { target, connector, columns, log } = write
  const table = tableOf(target, connector)
  // Whatever the role's default is: what waited for its turn must see what was committed meanwhile.
  await client.query('BEGIN ISOLATION LEVEL READ COMMITTED')
  try {
    await filler.begun?.()
    const { plan, made } = await shapeTable(client, target, table, columns, log)
    const existing = await tableColumns(client, table)
    filler.suits?.(plan, existing)
    if (target.mode === 'upsert') await requireUniqueKey(client, target, table)
    const { sent, result } = await writeRows(client, write, table, { plan, made, existing }, filler)
    await write.readyToCommit(sent)
    await client.query('COMMIT')
    return result
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined) // the connection may be broken; closing it rolls back, too
    throw error
  }
}

async function writeRows(
  client: pg.Client,
  { target, warn }: PostgresWrite,
  table: PgTable,
  { plan, made, existing }: { plan: ColumnPlan; made: boolean; existing: readonly TableColumn[] },
  filler: RowFiller,
): Promise<{ sent: number; result: TargetResult }> {
  const took = (sent: number, taken: number, leaves: () => Promise<string | null>): Promise<void> =>
    requireTaken({ table: target.table, sent, taken, leavesOut: leaves }, warn)
  const columns = plan.writes.map(({ to }) => to)
  const list = names(columns)
  // A table that nobody has seen yet needs no stage.
  if (target.mode === 'append' || (made && target.mode === 'replace')) {
    const { rows, taken } = await filler.fill(`${table.sql} (${list})`, plan, existing)
    await took(rows, taken, () => leavesOut(client, table))
    return { sent: rows, result: result(target, { rows: taken, inserted: taken, changed: taken, before: 0 }) }
  }
  await client.query(`CREATE TEMP TABLE ${stage} ON COMMIT DROP AS SELECT ${list} FROM ${table.sql} WITH NO DATA`)
  const { rows, taken: staged } = await filler.fill(`${stage} (${list})`, plan, existing)
  await took(rows, staged, async () => null)
  await filler.staged?.(stage, keysOf(target, columns))
  if (target.mode === 'upsert') {
    const merged = await upsert(client, target, table, columns)
    return { sent: rows, result: result(target, { rows, ...merged, before: 0 }) }
  }
  await takeTurns(client, table)
  const before =
    target.mode === 'replace' ? await emptyTable(client, table) : await deleteKeys(client, target, table, columns)
  const { rowCount } = await client.query(`INSERT INTO ${table.sql} (${list}) SELECT ${list} FROM ${stage}`)
  const taken = rowCount ?? 0
  await took(rows, taken, () => leavesOut(client, table))
  return { sent: rows, result: result(target, { rows: taken, inserted: taken, changed: taken, before }) }
}

function result(target: TableTarget, counts: Parameters<typeof summarise>[1]): TargetResult {
  return { rows: counts.rows, changed: counts.changed, bytes: null, summary: summarise(target, counts) }
}

/** `hg`: whose locks these are. */
const turns = 0x6867

/**
 * Runs that empty a table do so one after the other: what another one has inserted and not yet committed is not seen, and so not deleted.
 * Asked for in a statement of its own, so that the next one sees what the other has committed; the transaction's end lets go of it.
 */
async function takeTurns(client: pg.Client, table: PgTable): Promise<void> {
  await client.query(`SELECT pg_advisory_xact_lock(${turns}, $1::regclass::oid::int)`, [table.sql])
}

/** The table itself stays, with its indexes, grants and views; readers see the old rows until the commit. */
async function emptyTable(client: pg.Client, table: PgTable): Promise<number> {
  const { rowCount } = await client.query(`DELETE FROM ${table.sql}`)
  return rowCount ?? 0
}

/** The rows of the table whose key values come in. */
async function deleteKeys(client: pg.Client, target: TableTarget, table: PgTable, columns: string[]): Promise<number> {
  const keys = keysOf(target, columns)
  await client.query(`ANALYZE ${stage}`)
  const { rowCount } = await client.query(
    `DELETE FROM ${table.sql} AS t USING (SELECT DISTINCT ${names(keys)} FROM ${stage}) AS s WHERE ${keys.map((key) => `t.${name(key)} = s.${name(key)}`).join(' AND ')}`,
  )
  return rowCount ?? 0
}

function keysOf(target: TableTarget, columns: string[]): string[] {
  const keys = new Set(target.key.map((key) => key.toLowerCase()))
  return columns.filter((column) => keys.has(column.toLowerCase()))
}

async function upsert(
  client: pg.Client,
  target: TableTarget,
  table: PgTable,
  columns: string[],
): Promise<{ inserted: number; changed: number }> {
  const list = names(columns)
  const keys = new Set(target.key.map((key) => key.toLowerCase()))
  const others = columns.filter((column) => !keys.has(column.toLowerCase()))
  const jsonColumns = new Set(
    (await tableColumns(client, table)).filter((column) => column.type === 'json').map((column) => column.name),
  )
  const compared = (from: string, column: string): string =>
    `${from}.${name(column)}${jsonColumns.has(column) ? '::jsonb' : ''}`
  const set = others.map((column) => `${name(column)} = excluded.${name(column)}`).join(', ')
  const differs = others
    .map((column) => `${compared('t', column)} IS DISTINCT FROM ${compared('excluded', column)}`)
    .join(' OR ')
  const action = others.length === 0 ? 'DO NOTHING' : `DO UPDATE SET ${set} WHERE ${differs}`
  const partitioned = await countNewIfPartitioned(client, table, keysOf(target, columns))
  // xmax is 0 in rows that were inserted, not in those that were updated.
  const { rows } = await client.query<{ inserted: string; changed: string }>(
    `WITH written AS (
       INSERT INTO ${table.sql} AS t (${list}) SELECT ${list} FROM ${stage}
       ON CONFLICT (${names(keysOf(target, columns))}) ${action} RETURNING ${partitioned === null ? '(xmax = 0)' : 'true'} AS fresh)
     SELECT count(*) FILTER (WHERE fresh) AS inserted, count(*) AS changed FROM written`,
  )
  return { inserted: partitioned ?? Number(rows[0]?.inserted ?? 0), changed: Number(rows[0]?.changed ?? 0) }
}

/** Partitions show no xmax: how many of the rows are new is counted before. Null: the table has none. */
async function countNewIfPartitioned(client: pg.Client, table: PgTable, keys: string[]): Promise<number | null> {
  const { rowCount } = await client.query(`SELECT FROM pg_class WHERE oid = $1::regclass AND relkind = 'p'`, [
    table.sql,
  ])
  if (rowCount === 0) return null
  const same = keys.map((key) => `t.${name(key)} = s.${name(key)}`).join(' AND ')
  const { rows } = await client.query<{ fresh: string }>(
    `SELECT count(*) AS fresh FROM ${stage} AS s WHERE NOT EXISTS (SELECT FROM ${table.sql} AS t WHERE ${same})`,
  )
  return Number(rows[0]?.fresh ?? 0)
}
