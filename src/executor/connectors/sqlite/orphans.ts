import { inspect } from 'node:util'
import type { Database } from 'better-sqlite3'
import { runMessage } from '../../../contract/run-messages.ts'
import type { Message } from '../../../language/message.ts'
import { EngineError, verbatim, codeOf, messageOf } from '../../engine/errors.ts'
import { name, names } from '../../engine/sql-text.ts'
import { constraintHint } from '../../targets/refusal.ts'

/** A column of a table and what it refers to, as SQLite lists them. */
interface Reference {
  id: number
  table: string
  from: string
  /** null: the primary key of the table that is referred to. */
  to: string | null
}

/** What one row refers to and is not there. `columns`: of the row; `parent`: the table where it should be. */
export interface Orphan {
  columns: string[]
  parent: string
}

/** Whether a row refers to one that is not there; `value` gives what the row has in a column, undefined where it is not written. */
export type FindOrphan = (value: (column: string) => unknown) => Orphan | null

/** Asks for the foreign keys of a table once. */
export function orphanFinder(database: Database, table: string): FindOrphan {
  const listed = database
    .prepare('SELECT id, "table", "from", "to" FROM pragma_foreign_key_list(?) ORDER BY id, seq')
    .all(table) as Reference[] // the columns of this query
  const keys = [...Map.groupBy(listed, ({ id }) => id).values()].map((columns) => {
    const parent = columns[0]?.table ?? ''
    const primary = columns.some(({ to }) => to === null) ? primaryKeyOf(database, parent) : []
    const compared = columns.map(({ to }, at) => `${name(to ?? primary[at] ?? 'rowid')} = ?`)
    // A row of NULLs refers to nothing, and a parent table that is missing holds nothing.
    const isThere = tableExists(database, parent)
      ? database.prepare(`SELECT 1 FROM main.${name(parent)} WHERE ${compared.join(' AND ')}`).pluck()
      : null
    return { parent, columns: columns.map(({ from }) => from), isThere }
  })
  return (value) => {
    for (const { parent, columns, isThere } of keys) {
      const values = columns.map(value)
      if (values.some((one) => one === null || one === undefined)) continue
      if (isThere?.get(values) === undefined) return { columns, parent }
    }
    return null
  }
}

function primaryKeyOf(database: Database, table: string): string[] {
  return database
    .prepare('SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk')
    .pluck()
    .all(table) as string[] // text by the query
}

function tableExists(database: Database, table: string): boolean {
  return (
    database
      .prepare(`SELECT 1 FROM sqlite_schema WHERE type IN ('table', 'view') AND lower(name) = lower(?)`)
      .get(table) !== undefined
  )
}

/** Rows looked at to name one that refers to nothing. */
const mostDescribed = 1000

/** COMMIT, which is where deferred foreign keys are checked: what SQLite does not say, which row it is, is looked for. */
export function commit(database: Database): void {
  try {
    database.exec('COMMIT')
  } catch (error) {
    if (codeOf(error) !== 'SQLITE_CONSTRAINT_FOREIGNKEY') throw error
    const found = orphansNow(database).map((orphan) => ({ ...orphan, words: described(database, orphan) }))
    database.exec('ROLLBACK')
    // A table may have had some before, which nobody has looked at.
    const before = new Set(orphansNow(database).map(({ id }) => id))
    const own = found.find(({ id }) => !before.has(id))
    const cause = messageOf(error)
    throw new EngineError(
      'CONSTRAINT_VIOLATED',
      own ? runMessage('refers_to_nothing', { cause, ...own.words }) : verbatim(cause),
      {
        hint: constraintHint(false),
        cause: error,
      },
    )
  }
}

interface FoundOrphan {
  id: string
  table: string
  parent: string
  rowid: bigint | number | null
  fkid: number
}

function orphansNow(database: Database): FoundOrphan[] {
  return database
    .prepare(
      `SELECT "table" || ' ' || coalesce(rowid, '') || ' ' || fkid AS id, "table", parent, rowid, fkid FROM pragma_foreign_key_check LIMIT ${mostDescribed}`,
    )
    .all() as FoundOrphan[] // the columns of this query
}

function described(database: Database, { table, parent, rowid, fkid }: FoundOrphan): { parent: string; row: Message } {
  if (rowid === null) return { parent, row: runMessage('row_of_table', { table }) }
  const own = database
    .prepare('SELECT "from" FROM pragma_foreign_key_list(?) WHERE id = ? ORDER BY seq')
    .pluck()
    .all(table, fkid) as string[] // text by the query
  const columns = [...new Set([...primaryKeyOf(database, table), ...own])]
  const row = database
    .prepare(`SELECT ${names(columns)} FROM main.${name(table)} WHERE rowid = ?`)
    .raw()
    .get(rowid) as unknown[] // raw rows are lists
  const values = columns.map((column, at) => `${column} = ${shownValue(row[at])}`)
  return { parent, row: runMessage('row_of_table_with', { table, values }) }
}

/** A value as it stands in a message. */
export function shownValue(value: unknown): string {
  if (value === null || value === undefined) return 'NULL'
  if (value instanceof Uint8Array) return `x'${Buffer.from(value).toString('hex', 0, 50)}'`
  return (typeof value === 'string' ? value : inspect(value).replace(/n$/, '')).slice(0, 100)
}
