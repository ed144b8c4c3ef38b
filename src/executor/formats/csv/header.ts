import type { Column } from '../../../contract/common.ts'
import type { FilesSource } from '../../../language/task/sources/source.types.ts'
import { withoutFetched } from '../../engine/fetched.ts'
import type { StageContext } from '../../engine/lane.types.ts'
import { renamedWords } from '../../sources/column-names.ts'
import { csvSql } from '../../sources/files-sql.ts'
import { lineEndOf } from './faults.ts'

/** Says which columns have a name of ours, because their own stands twice in the header of the first file. */
export async function logRenamed(
  source: FilesSource,
  [file = '']: readonly string[],
  columns: readonly Column[],
  { session, log, tempDir }: StageContext,
): Promise<void> {
  const { csv } = source
  // DuckDB has renamed nothing: the header need not be looked at again.
  if (csv?.header !== true || !columns.some(({ name }) => /_\d+$/.test(name))) return
  const bare = { ...source, union_by_name: false, csv: { ...csv, header: false, null_values: [] } }
  // Of the columns of several files, the first may lack some. DuckDB refuses padding with line breaks in quotes unless it reads in one thread.
  const extra = ', ignore_errors = true, null_padding = true, parallel = false'
  const header = csvSql(bare, [file], { extra, columns, lineEnd: await lineEndOf([file], csv) })
  const [row = []] = await session.rows(`SELECT * FROM ${header} LIMIT 1`)
  const written = row.map((value) => (typeof value === 'string' ? value : ''))
  const names = columns.map(({ name }) => name)
  const words = renamedWords(`${withoutFetched(file, tempDir)}, header`, written, names)
  if (words !== null) log('warn', words)
}
