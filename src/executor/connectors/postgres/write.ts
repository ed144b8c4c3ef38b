import type pg from 'pg'
import type { BoundConnector } from '../../../contract/executor-protocol.ts'
import type { TableTarget } from '../../../language/task/targets/target.types.ts'
import { refuseReadOnly } from '../config.ts'
import { withPostgres } from './client.ts'
import { reportChanges } from '../../engine/changes.ts'
import type { StageContext, TargetResult } from '../../engine/lane.types.ts'
import type { StreamColumn } from '../../engine/column-origin.ts'
import { name, names } from '../../engine/sql-text.ts'
import type { RowStream } from '../../engine/stream.ts'
import type { ColumnPlan, Shaping } from '../../targets/column-plan.ts'
import { findOutgrown } from '../../targets/outgrown.ts'
import { requireDeleted, requireTaken } from '../../targets/left-out.ts'
import { copyRows, type FilledRows } from './copy.ts'
import { postgresChanges } from './exact.ts'
import { keysOf, matchingKeys, requireOneSpelling, requireOwnRows, type PgKeys } from './keys.ts'
import { alterStage, recreateColumns } from './recreate.ts'
import { doubtedColumns, requireReadBack } from './read-back.ts'
import { refusalOf } from './refusal.ts'
import { tableRules, type PgRules } from './rules.ts'
import { shapeTable, tableColumns, tableOf, type PgColumn, type PgTable } from './table.ts'
import { upsert, type UpsertCounts } from './upsert.ts'
import { resultOf } from '../../targets/summary.ts'

const stage = name('headgate_stage')

export async function writePostgresTable(
  target: TableTarget,
  connector: BoundConnector,
  stream: RowStream,
  context: StageContext,
): Promise<TargetResult> {
  refuseReadOnly(connector)
  let rows = stream
  return withPostgres(connector, context.signal, (client) =>
    fillTable(
      client,
      {
        target,
        connector,
        columns: stream.columns,
        log: (message) => context.log('info', message),
        drift: context.drift,
        async outgrown(existing) {
          const found = await findOutgrown(target, rows, existing, 'postgres', context)
          rows = found.stream
          return found.narrow
        },
        warn: context.warn,
        readyToCommit: (sent) => context.readyToCommit({ sent, taken: null }),
      },
      {
        fill: async (into, plan, table) => {
          const columns = table.map(({ name: column, base }) => ({ name: column, type: base }))
          const counted = await reportChanges(postgresChanges(plan.writes, columns), rows, context)
          const doubted = doubtedColumns(plan.writes, table)
          const read = doubted.length > 0 && counted.table === undefined ? await context.materialise(counted) : counted
          const filled = await copyRows(client, into, { target, plan, table }, connector, read, context)
          if (doubted.length > 0) await requireReadBack(client, doubted, target, read, context)
          return filled
        },
      },
    ),
  )
}

export interface PostgresWrite {
  target: TableTarget
  connector: BoundConnector
  /** What comes in, in DuckDB's types. */
  columns: readonly StreamColumn[]
  log: Shaping['log']
  drift: Shaping['drift']
  outgrown?: Shaping['outgrown']
  warn(message: string): void
  /** All `sent` rows are written; throws where they may not be committed. */
  readyToCommit(sent: number): Promise<void>
}

/** How rows come into a table, whatever lane brings them. */
export interface RowFiller {
  /** The transaction has begun. */
  begun?(): Promise<void>
  /** Looks at how the rows will be written before any is; throws where the lane does not suit. */
  suits?(plan: ColumnPlan, existing: readonly PgColumn[]): void
  /** Fills `into`, which is `table (columns)`, of the table's types. */
  fill(into: string, plan: ColumnPlan, existing: readonly PgColumn[]): Promise<FilledRows>
  /** Looks at the staged rows before they are merged. */
  staged?(stage: string, keys: readonly string[]): Promise<void>
  /** It knows of no rows but those that were taken. */
  uncounted?: true
}

/** One transaction. All modes but append stage the rows first. */
export async function fillTable(client: pg.Client, write: PostgresWrite, filler: RowFiller): Promise<TargetResult> {
  const { target, connector, columns } = write
  const table = tableOf(target, connector)
  // Whatever the role's default is: what waited for its turn must see what was committed meanwhile.
  await client.query('BEGIN ISOLATION LEVEL READ COMMITTED')
  try {
    await filler.begun?.()
    const { plan, made } = await shapeTable(client, target, table, columns, write)
    const existing = await tableColumns(client, table)
    filler.suits?.(plan, existing)
    const keys = await keysOf(client, { target, table, stage }, plan, existing)
    const rules = await tableRules(client, table)
    const { sent, result } = await writeRows(client, write, { table, plan, made, existing, keys, rules }, filler)
    await write.readyToCommit(sent)
    await client.query('COMMIT')
    return result
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined) // the connection may be broken; closing it rolls back, too
    throw refusalOf(error, target.table, connector)
  }
}

interface Shape {
  table: PgTable
  plan: ColumnPlan
  /** It was not there before. */
  made: boolean
  existing: readonly PgColumn[]
  keys: PgKeys
  rules: PgRules
}

async function writeRows(
  client: pg.Client,
  write: PostgresWrite,
  shape: Shape,
  filler: RowFiller,
): Promise<{ sent: number; result: TargetResult }> {
  const { target, warn } = write
  const { table, plan, existing, keys, rules } = shape
  const took = (sent: number, taken: number, leavesOut: string | null): void =>
    requireTaken({ table: target.table, sent, taken, leavesOut }, warn)
  const list = names(plan.writes.map(({ to }) => to))
  if (!needsStage(target, shape, filler)) {
    const { rows, taken } = await filler.fill(`${table.sql} (${list})`, plan, existing)
    took(rows, taken, rules.inserts)
    return { sent: rows, result: resultOf(target, { rows: taken, inserted: taken, changed: taken, before: 0 }) }
  }
  await client.query(`CREATE TEMP TABLE ${stage} ON COMMIT DROP AS SELECT ${list} FROM ${table.sql} WITH NO DATA`)
  const columns = plan.recreate.length === 0 ? existing : await recreatedColumns(client, plan, existing)
  const { rows, taken: staged } = await filler.fill(`${stage} (${list})`, plan, columns)
  took(rows, staged, null)
  await filler.staged?.(stage, keys.columns)
  if (target.mode === 'upsert') {
    const { inserted, updated, unchanged } = await mergeRows(client, shape, rows)
    const changed = inserted + updated
    took(rows, changed + unchanged, rules.inserts ?? rules.updates)
    return { sent: rows, result: resultOf(target, { rows: changed + unchanged, inserted, changed, before: 0 }) }
  }
  const before = await makeRoom(client, target, shape)
  const putBack = plan.recreate.length === 0 ? null : await recreateColumns(client, table, plan.recreate, write)
  const { rowCount } = await client.query(`INSERT INTO ${table.sql} (${list}) SELECT ${list} FROM ${stage}`)
  const taken = rowCount ?? 0
  took(rows, taken, rules.inserts)
  await putBack?.()
  if (target.mode === 'delete_insert') await requireOneSpelling(client, keys)
  return { sent: rows, result: resultOf(target, { rows: taken, inserted: taken, changed: taken, before }) }
}

/** The table’s columns as they will be; the stage’s are so already. */
async function recreatedColumns(
  client: pg.Client,
  { recreate }: ColumnPlan,
  existing: readonly PgColumn[],
): Promise<PgColumn[]> {
  const schema = await alterStage(client, stage, recreate)
  const staged = await tableColumns(client, { schema, table: 'headgate_stage', sql: stage })
  return existing.map((column) => staged.find((one) => one.name === column.name) ?? column)
}

/** Appended rows need no stage, unless a rule of the table would be passed by (COPY knows no rewrite rules), or go unnoticed. */
function needsStage({ mode }: TableTarget, { made, rules }: Shape, { uncounted }: RowFiller): boolean {
  // A table that nobody has seen yet has nothing to be replaced.
  if (mode === 'replace') return !made
  return mode !== 'append' || rules.inserts === 'a rule' || (uncounted === true && rules.inserts !== null)
}

async function mergeRows(
  client: pg.Client,
  { table, plan, existing, keys, rules }: Shape,
  rows: number,
): Promise<UpsertCounts> {
  await requireOwnRows(client, keys)
  const columns = existing.filter((column) => plan.writes.some(({ to }) => to === column.name))
  return upsert(client, rows, { table, stage, columns, keys: keys.columns, spelled: keys.spelled, rules })
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

/** Deletes what the mode says. The table itself stays, with its indexes, grants and views; readers see the old rows until the commit. */
async function makeRoom(client: pg.Client, target: TableTarget, { table, keys, rules }: Shape): Promise<number> {
  if (target.mode === 'append') return 0
  await takeTurns(client, table)
  const replaces = target.mode === 'replace'
  if (!replaces) await client.query(`ANALYZE ${stage}`)
  const given = keys.loose.length > 0 ? stage : `(SELECT DISTINCT ${names(keys.columns)} FROM ${stage})`
  const { rowCount } = await client.query(
    replaces
      ? `DELETE FROM ${table.sql}`
      : `DELETE FROM ${table.sql} AS t USING ${given} AS s WHERE ${matchingKeys(keys)}`,
  )
  if (rules.deletes !== null) {
    const where = replaces ? '' : ` WHERE EXISTS (SELECT FROM ${stage} AS s WHERE ${matchingKeys(keys)})`
    const { rows } = await client.query<{ kept: string }>(`SELECT count(*) AS kept FROM ${table.sql} AS t${where}`)
    requireDeleted(target, Number(rows[0]?.kept ?? 0), rules.deletes)
  }
  return rowCount ?? 0
}
