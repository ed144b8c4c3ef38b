import type { Column } from '../../contract/common.ts'
import type { StageContext } from './lane.types.ts'
import { name } from './sql-text.ts'

/** A table of the session whose rows have numbers, from 0, in the order in which they were read. */
export interface NumberedTable {
  table: string
  /** SQL of a row's number. */
  at: string
}

/** DuckDB numbers the rows of a table itself, unless a column of the data is called `rowid`. */
export async function numberRows(
  table: string,
  columns: readonly Column[],
  { session }: StageContext,
): Promise<NumberedTable> {
  if (!columns.some((column) => column.name.toLowerCase() === 'rowid')) return { table, at: 'rowid' }
  const numbered = session.newName('stage')
  const at = name(session.newName('at'))
  await session.createTable(numbered, `SELECT *, row_number() OVER () - 1 AS ${at} FROM ${name(table)}`)
  return { table: numbered, at }
}
