import type { Column } from '../../contract/common.ts'
import type { FilesSource } from '../../language/task/sources/source.types.ts'
import { withoutFetched } from '../engine/fetched.ts'
import type { StageContext } from '../engine/lane.types.ts'
import { renamedWords } from './column-names.ts'
import { csvSql } from './files-sql.ts'

/** Says which columns have a name of ours, because their own stands twice in the header of the first file. */
export async function tellRenamed(
  source: FilesSource,
  [file = '']: readonly string[],
  columns: readonly Column[],
  { session, log, tempDir }: StageContext,
): Promise<void> {
  const { csv } = source
  // DuckDB has renamed nothing: the header need not be looked at again.
  if (csv?.header !== true || !columns.some(({ name }) => /_\d+$/.test(name))) return
  const bare = { ...source, csv: { ...csv, header: false, null_values: [] } }
  const extra = ', all_varchar = true, ignore_errors = true, null_padding = true'
  const [row = []] = await session.rows(`SELECT * FROM ${csvSql(bare, [file], { extra, lineEnd: null })} LIMIT 1`)
  const written = row.map((value) => (typeof value === 'string' ? value : ''))
  const names = columns.map(({ name }) => name)
  const words = renamedWords(`${withoutFetched(file, tempDir)}, header`, written, names)
  if (words !== null) log('warn', words)
}
