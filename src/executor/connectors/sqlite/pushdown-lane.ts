import type { Database } from 'better-sqlite3'
import { refuseReadOnly } from '../config.ts'
import { openSqlite, whenUnlocked } from './database.ts'
import { originsOf } from './origins.ts'
import { commit } from './orphans.ts'
import type { StreamColumn } from '../../engine/column-origin.ts'
import type { TargetResult } from '../../engine/lane.types.ts'
import { name, names, refuseDuplicates } from '../../engine/sql-text.ts'
import { prepare } from './read.ts'
import { isConstraint } from './refused-row.ts'
import { declaredStorage } from '../../sources/stage-writer.ts'
import { deleteKeys, keysOf, requireOneSpelling, requireOwnRows, requireUniqueKey, type SqliteKeys } from './keys.ts'
import { accountFor, countOutcomes, countRows, emptyTable, refusalOf, tableRules, type SqliteRules } from './rules.ts'
import { affinityOf, onConflict, shapeTable, tableColumns, tableOf, takesNumbers } from './table.ts'
import { resultOf } from '../../targets/summary.ts'
import { logicalTypeOf } from '../../targets/type-map.ts'
import { LaneUnfit, type DirectCopy, type RunDirect } from '../../lanes/direct.types.ts'

const stage = `temp.${name('headgate_stage')}`

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
    const { sent, result } = insertOrLeave(database, table, columns, copy)
    await copy.readyToCommit(sent)
    await whenUnlocked(copy.to, copy.signal, () => commit(database))
    return result
  } catch (error) {
    if (database.inTransaction) database.exec('ROLLBACK')
    throw refusalOf(error, copy.target.table, copy.to)
  } finally {
    database.close()
  }
}

/** One statement for all rows does not say which one was refused: row by row it is named. */
function insertOrLeave(...staged: Parameters<typeof insertStaged>): ReturnType<typeof insertStaged> {
  try {
    return insertStaged(...staged)
  } catch (error) {
    if (isConstraint(error)) throw new LaneUnfit(`a row is refused (${error.message}): it is looked for`)
    throw error
  }
}

/** The source's rows as they are stored; unfit where the columnar lane would read more into them. */
function stageRows(database: Database, { source, through }: DirectCopy): StreamColumn[] {
  const { statement, params } = prepare(database, source.read, null, null)
  const declared = statement.columns()
  refuseDuplicates(declared.map((column) => column.name))
  for (const column of declared) {
    if (column.type !== null && logicalTypeOf('sqlite', column.type) !== null)
      throw new LaneUnfit(`column \`${column.name}\` is declared ${column.type}: its values must be read as such`)
  }
  const kept = through(declared.map((column) => ({ name: column.name, type: column.type ?? '' })))
  // By position: in a query within a query SQLite finds no column called `true` or `false`. Without a type the stage keeps every value as it is.
  const [all, taken] = [declared.map((_, at) => `c${at}`), kept.map((column) => `c${column.at}`)]
  database.exec(`CREATE TABLE ${stage} (${names(kept.map((column) => column.to))})`)
  database
    .prepare(
      `WITH headgate_source (${all.join(', ')}) AS (${statement.source}\n) INSERT INTO ${stage} SELECT ${taken.join(', ')} FROM headgate_source`,
    )
    .run(params)
  const kinds = kept.map(({ to }) => `group_concat(DISTINCT nullif(typeof(${name(to)}), 'null'))`).join(', ')
  const found = database.prepare(`SELECT ${kinds} FROM ${stage}`).raw().get() as (string | null)[] // raw rows are lists
  const origins = originsOf(database, source.read, declared)
  return kept.map((column, index) => {
    const type = storageOf(column.from, found[index] ?? null, declared[column.at]?.type ?? null)
    const origin = origins.find((one) => one.name === column.from)
    return { name: column.to, type, ...(origin ? { origin: { ...origin, as: type } } : {}) }
  })
}

const storages: Record<string, string> = { integer: 'BIGINT', real: 'DOUBLE', text: 'VARCHAR', blob: 'BLOB' }

function storageOf(column: string, kinds: string | null, declared: string | null): string {
  if (kinds === null) return declaredStorage(declared)
  const only = storages[kinds]
  if (only !== undefined) return only
  throw new LaneUnfit(`column \`${column}\` holds values of several kinds (${kinds})`)
}

function insertStaged(
  database: Database,
  table: string,
  columns: StreamColumn[],
  copy: DirectCopy,
): { sent: number; result: TargetResult } {
  const { target } = copy
  const plan = shapeTable(database, target, table, columns, copy)
  if (plan.widen.length + plan.recreate.length > 0) throw new LaneUnfit('values do not fit the table’s columns')
  const existing = tableColumns(database, table)
  const inexact = new Set(existing.filter(({ type }) => affinityOf(type) === 'REAL').map((column) => column.name))
  const rounded = plan.writes.find(({ from, to }) => from.type === 'BIGINT' && inexact.has(to))
  if (rounded) throw new LaneUnfit(`column \`${rounded.to}\` keeps no whole numbers: they are looked at first`)
  const types = new Map(existing.map((column) => [column.name, column.type]))
  const reread = plan.writes.find(({ from, to }) => {
    const declared = types.get(to) ?? ''
    return from.type === 'VARCHAR' ? takesNumbers(declared) : from.type === 'DOUBLE' && affinityOf(declared) === 'TEXT'
  })
  if (reread) throw new LaneUnfit(`column \`${reread.to}\` would turn texts and numbers into each other`)
  const rules = tableRules(database, table)
  const keys = keysOf(target, table, plan, existing, rules)
  if (target.mode === 'upsert') requireUniqueKey(database, keys)
  if (target.mode === 'upsert' || target.mode === 'delete_insert') requireKeys(database, copy, keys.columns)
  if (target.mode === 'upsert') requireOwnRows(database, keys, stage)
  const sent = Number(database.prepare(`SELECT count(*) FROM ${stage}`).pluck().get())
  const before = makeRoom(database, copy, keys, rules)
  const base = target.mode === 'upsert' || rules.replaces ? countRows(database, table) : 0
  const outcomes = target.mode === 'upsert' && rules.leavesOut !== null ? countOutcomes(database) : null
  const into = plan.writes.flatMap(({ to }) => existing.find((column) => column.name === to) ?? [])
  const from = names(plan.writes.map((write) => write.from.name))
  // `WHERE` tells ON CONFLICT from a join; `true` may be a column.
  const { changes: changed } = database
    .prepare(
      `INSERT INTO main.${name(table)} (${names(into.map((column) => column.name))}) SELECT ${from} FROM ${stage} WHERE 1${rowNumber(columns)}${onConflict(keys, into, outcomes !== null)}`,
    )
    .run()
  const { rows, inserted } = accountFor(
    { database, target, table, rules, outcomes, before: base, warn: copy.warn },
    sent,
    changed,
  )
  if (target.mode === 'delete_insert') requireOneSpelling(database, keys, stage)
  return { sent, result: resultOf(target, { rows, inserted, changed, before }) }
}

/** SQLite numbers its rows under three names; a column of the data may be called like one of them. */
function rowNumber(columns: readonly StreamColumn[]): string {
  const taken = new Set(columns.map((column) => column.name.toLowerCase()))
  const free = ['rowid', '_rowid_', 'oid'].find((candidate) => !taken.has(candidate))
  if (free === undefined) throw new LaneUnfit('its columns leave no name for the order of the rows')
  return ` ORDER BY ${free}`
}

function makeRoom(database: Database, { target }: DirectCopy, keys: SqliteKeys, rules: SqliteRules): number {
  if (target.mode === 'replace') return emptyTable(database, target, keys.table, rules)
  return target.mode === 'delete_insert' ? deleteKeys(database, keys, stage, rules) : 0
}

/** Rows without a key, or with the same one, are for the columnar lane: it rejects the former, and the last of the latter wins. */
function requireKeys(database: Database, { target }: DirectCopy, keys: readonly string[]): void {
  const missing = keys.map((key) => `${name(key)} IS NULL`).join(' OR ')
  const repeated = ` OR EXISTS (SELECT 1 FROM ${stage} GROUP BY ${names(keys)} HAVING count(*) > 1)`
  const odd = database
    .prepare(`SELECT EXISTS (SELECT 1 FROM ${stage} WHERE ${missing})${target.mode === 'upsert' ? repeated : ''}`)
    .pluck()
    .get()
  if (odd === 1) throw new LaneUnfit('rows have no key, or the key of another')
}
