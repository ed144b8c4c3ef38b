import type { Column } from '../../../contract/common.ts'
import type { DuckSession } from '../../engine/duckdb.ts'
import { name } from '../../engine/sql-text.ts'
import type { StageContext } from '../../engine/lane.types.ts'
import { csvReaders, readersSql } from '../../sources/files-sql.ts'
import type { HeadedSource } from './head.types.ts'

const text = 'VARCHAR'

/** As many rows as DuckDB looks at to find the types. */
export const sampleRows = 20_480

/** Rows with broken quotes would keep the columns from being known: they are then read more leniently, for this alone. */
export async function columnsPastFaults(
  source: HeadedSource,
  files: readonly string[],
  { session, signal }: StageContext,
  extra = '',
): Promise<Column[]> {
  const columns = (more: string) => joinedColumns(source, csvReaders(source, files, { extra: extra + more }), session)
  try {
    return await columns(', ignore_errors = true')
  } catch (error) {
    if (signal.aborted) throw error
    return columns(', ignore_errors = true, strict_mode = false').catch(() => Promise.reject(error))
  }
}

/**
 * The columns that files have together which are read by several readers. DuckDB takes a column without a value for text, and text it would
 * be for all of them: here the others decide.
 */
export async function joinedColumns(
  source: HeadedSource,
  readers: readonly string[],
  session: DuckSession,
): Promise<Column[]> {
  const together = await session.describe(`SELECT * FROM ${readersSql(source, readers)}`)
  if (readers.length === 1 || !together.some(({ type }) => type === text)) return together
  const groups: { reader: string; columns: Column[] }[] = []
  for (const reader of readers) groups.push({ reader, columns: await session.describe(`SELECT * FROM ${reader}`) })
  const typed = new Set(
    groups.flatMap(({ columns }) => columns.filter(({ type }) => type !== text).map((one) => one.name)),
  )
  const parts: string[] = []
  for (const { reader, columns } of groups) {
    const doubtful = columns.filter((one) => one.type === text && typed.has(one.name)).map((one) => name(one.name))
    const counts = doubtful.map((column) => `count(${column})`).join(', ')
    const [row = []] =
      doubtful.length === 0
        ? []
        : await session.rows(`SELECT ${counts} FROM (SELECT * FROM ${reader} LIMIT ${sampleRows})`)
    const empty = doubtful.filter((_, at) => Number(row[at]) === 0)
    const nothing = empty.map((column) => `NULL AS ${column}`).join(', ')
    parts.push(empty.length === 0 ? reader : `(SELECT * REPLACE (${nothing}) FROM ${reader})`)
  }
  return session.describe(`SELECT * FROM ${readersSql(source, parts)}`)
}
