import { runMessage } from '../../../contract/run-messages.ts'
import type { Column } from '../../../contract/common.ts'
import type { FilesSource } from '../../../language/task/sources/source.types.ts'
import { withoutFetched } from '../../engine/fetched.ts'
import type { StageContext } from '../../engine/lane.types.ts'
import { renamedColumns } from '../../sources/column-names.ts'
import { csvSql } from '../../sources/files-sql.ts'
import type { HeadedSource } from './head.types.ts'

/** Says which columns have a name of ours, because their own stands twice in the header of the first file. */
export async function noteHeader(
  source: HeadedSource,
  [file = '']: readonly string[],
  columns: readonly Column[],
  { session, note, tempDir }: StageContext,
): Promise<void> {
  const { csv } = source
  noteDelimiter(csv, columns, note)
  // DuckDB has renamed nothing: the header need not be looked at again.
  if (csv?.header !== true || !columns.some(({ name }) => /_\d+$/.test(name))) return
  const bare = { ...source, csv: { ...csv, header: false, null_values: [] } }
  // Of the columns of several files, the first may lack some. DuckDB refuses padding with line breaks in quotes unless it reads in one thread.
  const extra = ', ignore_errors = true, null_padding = true, parallel = false'
  const header = csvSql(bare, [file], { extra, columns })
  const [row = []] = await session.rows(`SELECT * FROM ${header} LIMIT 1`)
  const written = row.map((value) => (typeof value === 'string' ? value : ''))
  const names = columns.map(({ name }) => name)
  const place = runMessage('place_header', { file: withoutFetched(file, tempDir) })
  const renamed = renamedColumns(place, written, names)
  if (renamed) note(renamed)
}

/** One column whose name looks like several: nothing fails then, and each row arrives as one text. */
function noteDelimiter(
  csv: FilesSource['csv'],
  [only, ...others]: readonly Column[],
  note: StageContext['note'],
): void {
  if (csv?.header !== true || only === undefined || others.length > 0) return
  const delimiter = [';', '\t', '|', ','].find((one) => one !== csv.delimiter && only.name.includes(one))
  if (delimiter === undefined) return
  note(runMessage('delimiter_unlikely', { column: only.name, delimiter: JSON.stringify(delimiter) }))
}
