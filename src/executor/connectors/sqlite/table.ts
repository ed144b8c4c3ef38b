import type { Database } from 'better-sqlite3'
import { parseTableName } from '../../../language/task/table-name.ts'
import type { TableTarget } from '../../../language/task/targets/target.types.ts'
import { originOf, type StreamColumn } from '../../engine/column-origin.ts'
import { EngineError, listNames } from '../../engine/errors.ts'
import { name, names } from '../../engine/sql-text.ts'
import { planColumns, type ColumnPlan, type Shaping, type TableColumn } from '../../targets/column-plan.ts'
import { keptConstraints } from '../../targets/kept-constraints.ts'
import type { SqliteKeys } from './keys.ts'
import { addByDefinition, isRowNumber } from './recreate.ts'
import { outcomeCalls } from './rules.ts'
import { databaseTypeOf, logicalTypeOf, valueKindOf, type ValueKind } from '../../targets/type-map.ts'
import { runMessage } from '../../../contract/run-messages.ts'

export function tableOf(target: TableTarget): string {
  const parsed = parseTableName(target.table)
  if (
    parsed &&
    (parsed.schema === null || parsed.schema.toLowerCase() === 'main') &&
    !parsed.name.toLowerCase().startsWith('sqlite_')
  ) {
    return parsed.name
  }
  throw new EngineError('TABLE_NOT_FOUND', runMessage('sqlite_table_not_writable', { table: target.table }), {
    hint: runMessage('sqlite_table_not_writable_fix'),
  })
}

/** Makes the table, or fits it to the columns as far as the task allows; says which columns are written. */
export function shapeTable(
  database: Database,
  target: TableTarget,
  table: string,
  columns: readonly StreamColumn[],
  { log, drift }: Shaping,
): ColumnPlan {
  const existing = tableColumns(database, table)
  const types = keptTypes(columns)
  if (existing.length === 0) {
    requireRoom(target, columns.length)
    database.exec(createSql(target, table, columns, types, log))
    if (target.mode === 'delete_insert')
      database.exec(`CREATE INDEX ${name(`${table}_by_key`)} ON ${name(table)} (${names(target.key)})`)
    log(`Made table ${target.table}`)
    return planColumns(target, columns, tableColumns(database, table), 'sqlite')
  }
  const plan = planColumns(target, columns, existing, 'sqlite', { types, drift })
  if (plan.add.length > 0) requireRoom(target, existing.length + plan.add.length)
  for (const column of plan.add) {
    if (isRowNumber(column.name)) addByDefinition(database, table, column)
    else database.exec(`ALTER TABLE ${name(table)} ADD COLUMN ${name(column.name)} ${column.type}`)
    log(`Added column ${column.name} (${column.type}) to ${target.table}`)
  }
  // SQLite's columns take values of any type: there is nothing to alter.
  for (const column of plan.widen) log(`Column ${column.name} (${column.from}) now also holds ${column.type}`)
  if (plan.discarded.length > 0) log(`Left out ${listNames(plan.discarded)}: ${target.table} has no such columns`)
  return plan
}

/** As SQLite is built. */
const mostColumns = 2_000

function requireRoom({ table }: TableTarget, count: number): void {
  if (count <= mostColumns) return
  throw new EngineError('SCHEMA_MISMATCH', runMessage('sqlite_table_too_wide', { table, count, most: mostColumns }), {
    hint: runMessage('sqlite_table_too_wide_fix'),
  })
}

/** The types that columns of a SQLite source are declared with there, by name. */
export function keptTypes(columns: readonly StreamColumn[]): Map<string, string> {
  return new Map(
    columns.flatMap((column) => {
      const origin = originOf(column, 'sqlite')
      return origin ? [[column.name, origin.declared] as const] : []
    }),
  )
}

function createSql(
  target: TableTarget,
  table: string,
  columns: readonly StreamColumn[],
  types: ReadonlyMap<string, string>,
  log: (message: string) => void,
): string {
  const kept = keptConstraints(target, columns, types, log)
  const unique = target.mode === 'delete_insert' ? [] : target.key.length > 0 ? target.key : kept.primaryKey
  const keys = new Set(target.key.length > 0 ? unique.map((key) => key.toLowerCase()) : [])
  const fields = columns.map((column) => {
    const type = types.get(column.name) ?? databaseTypeOf('sqlite', column.type)
    const required = keys.has(column.name.toLowerCase()) || kept.notNull.has(column.name)
    return `${name(column.name)} ${type}${required ? ' NOT NULL' : ''}`
  })
  const key = unique.length > 0 ? `, PRIMARY KEY (${names(unique)})` : ''
  return `CREATE TABLE ${name(table)} (${fields.join(', ')}${key})`
}

export function tableColumns(database: Database, table: string): TableColumn[] {
  const rows = database.prepare(`SELECT name, type, hidden FROM pragma_table_xinfo(?)`).all(table) as {
    name: string
    type: string
    hidden: number
  }[] // the shape of this pragma
  const isStrict = database.prepare(`SELECT strict FROM pragma_table_list WHERE name = ?`).pluck().get(table) === 1
  return rows
    .filter((row) => row.hidden !== 1)
    .map((row) => ({
      name: row.name,
      // Only in strict tables does ANY keep values as they are; elsewhere it turns texts into numbers.
      type: row.type === '' ? 'ANY' : /^ANY$/i.test(row.type) && !isStrict ? 'NUMERIC' : row.type,
      kind: /^ANY$/i.test(row.type) && !isStrict ? 'decimal' : kindOf(row.type),
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

/** A type by which SQLite converts values as by the declared one, by its own rules. */
export function affinityOf(declared: string): 'INTEGER' | 'TEXT' | 'BLOB' | 'REAL' | 'NUMERIC' {
  if (/INT/i.test(declared)) return 'INTEGER'
  if (/CHAR|CLOB|TEXT/i.test(declared)) return 'TEXT'
  if (/BLOB|^ANY$/i.test(declared)) return 'BLOB'
  return /REAL|FLOA|DOUB/i.test(declared) ? 'REAL' : 'NUMERIC'
}

/** Whether SQLite turns texts that read as numbers into numbers in a column declared so. */
export function takesNumbers(declared: string): boolean {
  return !['TEXT', 'BLOB'].includes(affinityOf(declared))
}

/** What an INSERT does with a row that is there already. `columns`: those that are written; `counted`: its outcomes are counted. */
export function onConflict(
  { target, table, columns: keys, loose }: SqliteKeys,
  columns: readonly TableColumn[],
  counted: boolean,
): string {
  if (target.mode !== 'upsert') return ''
  const conflict = ` ON CONFLICT (${names(target.key)})`
  // A key that another spelling finds takes the one that comes in.
  const others = columns.filter((column) => loose || !keys.includes(column.name))
  if (others.length === 0 && !counted) return `${conflict} DO NOTHING`
  const set = (others.length === 0 ? columns : others).map(
    ({ name: column }) => `${name(column)} = excluded.${name(column)}`,
  )
  const differs = others.length === 0 ? '0' : anyOf(others.map((column) => differsIn(table, column)))
  const { updated, unchanged } = outcomeCalls
  const where = counted ? `CASE WHEN ${differs} THEN ${updated} ELSE ${unchanged} END` : differs
  return `${conflict} DO UPDATE SET ${set.join(', ')} WHERE ${where}`
}

/** In halves: SQLite takes no chain of a thousand. */
function anyOf(terms: readonly string[]): string {
  if (terms.length < 3) return terms.join(' OR ')
  const middle = terms.length >> 1
  return `(${anyOf(terms.slice(0, middle))}) OR (${anyOf(terms.slice(middle))})`
}

/**
 * A row that is already there as it should be is not touched: the same upsert twice changes nothing. Compared by bytes, whatever the
 * column's collation; a column that keeps values of any type also tells 1 from 1.0.
 */
function differsIn(table: string, { name: column, type }: TableColumn): string {
  const [old, next] = [`${name(table)}.${name(column)}`, `excluded.${name(column)}`]
  const ofOtherType = /^ANY$|BLOB/i.test(type) ? ` OR typeof(${old}) <> typeof(${next})` : ''
  return `${old} COLLATE BINARY IS NOT ${next}${ofOtherType}`
}
