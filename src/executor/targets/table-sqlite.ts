import { DuckDBBlobValue, type DuckDBValue } from '@duckdb/node-api'
import type { Database, Statement } from 'better-sqlite3'
import type { BoundConnector } from '../../contract/executor-protocol.ts'
import type { TableTarget } from '../../language/task/targets/target.types.ts'
import { refuseReadOnly } from '../connectors/config.ts'
import { openSqlite, sqliteError, whenUnlocked } from '../connectors/sqlite-database.ts'
import { cancelled } from '../engine/duckdb.ts'
import { EngineError, codeOf } from '../engine/errors.ts'
import type { StageContext, TargetResult } from '../engine/lane.types.ts'
import { name, names } from '../engine/sql-text.ts'
import type { RowStream } from '../engine/stream.ts'
import { columnValues } from '../engine/vectors.ts'
import type { ColumnPlan } from './column-plan.ts'
import { sqliteValue } from './encode.ts'
import { requireTaken } from './left-out.ts'
import {
  countRows,
  leavesOut,
  makesIntegers,
  onConflict,
  requireUniqueKey,
  roundingColumns,
  shapeTable,
  tableOf,
} from './sqlite-table.ts'
import { summarise } from './summary.ts'
import { valueKindOf } from './type-map.ts'

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
    const plan = shapeTable(database, target, table, stream.columns, (message) => context.log('info', message))
    if (target.mode === 'upsert') requireUniqueKey(database, target, table)
    const before = await makeRoom(database, target, table, plan, stream, context)
    const { rows, changed } = await insertRows(database, target, table, plan, stream, context)
    const upserts = target.mode === 'upsert'
    if (!upserts) {
      const taking = { table: target.table, sent: rows, taken: changed, leavesOut: () => leavesOut(database, table) }
      await requireTaken(taking, context.warn)
    }
    const inserted = upserts ? countRows(database, table) - before : changed
    await context.readyToCommit({ sent: rows, taken: null })
    await whenUnlocked(connector, context.signal, () => database.exec('COMMIT'))
    const taken = upserts ? rows : changed
    return {
      rows: taken,
      changed,
      bytes: null,
      summary: summarise(target, { rows: taken, inserted, changed, before }),
    }
  } catch (error) {
    if (database.inTransaction) database.exec('ROLLBACK')
    throw error instanceof EngineError ? error : sqliteError(error, connector)
  } finally {
    database.close()
  }
}

/** Deletes what the mode says; the rows deleted, with upsert the rows there are. */
async function makeRoom(
  database: Database,
  target: TableTarget,
  table: string,
  plan: ColumnPlan,
  stream: RowStream,
  context: StageContext,
): Promise<number> {
  switch (target.mode) {
    case 'append':
      return 0
    case 'upsert':
      return countRows(database, table)
    case 'replace':
      return database.prepare(`DELETE FROM ${name(table)}`).run().changes
    case 'delete_insert':
      return deleteKeys(database, target, table, plan, stream, context)
  }
}

/** The keys go beside the table first: SQLite then looks at it once, whether its key has an index or not. */
async function deleteKeys(
  database: Database,
  target: TableTarget,
  table: string,
  plan: ColumnPlan,
  stream: RowStream,
  context: StageContext,
): Promise<number> {
  const wanted = new Set(target.key.map((key) => key.toLowerCase()))
  const keys = plan.writes.filter(({ from }) => wanted.has(from.name.toLowerCase()))
  const list = names(keys.map(({ to }) => to))
  const beside = name('headgate_keys')
  // Columns of the table's own kinds: a key is compared as it would be stored.
  database.exec(`CREATE TEMP TABLE ${beside} AS SELECT ${list} FROM ${name(table)} WHERE 0`)
  const insert = database.prepare(`INSERT INTO temp.${beside} VALUES (${keys.map(() => '?').join(', ')})`)
  const fields = keys.map(({ from }) => `${sqliteValue(from)} AS ${name(from.name)}`).join(', ')
  // `prepare` has put the stream down: reading it twice gives the same rows.
  for await (const chunk of context.session.chunks(`SELECT DISTINCT ${fields} FROM (${stream.sql})`)) {
    const columns = keys.map((_, index) => columnValues(chunk, index).map(blobBytes))
    for (let row = 0; row < chunk.rowCount; row++) insert.run(columns.map((values) => values[row] ?? null))
    if (context.signal.aborted) throw cancelled()
  }
  const { changes } = database
    .prepare(`DELETE FROM ${name(table)} WHERE (${list}) IN (SELECT ${list} FROM temp.${beside})`)
    .run()
  database.exec(`DROP TABLE temp.${beside}`)
  return changes
}

function insertSql(target: TableTarget, table: string, plan: ColumnPlan, rows: number): string {
  const columns = plan.writes.map(({ to }) => to)
  const row = `(${columns.map(() => '?').join(',')})`
  const values = Array.from({ length: rows }, () => row).join(',')
  return `INSERT INTO ${name(table)} (${names(columns)}) VALUES ${values}${onConflict(target, table, columns)}`
}

async function insertRows(
  database: Database,
  target: TableTarget,
  table: string,
  plan: ColumnPlan,
  stream: RowStream,
  context: StageContext,
): Promise<{ rows: number; changed: number }> {
  const width = plan.writes.length
  const size = Math.max(1, Math.min(rowsPerStatement, target.batch.rows, Math.floor(mostParameters / width)))
  const many = database.prepare(insertSql(target, table, plan, size))
  const one = database.prepare(insertSql(target, table, plan, 1))
  const rounds = roundingColumns(database, table)
  const fields = plan.writes
    .map(({ from, to }) => `${sqliteValue(from, rounds.get(to))} AS ${name(from.name)}`)
    .join(', ')
  const numeric = makesIntegers(database, table)
  return context.consume(stream, async () => {
    const blobs = plan.writes.flatMap(({ from }, index) => (valueKindOf(from.type) === 'blob' ? [index] : []))
    const inserts: Inserts = { many, one, size, width, values: [], blobs, rows: 0 }
    let changed = 0
    for await (const chunk of context.session.chunks(`SELECT ${fields} FROM (${stream.sql})`)) {
      changed += writeChunk(
        plan.writes.map(({ to }, index) => columnValues(chunk, index, numeric(to))),
        chunk.rowCount,
        inserts,
        plan,
      )
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
  /** Columns whose values are objects of DuckDB’s, by position. */
  blobs: number[]
  /** Rows written before this chunk. */
  rows: number
}

function writeChunk(columns: DuckDBValue[][], count: number, inserts: Inserts, plan: ColumnPlan): number {
  for (const blob of inserts.blobs) columns[blob] = (columns[blob] ?? []).map(blobBytes)
  const { many, one, size } = inserts
  let changed = 0
  for (let at = 0; at < count;) {
    const rows = at + size <= count ? size : 1
    try {
      changed += (rows === 1 ? one : many).run(bindRows(columns, at, rows, inserts)).changes
    } catch (error) {
      findCulprit(columns, at, rows, inserts, plan, error)
      throw error
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

function blobBytes(value: DuckDBValue): DuckDBValue {
  // Typed as DuckDB's values only because they share the columns' array.
  return value instanceof DuckDBBlobValue ? (value.bytes as unknown as DuckDBValue) : value
}

/** A statement of many rows says what was violated, not by which row: they are tried one by one, to name it. */
function findCulprit(
  columns: DuckDBValue[][],
  from: number,
  rows: number,
  inserts: Inserts,
  plan: ColumnPlan,
  error: unknown,
): void {
  if (!codeOf(error)?.startsWith('SQLITE_CONSTRAINT')) return
  for (let row = from; row < from + rows; row++) {
    try {
      inserts.one.run(bindRows(columns, row, 1, inserts))
    } catch (own) {
      const values = plan.writes.slice(0, 30).map(({ to }, index) => `${to} = ${shown(columns[index]?.[row] ?? null)}`)
      const what = own instanceof Error ? own.message : String(own)
      throw new EngineError(
        'CONSTRAINT_VIOLATED',
        `Row ${(inserts.rows + row + 1).toLocaleString('en')}: ${what} (${values.join(', ')})`,
        {
          hint: 'Reject such rows before the target with an `expect` step (`on_fail: quarantine`), or use `mode: upsert`.',
          cause: own,
        },
      )
    }
  }
}

function shown(value: DuckDBValue): string {
  return value === null ? 'NULL' : String(value).slice(0, 100)
}
