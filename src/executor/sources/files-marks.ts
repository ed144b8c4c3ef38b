import type { CsvReadOptions, FilesSource } from '../../language/task/sources/source.types.ts'
import type { StageContext } from '../engine/lane.types.ts'
import { headersOf } from '../formats/csv/head.ts'
import { pathList } from './files-sql.ts'

/**
 * What the beginning of each file says of its columns, as a text: files with the same mark have the same columns. It takes a fraction
 * of the time in which DuckDB finds them. null: the beginning does not say enough.
 */
export async function marksOf(
  source: FilesSource,
  files: readonly string[],
  context: StageContext,
): Promise<(string | null)[]> {
  const { csv } = source
  if (source.format === 'parquet') return schemas(files, context)
  if (!csv?.header) return files.map(() => null)
  return (await headersOf(files, csv)).map((header) => header?.text ?? null)
}

/** Names, nesting and types as the files' own schemas have them. */
async function schemas(files: readonly string[], { session }: StageContext): Promise<(string | null)[]> {
  const found = new Map<unknown, string>()
  for (let at = 0; at < files.length; at += schemasAtOnce) {
    const rows = await session.rows(
      `SELECT file_name, string_agg(concat_ws(' ', num_children, name, type, type_length, repetition_type, converted_type, scale, precision, logical_type), chr(10) ORDER BY number)
       FROM (SELECT *, row_number() OVER () AS number FROM parquet_schema(${pathList(files.slice(at, at + schemasAtOnce))}))
       GROUP BY file_name`,
    )
    for (const [file, schema] of rows) found.set(file, String(schema))
  }
  return files.map((file) => found.get(file) ?? null)
}

const schemasAtOnce = 200

/** Excel's first line `sep=;` names the delimiter, and is neither a header nor a row. It counts where all files have the same one. */
export async function withSeparatorLine(source: FilesSource, files: readonly string[]): Promise<FilesSource> {
  const { csv } = source
  if (!csv || csv.skip_lines > 0 || files.length === 0) return source
  const [delimiter] = await separatorsOf(files.slice(0, 1), csv)
  if (delimiter === undefined) return source
  const all = await separatorsOf(files.slice(1), csv)
  return all.every((one) => one === delimiter) ? { ...source, csv: { ...csv, delimiter, skip_lines: 1 } } : source
}

async function separatorsOf(files: readonly string[], csv: CsvReadOptions): Promise<(string | undefined)[]> {
  const headers = await headersOf(files, { ...csv, header: true, quote: '' })
  return headers.map((header) => (header?.skip === 0 ? /^sep=([^\r\n])$/i.exec(header.text)?.[1] : undefined))
}
