import type { Database } from 'better-sqlite3'
import type { TableTarget } from '../../../language/task/targets/target.types.ts'
import { EngineError } from '../../engine/errors.ts'
import { name, names } from '../../engine/sql-text.ts'
import type { ColumnPlan, TableColumn } from '../../targets/column-plan.ts'
import { keysTakenForEqual, refuseOtherKeys, type EqualKeys } from '../../targets/equal-keys.ts'
import { requireDeleted } from '../../targets/left-out.ts'
import type { SqliteRules } from './rules.ts'
import { valueKindOf } from '../../targets/type-map.ts'
import { runMessage } from '../../../contract/run-messages.ts'

/** A key column, as a unique index compares it. */
interface ComparedColumn {
  column: string
  collation: string
}

export interface SqliteKeys {
  target: TableTarget
  table: string
  /** The key columns, as the table names them. */
  columns: readonly string[]
  /** The table may take keys for equal that differ. */
  loose: boolean
}

/** How the table compares the keys of an upsert or `delete_insert`. */
export function keysOf(
  target: TableTarget,
  table: string,
  { writes }: ColumnPlan,
  existing: readonly TableColumn[],
  { collates }: SqliteRules,
): SqliteKeys {
  const wanted = new Set(target.key.map((key) => key.toLowerCase()))
  const keys = writes.filter(({ to }) => wanted.has(to.toLowerCase()))
  // A column of numbers makes one number of the texts `1` and `01`.
  const types = new Map(existing.map((column) => [column.name, column.type]))
  const isLoose = ({ from, to }: ColumnPlan['writes'][number]): boolean =>
    ['text', 'json'].includes(valueKindOf(from.type)) &&
    (collates || !/CHAR|CLOB|TEXT|BLOB|^ANY$/i.test(types.get(to) ?? ''))
  return { target, table, columns: keys.map(({ to }) => to), loose: keys.some(isLoose) }
}

/** The columns of the unique indexes on the key, of which an upsert needs one; `INTEGER PRIMARY KEY` has none, and needs none. */
export function requireUniqueKey(
  database: Database,
  { target, table }: Pick<SqliteKeys, 'target' | 'table'>,
): ComparedColumn[][] {
  const fold = (columns: readonly string[]): string =>
    columns
      .map((column) => column.toLowerCase())
      .toSorted()
      .join('\n')
  const primary = database
    .prepare(`SELECT name AS "column", 'BINARY' AS collation FROM pragma_table_info(?) WHERE pk > 0`)
    .all(table) as ComparedColumn[] // the columns of this query
  const indexes = database
    .prepare(`SELECT name FROM pragma_index_list(?) WHERE "unique" = 1 AND partial = 0`)
    .pluck()
    .all(table) as string[] // text by the query
  const columnsOf = database.prepare(
    `SELECT coalesce(name, '') AS "column", coll AS collation FROM pragma_index_xinfo(?) WHERE key = 1`,
  )
  const all = indexes.map((index) => columnsOf.all(index) as ComparedColumn[]) // the columns of this query
  const isKey = (index: ComparedColumn[]): boolean => fold(index.map(({ column }) => column)) === fold(target.key)
  const found = all.filter(isKey)
  if (found.length > 0) return found
  if (isKey(primary)) return [primary]
  throw new EngineError('KEY_NOT_UNIQUE', runMessage('no_unique_index', { table: target.table, key: target.key }), {
    hint: runMessage('no_unique_index_fix_sqlite', {
      value: name(`${table}_key`),
      table: name(table),
      key: names(target.key),
    }),
  })
}

/** Before an upsert of the rows of `from`: each stands for a row of its own, and none for that of another key. */
export function requireOwnRows(database: Database, keys: SqliteKeys, from: string): void {
  const { target, table, columns, loose } = keys
  if (!loose) return
  for (const compared of requireUniqueKey(database, keys)) {
    const by = (of: string): string[] =>
      compared.map(({ column, collation }) => `${of}.${name(column)} COLLATE ${name(collation)}`)
    const merged = database
      .prepare(
        `SELECT min(${shown('s', columns)}) AS one, max(${shown('s', columns)}) AS other FROM ${from} AS s
         GROUP BY ${by('s').join(', ')} HAVING count(*) > 1 LIMIT 1`,
      )
      .get() as EqualKeys | undefined // the columns of this query
    if (merged) throw keysTakenForEqual(target.table, columns, merged)
    const same = by('t').map((column, at) => `${column} = ${by('s')[at] ?? ''}`)
    const met = database
      .prepare(
        `SELECT ${shown('s', columns)} AS one, ${shown('t', columns)} AS other FROM ${from} AS s
           CROSS JOIN main.${name(table)} AS t ON ${same.join(' AND ')} WHERE ${shown('s', columns)} <> ${shown('t', columns)}`,
      )
      .all() as EqualKeys[] // the columns of this query
    refuseOtherKeys(target.table, columns, met)
  }
}

/** A name that `from` lacks must not be taken for the column of the table around it: every row would match. */
function givenKeys(columns: readonly string[], from: string): string {
  return `(SELECT ${columns.map((column) => `given.${name(column)}`).join(', ')} FROM ${from} AS given)`
}

/** Deletes the rows whose keys are among those of `from`, by the keys' own bytes. */
export function deleteKeys(database: Database, keys: SqliteKeys, from: string, { triggers }: SqliteRules): number {
  const { target, table, columns, loose } = keys
  const list = names(columns)
  const given = givenKeys(columns, from)
  const exactly = loose
    ? ` AND (${columns.map((column) => `${name(column)} COLLATE BINARY`).join(', ')}) IN ${given}`
    : ''
  const rows = `FROM main.${name(table)} WHERE (${list}) IN ${given}${exactly}`
  const { changes } = database.prepare(`DELETE ${rows}`).run()
  if (triggers) requireDeleted(target, Number(database.prepare(`SELECT count(*) ${rows}`).pluck().get()), 'a trigger')
  return changes
}

/** After `delete_insert` of the rows of `from`: the rows of a key are found by no other one. */
export function requireOneSpelling(database: Database, keys: SqliteKeys, from: string): void {
  const { target, table, columns, loose } = keys
  if (!loose) return
  const list = names(columns)
  const found = database
    .prepare(
      `SELECT min(${shown('t', columns)}) AS one, max(${shown('t', columns)}) AS other FROM main.${name(table)} AS t
       WHERE (${list}) IN ${givenKeys(columns, from)} GROUP BY ${list} HAVING count(DISTINCT ${shown('t', columns)}) > 1 LIMIT 1`,
    )
    .get() as EqualKeys | undefined // the columns of this query
  if (found) throw keysTakenForEqual(target.table, columns, found)
}

/** The key as text, which is compared by its bytes: an expression has no collation. */
function shown(from: string, columns: readonly string[]): string {
  return `(${columns.map((column) => `${from}.${name(column)}`).join(` || ', ' || `)} || '')`
}
