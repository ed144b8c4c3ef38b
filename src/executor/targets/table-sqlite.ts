import { DuckDBBlobValue, type DuckDBValue } from '@duckdb/node-api'
import type { Database, Statement } from 'better-sqlite3'
import type { BoundConnector } from '../../contract/executor-protocol.ts'
import { parseTableName } from '../../language/task/table-name.ts'
import type { TableTarget } from '../../language/task/task.types.ts'
import { refuseReadOnly } from '../connectors/config.ts'
import { openSqlite, sqliteError, whenUnlocked } from '../connectors/sqlite-database.ts'
import { cancelled } from '../engine/duckdb.ts'
import { EngineError, codeOf, listNames } from '../engine/errors.ts'
import type { StageContext, TargetResult } from '../engine/lane.types.ts'
import { name, names } from '../engine/sql-text.ts'
import type { RowStream } from '../engine/stream.ts'
import { planColumns, type ColumnPlan, type TableColumn } from './column-plan.ts'
import { sqliteValue } from './encode.ts'
import { summarise } from './summary.ts'
import { databaseTypeOf, logicalTypeOf, valueKindOf, type ValueKind } from './type-map.ts'

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
    const plan = shapeTable(database, target, table, stream, context)
    if (target.mode === 'upsert') requireUniqueKey(database, target, table)
    const before = target.mode === 'append' ? 0 : countRows(database, table)
    if (target.mode === 'replace') database.exec(`DELETE FROM ${name(table)}`)
    const { rows, changed } = await insertRows(database, target, table, plan, stream, context)
    const inserted = target.mode === 'upsert' ? countRows(database, table) - before : rows
    await whenUnlocked(connector, context.signal, () => database.exec('COMMIT'))
    return {
      rows,
      changed: target.mode === 'upsert' ? changed : rows,
      bytes: null,
      summary: summarise(target, { rows, inserted, changed, before }),
    }
  } catch (error) {
    if (database.inTransaction) database.exec('ROLLBACK')
    throw error instanceof EngineError ? error : sqliteError(error, connector)
  } finally {
    database.close()
  }
}

function tableOf(target: TableTarget): string {
  const parsed = parseTableName(target.table)
  if (
    parsed &&
    (parsed.schema === null || parsed.schema.toLowerCase() === 'main') &&
    !parsed.name.toLowerCase().startsWith('sqlite_')
  ) {
    return parsed.name
  }
  throw new EngineError('TABLE_NOT_FOUND', `\`${target.table}\` is no table that SQLite lets one write`, {
    hint: 'Write the bare name of the table.',
  })
}

function countRows(database: Database, table: string): number {
  return Number(
    database
      .prepare(`SELECT count(*) FROM ${name(table)}`)
      .pluck()
      .get(),
  )
}

/** Makes the table, or fits it to the stream as far as the task allows; says which columns are written. */
function shapeTable(
  database: Database,
  target: TableTarget,
  table: string,
  stream: RowStream,
  context: StageContext,
): ColumnPlan {
  const existing = tableColumns(database, table)
  if (existing.length === 0) {
    const keys = new Set(target.key.map((key) => key.toLowerCase()))
    const fields = stream.columns.map((column) => {
      const type = databaseTypeOf('sqlite', column.type)
      return `${name(column.name)} ${type}${keys.has(column.name.toLowerCase()) ? ' NOT NULL' : ''}`
    })
    const key = target.key.length > 0 ? `, PRIMARY KEY (${names(target.key)})` : ''
    database.exec(`CREATE TABLE ${name(table)} (${fields.join(', ')}${key})`)
    context.log('info', `Made table ${target.table}`)
    return planColumns(target, stream.columns, tableColumns(database, table), 'sqlite')
  }
  const plan = planColumns(target, stream.columns, existing, 'sqlite')
  for (const column of plan.add) {
    database.exec(`ALTER TABLE ${name(table)} ADD COLUMN ${name(column.name)} ${column.type}`)
    context.log('info', `Added column ${column.name} (${column.type}) to ${target.table}`)
  }
  // SQLite's columns take values of any type: there is nothing to alter.
  for (const column of plan.widen)
    context.log('info', `Column ${column.name} (${column.from}) now also holds ${column.type}`)
  if (plan.discarded.length > 0)
    context.log('info', `Left out ${listNames(plan.discarded)}: ${target.table} has no such columns`)
  return plan
}

export function tableColumns(database: Database, table: string): TableColumn[] {
  const rows = database.prepare(`SELECT name, type, hidden FROM pragma_table_xinfo(?)`).all(table) as {
    name: string
    type: string
    hidden: number
  }[] // the shape of this pragma
  return rows
    .filter((row) => row.hidden !== 1)
    .map((row) => ({
      name: row.name,
      type: row.type === '' ? 'ANY' : row.type,
      kind: kindOf(row.type),
      generated: row.hidden > 1,
    }))
}

function kindOf(declared: string): ValueKind | null {
  const logical = logicalTypeOf('sqlite', declared)
  if (logical !== null) return valueKindOf(logical)
  const type = declared.toUpperCase()
  if (type.includes('INT')) return 'integer'
  if (/CHAR|CLOB|TEXT/.test(type)) return 'text'
  if (type.includes('BLOB')) return 'blob'
  if (/REAL|FLOA|DOUB/.test(type)) return 'float'
  return type === '' || type === 'ANY' ? null : 'decimal'
}

function requireUniqueKey(database: Database, target: TableTarget, table: string): void {
  const wanted = target.key
    .map((key) => key.toLowerCase())
    .toSorted()
    .join('\n')
  const primary = database
    .prepare(`SELECT lower(name) FROM pragma_table_info(?) WHERE pk > 0`)
    .pluck()
    .all(table) as string[] // text by the query
  const indexes = database
    .prepare(`SELECT name FROM pragma_index_list(?) WHERE "unique" = 1 AND partial = 0`)
    .pluck()
    .all(table) as string[] // text by the query
  const keys = indexes.map(
    (index) => database.prepare(`SELECT lower(name) FROM pragma_index_info(?)`).pluck().all(index) as string[],
  ) // text by the query
  if ([primary, ...keys].some((columns) => columns.toSorted().join('\n') === wanted)) return
  throw new EngineError('KEY_NOT_UNIQUE', `Table ${target.table} has no unique index on (${target.key.join(', ')})`, {
    hint: `An upsert finds its rows by it: CREATE UNIQUE INDEX ${name(`${table}_key`)} ON ${name(table)} (${names(target.key)})`,
  })
}

function insertSql(target: TableTarget, table: string, plan: ColumnPlan, rows: number): string {
  const columns = plan.writes.map(({ to }) => to)
  const row = `(${columns.map(() => '?').join(',')})`
  const insert = `INSERT INTO ${name(table)} (${names(columns)}) VALUES ${Array.from({ length: rows }, () => row).join(',')}`
  if (target.mode !== 'upsert') return insert
  const keys = new Set(target.key.map((key) => key.toLowerCase()))
  const others = columns.filter((column) => !keys.has(column.toLowerCase()))
  const conflict = `${insert} ON CONFLICT (${names(target.key)})`
  if (others.length === 0) return `${conflict} DO NOTHING`
  const set = others.map((column) => `${name(column)} = excluded.${name(column)}`).join(', ')
  // A row that is already there as it should be is not touched: the same upsert twice changes nothing.
  const differs = others.map((column) => `${name(table)}.${name(column)} IS NOT excluded.${name(column)}`).join(' OR ')
  return `${conflict} DO UPDATE SET ${set} WHERE ${differs}`
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
  const fields = plan.writes.map(({ from }) => `${sqliteValue(from)} AS ${name(from.name)}`).join(', ')
  return context.consume(stream, async () => {
    const blobs = plan.writes.flatMap(({ from }, index) => (valueKindOf(from.type) === 'blob' ? [index] : []))
    const inserts: Inserts = { many, one, size, width, values: [], blobs, rows: 0 }
    let changed = 0
    for await (const chunk of context.session.chunks(`SELECT ${fields} FROM (${stream.sql})`)) {
      changed += writeChunk(chunk.getColumns(), chunk.rowCount, inserts, plan)
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
