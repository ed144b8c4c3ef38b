import { parseTableName } from '../../../language/task/table-name.ts'
import type { TableTarget } from '../../../language/task/targets/target.types.ts'
import type { StreamColumn } from '../../engine/column-origin.ts'
import type { DuckSession } from '../../engine/duckdb.ts'
import { EngineError, listNames } from '../../engine/errors.ts'
import { indexColumns, name, names, text } from '../../engine/sql-text.ts'
import { planColumns, type ColumnPlan, type Shaping, type TableColumn } from '../../targets/column-plan.ts'
import type { DuckTable } from './table.types.ts'
import { recreateColumns } from './recreate.ts'
import { commonType, valueAs } from './fields.ts'
import { isNested, valueKindOf, type ValueKind } from '../../targets/type-map.ts'
import { runMessage } from '../../../contract/run-messages.ts'

export function tableOf(target: TableTarget, catalog: string): DuckTable {
  const parsed = parseTableName(target.table)
  if (!parsed) {
    throw new EngineError('TABLE_NOT_FOUND', runMessage('table_name_invalid', { table: target.table }), {
      hint: runMessage('table_name_invalid_fix'),
    })
  }
  const schema = parsed.schema ?? 'main'
  return { catalog, schema, table: parsed.name, sql: `${name(catalog)}.${name(schema)}.${name(parsed.name)}` }
}

function where({ catalog, schema, table }: DuckTable, column = 'table_name'): string {
  return `database_name = ${text(catalog)} AND lower(schema_name) = lower(${text(schema)}) AND lower(${column}) = lower(${text(table)})`
}

/** Empty where there is no such table. Asked before the transaction: a refused INSERT would end it. */
export async function tableColumns(session: DuckSession, table: DuckTable): Promise<TableColumn[]> {
  const [view] = await session.rows(`SELECT 1 FROM duckdb_views() WHERE ${where(table, 'view_name')}`)
  if (view) {
    throw new EngineError(
      'TABLE_NOT_FOUND',
      runMessage('view_not_writable', { schema: table.schema, table: table.table }),
      {
        hint: runMessage('view_not_writable_fix'),
      },
    )
  }
  const [made] = await session.rows(`SELECT sql FROM duckdb_tables() WHERE ${where(table)}`)
  const computes = / GENERATED ALWAYS AS/i.test(made === undefined ? '' : String(made[0]))
  const rows = await session.rows(
    `SELECT column_name, data_type, column_default IS NOT NULL FROM duckdb_columns() WHERE ${where(table)} ORDER BY column_index`,
  )
  const columns: TableColumn[] = []
  for (const [column, type, filled] of rows) {
    const generated = computes && filled === true && (await isGenerated(session, table, String(column)))
    columns.push({ name: String(column), type: String(type), kind: columnKind(String(type)), generated })
  }
  return columns
}

/** A column of 128 bits takes other numbers, too, if they fit: unsigned ones, and those without a fraction. */
function columnKind(type: string): ValueKind {
  return type === 'HUGEINT' ? 'decimal' : valueKindOf(type)
}

/** DuckDB's catalog does not tell a default from what is computed; an INSERT does. */
async function isGenerated(session: DuckSession, table: DuckTable, column: string): Promise<boolean> {
  try {
    await session.rows(`EXPLAIN INSERT INTO ${table.sql} (${name(column)}) SELECT NULL WHERE false`)
    return false
  } catch (error) {
    if (error instanceof EngineError && /generated column/i.test(error.message)) return true
    throw error
  }
}

export interface ShapedTable {
  plan: ColumnPlan
  /** That are to be written, by column. */
  types: Map<string, string>
  /** Rows that were there and went with their table. */
  removed: number
}

export async function countRows(session: DuckSession, from: string): Promise<number> {
  const [row] = await session.rows(`SELECT count(*) FROM ${from}`)
  return Number(row?.[0] ?? 0)
}

/** Makes the table, or fits it to the columns as far as the task allows; the types that are to be written. */
export async function shapeTable(
  session: DuckSession,
  target: TableTarget,
  table: DuckTable,
  existing: readonly TableColumn[],
  columns: readonly StreamColumn[],
  shaping: Shaping & { warn(message: string): void },
): Promise<ShapedTable> {
  const { log, drift, outgrown } = shaping
  if (existing.length === 0) {
    const fields = columns.map((column) => `${name(column.name)} ${column.type}`)
    const unique = target.key.length > 0 && target.mode !== 'delete_insert'
    await session.run(
      `CREATE TABLE ${table.sql} (${fields.join(', ')}${unique ? `, PRIMARY KEY (${names(target.key)})` : ''})`,
    )
    log(`Made table ${target.table}`)
    const made = columns.map((column) => ({ ...column, kind: valueKindOf(column.type), generated: false }))
    return { plan: planColumns(target, columns, made, 'duckdb'), types: typesOf(made), removed: 0 }
  }
  const narrow = new Map([
    ...((await outgrown?.(existing)) ?? []),
    ...(await narrowColumns(session, columns, existing)),
  ])
  const plan = planColumns(target, columns, existing, 'duckdb', { narrow, drift })
  const types = typesOf(existing)
  let removed = 0
  if (plan.recreate.length > 0) {
    removed = await countRows(session, table.sql)
    await recreateColumns(session, table, plan.recreate, shaping)
    for (const column of plan.recreate) types.set(column.name, column.type)
  }
  for (const column of plan.add) {
    await session.run(`ALTER TABLE ${table.sql} ADD COLUMN ${name(column.name)} ${column.type}`)
    types.set(column.name, column.type)
    log(`Added column ${column.name} (${column.type}) to ${target.table}`)
  }
  for (const column of plan.widen) {
    const old = { name: column.name, type: column.from }
    await session.run(
      `ALTER TABLE ${table.sql} ALTER COLUMN ${name(column.name)} TYPE ${column.type} USING ${valueAs(old, column.type)}`,
    )
    types.set(column.name, column.type)
    log(`Widened column ${column.name} of ${target.table} from ${column.from} to ${column.type}`)
  }
  if (plan.discarded.length > 0) log(`Left out ${listNames(plan.discarded)}: ${target.table} has no such columns`)
  return { plan, types, removed }
}

function typesOf(columns: readonly { name: string; type: string }[]): Map<string, string> {
  return new Map(columns.map((column) => [column.name, column.type]))
}

/**
 * Lists and objects differ by what is in them: DuckDB would leave out fields that the column lacks, without a word. The type that holds
 * both, by column; null: there is none.
 */
export async function narrowColumns(
  session: DuckSession,
  columns: readonly StreamColumn[],
  existing: readonly TableColumn[],
): Promise<Map<string, string | null>> {
  const found = new Map<string, string | null>()
  for (const to of existing) {
    const from = columns.find((column) => column.name.toLowerCase() === to.name.toLowerCase())
    if (!from || to.type === from.type || !isNested(to.type) || valueKindOf(from.type) !== 'json') continue
    const both = await commonType(session, to.type, from.type)
    if (both !== to.type) found.set(to.name, both)
  }
  return found
}

export async function requireUniqueKey(session: DuckSession, target: TableTarget, table: DuckTable): Promise<void> {
  const constraints = await session.rows(
    `SELECT constraint_column_names FROM duckdb_constraints()
     WHERE ${where(table)} AND constraint_type IN ('PRIMARY KEY', 'UNIQUE')`,
  )
  const indexes = await session.rows(`SELECT ${indexColumns} FROM duckdb_indexes() WHERE ${where(table)} AND is_unique`)
  const fold = (columns: readonly string[]): string =>
    columns
      .map((column) => column.toLowerCase())
      .toSorted()
      .join('\n')
  const keys = [...constraints, ...indexes].map(([columns]) => (Array.isArray(columns) ? columns.map(String) : []))
  if (keys.some((columns) => fold(columns) === fold(target.key))) return
  throw new EngineError('KEY_NOT_UNIQUE', runMessage('no_unique_index', { table: target.table, key: target.key }), {
    hint: runMessage('no_unique_index_fix', {
      value: name(`${table.table}_key`),
      schema: name(table.schema),
      table: name(table.table),
      key: names(target.key),
    }),
  })
}
