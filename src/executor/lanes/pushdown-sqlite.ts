import type { Database } from 'better-sqlite3'
import { refuseReadOnly } from '../connectors/config.ts'
import { openSqlite, sqliteError, whenUnlocked } from '../connectors/sqlite-database.ts'
import { EngineError } from '../engine/errors.ts'
import type { TargetResult } from '../engine/lane.types.ts'
import { name, names, refuseDuplicates } from '../engine/sql-text.ts'
import { prepare } from '../sources/sql-sqlite.ts'
import { declaredStorage } from '../sources/stage-writer.ts'
import type { ColumnPlan } from '../targets/column-plan.ts'
import {
  countRows,
  leavesOut,
  onConflict,
  requireUniqueKey,
  roundingColumns,
  shapeTable,
  tableOf,
} from '../targets/sqlite-table.ts'
import { requireTaken } from '../targets/left-out.ts'
import { summarise } from '../targets/summary.ts'
import { logicalTypeOf } from '../targets/type-map.ts'
import { LaneUnfit, type DirectCopy, type RunDirect } from './direct.types.ts'

const staged = name('headgate_stage')

/**
 * The rows are put aside, looked at, and inserted, all by SQLite itself and in one transaction. It runs without a pause: stopping the run
 * ends the process, and SQLite takes back what was not committed.
 */
export const pushDownSqlite: RunDirect = async (copy) => {
  refuseReadOnly(copy.to)
  const table = tableOf(copy.target)
  // A source must be there; opened for writing it would be made.
  openSqlite(copy.from, 'read').close()
  const database = openSqlite(copy.to, 'write')
  try {
    await whenUnlocked(copy.to, copy.signal, () => database.exec('BEGIN IMMEDIATE'))
    const columns = stageRows(database, copy)
    copy.opened()
    const result = await insertStaged(database, table, columns, copy)
    await copy.readyToCommit(result.rows)
    await whenUnlocked(copy.to, copy.signal, () => database.exec('COMMIT'))
    return result
  } catch (error) {
    if (database.inTransaction) database.exec('ROLLBACK')
    throw error instanceof EngineError ? error : sqliteError(error, copy.to)
  } finally {
    database.close()
  }
}

interface StagedColumn {
  name: string
  /** DuckDB's type for what all values are. */
  type: string
}

/** The source's rows as they are stored; unfit where the columnar lane would read more into them. */
function stageRows(database: Database, { source, through }: DirectCopy): StagedColumn[] {
  const { statement, params } = prepare(database, source.read, null, null)
  const declared = statement.columns()
  refuseDuplicates(declared.map((column) => column.name))
  for (const column of declared) {
    if (column.type !== null && logicalTypeOf('sqlite', column.type) !== null)
      throw new LaneUnfit(`column \`${column.name}\` is declared ${column.type}: its values must be read as such`)
  }
  const kept = through(declared.map((column) => ({ name: column.name, type: column.type ?? '' })))
  const list = kept.map((column) => `${name(column.from)} AS ${name(column.to)}`).join(', ')
  database.prepare(`CREATE TEMP TABLE ${staged} AS SELECT ${list} FROM (${statement.source}\n)`).run(params)
  const kinds = kept.map(({ to }) => `group_concat(DISTINCT nullif(typeof(${name(to)}), 'null'))`).join(', ')
  const found = database.prepare(`SELECT ${kinds} FROM temp.${staged}`).raw().get() as (string | null)[] // raw rows are lists
  return kept.map((column, index) => ({
    name: column.to,
    type: storageOf(column.from, found[index] ?? null, declared[column.at]?.type ?? null),
  }))
}

const storages: Record<string, string> = { integer: 'BIGINT', real: 'DOUBLE', text: 'VARCHAR', blob: 'BLOB' }

function storageOf(column: string, kinds: string | null, declared: string | null): string {
  if (kinds === null) return declaredStorage(declared)
  const only = storages[kinds]
  if (only !== undefined) return only
  throw new LaneUnfit(`column \`${column}\` holds values of several kinds (${kinds})`)
}

async function insertStaged(
  database: Database,
  table: string,
  columns: StagedColumn[],
  copy: DirectCopy,
): Promise<TargetResult> {
  const { target, log } = copy
  const plan = shapeTable(database, target, table, columns, log)
  if (plan.widen.length > 0) throw new LaneUnfit('values do not fit the table’s columns')
  const inexact = roundingColumns(database, table)
  const rounded = plan.writes.find(({ from, to }) => from.type === 'BIGINT' && inexact.get(to) === 'REAL')
  if (rounded) throw new LaneUnfit(`column \`${rounded.to}\` keeps no whole numbers: they are looked at first`)
  if (target.mode === 'upsert') requireUniqueKey(database, target, table)
  if (target.mode === 'upsert' || target.mode === 'delete_insert') requireKeys(database, copy, plan)
  const rows = Number(database.prepare(`SELECT count(*) FROM temp.${staged}`).pluck().get())
  const before = makeRoom(database, table, copy, plan)
  const into = plan.writes.map(({ to }) => to)
  const order = rowNumber(columns)
  const from = names(plan.writes.map((write) => write.from.name))
  // `WHERE true` tells ON CONFLICT from a join.
  const { changes } = database
    .prepare(
      `INSERT INTO main.${name(table)} (${names(into)}) SELECT ${from} FROM temp.${staged} WHERE true${order}${onConflict(target, table, into)}`,
    )
    .run()
  const upsert = target.mode === 'upsert'
  if (!upsert) {
    const taking = { table: target.table, sent: rows, taken: changes, leavesOut: () => leavesOut(database, table) }
    await requireTaken(taking, copy.warn)
  }
  const inserted = upsert ? countRows(database, table) - before : changes
  const taken = upsert ? rows : changes
  const summary = summarise(target, { rows: taken, inserted, changed: changes, before })
  return { rows: taken, changed: changes, bytes: null, summary }
}

/** SQLite numbers its rows under three names; a column of the data may be called like one of them. */
function rowNumber(columns: readonly StagedColumn[]): string {
  const taken = new Set(columns.map((column) => column.name.toLowerCase()))
  const free = ['rowid', '_rowid_', 'oid'].find((candidate) => !taken.has(candidate))
  if (free === undefined) throw new LaneUnfit('its columns leave no name for the order of the rows')
  return ` ORDER BY ${free}`
}

function makeRoom(database: Database, table: string, { target }: DirectCopy, plan: ColumnPlan): number {
  const place = `main.${name(table)}`
  if (target.mode === 'append') return 0
  if (target.mode === 'upsert') return countRows(database, table)
  if (target.mode === 'replace') return database.prepare(`DELETE FROM ${place}`).run().changes
  const keys = keysOf(plan, target.key)
  const to = names(keys.map((key) => key.to))
  const from = names(keys.map((key) => key.from.name))
  return database.prepare(`DELETE FROM ${place} WHERE (${to}) IN (SELECT ${from} FROM temp.${staged})`).run().changes
}

/** Rows without a key, or with the same one, are for the columnar lane: it rejects the former, and the last of the latter wins. */
function requireKeys(database: Database, { target }: DirectCopy, plan: ColumnPlan): void {
  const keys = keysOf(plan, target.key).map(({ from }) => from.name)
  const missing = keys.map((key) => `${name(key)} IS NULL`).join(' OR ')
  const repeated = ` OR EXISTS (SELECT 1 FROM temp.${staged} GROUP BY ${names(keys)} HAVING count(*) > 1)`
  const odd = database
    .prepare(`SELECT EXISTS (SELECT 1 FROM temp.${staged} WHERE ${missing})${target.mode === 'upsert' ? repeated : ''}`)
    .pluck()
    .get()
  if (odd === 1) throw new LaneUnfit('rows have no key, or the key of another')
}

function keysOf(plan: ColumnPlan, keys: readonly string[]): ColumnPlan['writes'] {
  const wanted = new Set(keys.map((key) => key.toLowerCase()))
  return plan.writes.filter(({ from }) => wanted.has(from.name.toLowerCase()))
}
