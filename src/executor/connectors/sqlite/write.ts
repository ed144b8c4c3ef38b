import type { DuckDBDataChunk, DuckDBValue } from '@duckdb/node-api'
import type { Database, Statement } from 'better-sqlite3'
import type { BoundConnector } from '../../../contract/executor-protocol.ts'
import type { TableTarget } from '../../../language/task/targets/target.types.ts'
import { refuseReadOnly } from '../config.ts'
import { openSqlite, sqliteError, whenUnlocked } from './database.ts'
import { countChanges } from '../../engine/changes.ts'
import { cancelled } from '../../engine/duckdb.ts'
import type { StageContext, TargetResult } from '../../engine/lane.types.ts'
import { name, names } from '../../engine/sql-text.ts'
import type { RowStream } from '../../engine/stream.ts'
import { columnValues } from '../../engine/vectors.ts'
import type { ColumnPlan, TableColumn } from '../../targets/column-plan.ts'
import { deleteKeys, keysOf, requireOneSpelling, requireOwnRows, requireUniqueKey, type SqliteKeys } from './keys.ts'
import { commit } from './orphans.ts'
import { recreateColumns } from './recreate.ts'
import { refusedRow, type RefusedRows } from './refused-row.ts'
import {
  accountFor,
  countOutcomes,
  countRows,
  emptyTable,
  refusalOf,
  tableRules,
  type Outcomes,
  type SqliteRules,
} from './rules.ts'
import { affinityOf, onConflict, shapeTable, tableColumns, tableOf } from './table.ts'
import { sqliteChanges, sqliteField, type SqliteField } from './fields.ts'
import { resultOf } from '../../targets/summary.ts'

type SqliteValue = string | number | bigint | Uint8Array | null

/** Measured: 20 rows a statement are twice as fast as one, and more are slower again. */
const rowsPerStatement = 20
const mostParameters = 32_000

/** One transaction, from the first row to the last: readers see the table as before or as after. */
export async function writeSqliteTable(
  target: TableTarget,
  connector: BoundConnector,
  stream: RowStream,
  context: StageContext,
): Promise<TargetResult> {
  refuseReadOnly(connector)
  const table = tableOf(target)
  const database = openSqlite(connector, 'write')
  try {
    await whenUnlocked(connector, context.signal, () => database.exec('BEGIN IMMEDIATE'))
    const log = (message: string): void => context.log('info', message)
    const plan = shapeTable(database, target, table, stream.columns, { log, drift: context.drift })
    const columns = recreatedAs(plan, tableColumns(database, table))
    const changes = countChanges(sqliteChanges(plan.writes, columns))
    const rules = tableRules(database, table)
    const keys = keysOf(target, table, plan, columns, rules)
    if (target.mode === 'upsert') requireUniqueKey(database, keys)
    const writing: Writing = { database, connector, target, table, plan, columns, rules, keys, changes, outcomes: null }
    if (needsKeys(writing)) await putKeysBeside(writing, stream, context)
    const before = makeRoom(writing)
    if (plan.recreate.length > 0) recreateColumns(database, table, plan.recreate, log)
    const base = target.mode === 'upsert' || rules.replaces ? countRows(database, table) : 0
    if (target.mode === 'upsert') {
      requireOwnRows(database, keys, keysBeside)
      if (rules.leavesOut !== null) writing.outcomes = countOutcomes(database)
    }
    const { rows, changed } = await insertRows(writing, stream, context)
    context.changed(changes.found())
    const taken = accountFor({ ...writing, before: base, warn: context.warn }, rows, changed)
    if (target.mode === 'delete_insert') requireOneSpelling(database, keys, keysBeside)
    await context.readyToCommit({ sent: rows, taken: null })
    await whenUnlocked(connector, context.signal, () => commit(database))
    return resultOf(target, { ...taken, changed, before })
  } catch (error) {
    if (database.inTransaction) database.exec('ROLLBACK')
    throw refusalOf(error, target.table, connector)
  } finally {
    database.close()
  }
}

/** The table’s columns with the types that they are to have. */
function recreatedAs({ recreate }: ColumnPlan, columns: readonly TableColumn[]): TableColumn[] {
  return columns.map((column) => ({
    ...column,
    type: recreate.find(({ name: changed }) => changed === column.name)?.type ?? column.type,
  }))
}

interface Writing {
  database: Database
  connector: BoundConnector
  target: TableTarget
  table: string
  plan: ColumnPlan
  /** All of the table, with the types that they are to have. */
  columns: readonly TableColumn[]
  rules: SqliteRules
  keys: SqliteKeys
  changes: ReturnType<typeof countChanges>
  outcomes: Outcomes | null
}

/** Deletes what the mode says; the rows deleted. */
function makeRoom({ database, target, table, rules, keys }: Writing): number {
  switch (target.mode) {
    case 'append':
    case 'upsert':
      return 0
    case 'replace':
      return emptyTable(database, target, table, rules)
    case 'delete_insert':
      return deleteKeys(database, keys, keysBeside, rules)
  }
}

const keysBeside = `temp.${name('headgate_keys')}`

function needsKeys({ target, keys }: Writing): boolean {
  return target.mode === 'delete_insert' || (target.mode === 'upsert' && keys.loose)
}

/** The keys that come in are put beside the table: SQLite then looks at it once, whether its key has an index or not. */
async function putKeysBeside(writing: Writing, stream: RowStream, context: StageContext): Promise<void> {
  const { database, plan, columns, keys } = writing
  const writes = plan.writes.filter(({ to }) => keys.columns.includes(to))
  const fields = writes.map((write) => fieldOf(writing, write, stream))
  // Columns of the table's own kinds: a key is compared as it would be stored. CREATE TABLE … AS renames a column called `true`.
  const kinds = new Map(columns.map((column) => [column.name, affinityOf(column.type)]))
  const declared = writes.map(({ to }) => `${name(to)} ${kinds.get(to) ?? 'BLOB'}`)
  database.exec(`CREATE TEMP TABLE headgate_keys (${declared.join(', ')})`)
  const insert = database.prepare(`INSERT INTO ${keysBeside} VALUES (${fields.map(() => '?').join(', ')})`)
  const values = writes.map(({ from }, index) => `${fields[index]?.sql} AS ${name(from.name)}`).join(', ')
  // `prepare` has put the stream down: reading it twice gives the same rows.
  for await (const chunk of context.session.chunks(`SELECT DISTINCT ${values} FROM (${stream.sql})`)) {
    const lists = boundValues(chunk, fields)
    for (let row = 0; row < chunk.rowCount; row++) insert.run(lists.map((list) => list[row] ?? null))
    if (context.signal.aborted) throw cancelled()
  }
}

function fieldOf(
  { target, columns }: Writing,
  { from, to }: ColumnPlan['writes'][number],
  stream: RowStream,
): SqliteField {
  const type = columns.find((column) => column.name === to)?.type ?? ''
  return sqliteField(from, { name: to, type }, { table: target.table, key: target.key, columns: stream.columns })
}

/** What is bound of each column of a chunk. */
function boundValues(chunk: DuckDBDataChunk, fields: readonly SqliteField[]): DuckDBValue[][] {
  return fields.map(({ bind, smallIntegers }, index) => {
    const values = columnValues(chunk, index, smallIntegers)
    return bind ? values.map(bind) : values
  })
}

function insertSql({ table, plan, columns, keys, outcomes }: Writing, rows: number): string {
  const written = plan.writes.flatMap(({ to }) => columns.find((column) => column.name === to) ?? [])
  const row = `(${written.map(() => '?').join(',')})`
  const values = Array.from({ length: rows }, () => row).join(',')
  const list = names(written.map((column) => column.name))
  return `INSERT INTO ${name(table)} (${list}) VALUES ${values}${onConflict(keys, written, outcomes !== null)}`
}

async function insertRows(
  writing: Writing,
  stream: RowStream,
  context: StageContext,
): Promise<{ rows: number; changed: number }> {
  const { database, target, plan, rules } = writing
  const width = plan.writes.length
  const most = rules.stopsMidway ? 1 : Math.min(rowsPerStatement, target.batch.rows)
  const size = Math.max(1, Math.min(most, Math.floor(mostParameters / width)))
  const many = database.prepare(insertSql(writing, size))
  const one = database.prepare(insertSql(writing, 1))
  const fields = plan.writes.map((write) => fieldOf(writing, write, stream))
  const list = plan.writes.map(({ from }, index) => `${fields[index]?.sql} AS ${name(from.name)}`).join(', ')
  return context.consume(stream, async () => {
    const inserts: Inserts = { many, one, size, width, values: [], rows: 0, writing }
    let changed = 0
    for await (const chunk of context.session.chunks(`SELECT ${list} FROM (${stream.sql})`)) {
      const values = boundValues(chunk, fields)
      plan.writes.forEach(({ from }, index) => writing.changes.look(from.name, values[index] ?? []))
      changed += writeChunk(values, chunk.rowCount, inserts)
      inserts.rows += chunk.rowCount
      context.reached(inserts.rows)
      if (context.signal.aborted) throw cancelled()
    }
    return { rows: inserts.rows, value: { rows: inserts.rows, changed } }
  })
}

interface Inserts {
  many: Statement
  one: Statement
  size: number
  width: number
  /** Filled anew for every statement: the driver takes the values out at once, and an array a row would be what costs most. */
  values: SqliteValue[]
  /** Rows written before this chunk. */
  rows: number
  writing: Writing
}

function writeChunk(columns: DuckDBValue[][], count: number, inserts: Inserts): number {
  const { many, one, size, writing } = inserts
  let changed = 0
  for (let at = 0; at < count;) {
    const rows = at + size <= count ? size : 1
    try {
      changed += (rows === 1 ? one : many).run(bindRows(columns, at, rows, inserts)).changes
    } catch (error) {
      throw sqliteError(refusedRow(refusedRows(columns, at, rows, inserts), error), writing.connector)
    }
    at += rows
  }
  return changed
}

/** The columns were encoded in SQL (encode.ts): what comes out is what SQLite takes. */
function bindRows(columns: DuckDBValue[][], from: number, rows: number, { values, width }: Inserts): SqliteValue[] {
  values.length = rows * width
  for (let column = 0; column < width; column++) {
    const list = columns[column] as SqliteValue[] // see above
    for (let row = 0, at = column; row < rows; row++, at += width) values[at] = list[from + row] ?? null
  }
  return values
}

function refusedRows(columns: DuckDBValue[][], from: number, count: number, inserts: Inserts): RefusedRows {
  const { many, one, rows, writing } = inserts
  const insert = (at: number, of: number): void => {
    ;(of === 1 ? one : many).run(bindRows(columns, at, of, inserts))
  }
  return {
    database: writing.database,
    target: writing.target,
    table: writing.table,
    columns: writing.plan.writes.map(({ to }) => to),
    count,
    first: rows + from,
    value: (row, column) => columns[column]?.[from + row] ?? null,
    insertOne: (row) => insert(from + row, 1),
    insertAll: () => insert(from, count),
  }
}
