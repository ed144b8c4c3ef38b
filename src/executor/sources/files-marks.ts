import type { CsvReadOptions, FilesSource } from '../../language/task/sources/source.types.ts'
import type { StageContext } from '../engine/lane.types.ts'
import { contentOf } from './files-packed.ts'
import { pathList } from './files-sql.ts'

/**
 * What the beginning of each file says of its columns, as a text: files with the same mark have the same columns. It takes a fraction
 * of the time in which DuckDB finds them. null: the beginning does not say enough.
 */
export function marksOf(
  source: FilesSource,
  files: readonly string[],
  context: StageContext,
): Promise<(string | null)[]> {
  const { csv } = source
  if (source.format === 'parquet') return schemas(files, context)
  return eachOf(files, async (file) => csv && headerLine(await beginningOf(file), csv))
}

const atOnce = 16

async function eachOf<T>(files: readonly string[], work: (file: string) => Promise<T>): Promise<T[]> {
  const done: T[] = []
  for (let at = 0; at < files.length; at += atOnce) {
    done.push(...(await Promise.all(files.slice(at, at + atOnce).map(work))))
  }
  return done
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

const mostBytes = 65_536

/** Byte by byte as characters: only whether they are the same is of interest. */
async function beginningOf(file: string): Promise<string> {
  const stop = new AbortController()
  let bytes = Buffer.alloc(0)
  // What is wrong with a file is for its reader to say.
  try {
    for await (const piece of contentOf(file, stop.signal, mostBytes)) {
      bytes = Buffer.concat([bytes, piece])
      if (bytes.length >= mostBytes) break
    }
  } catch {
    return ''
  }
  return bytes.toString('latin1', 0, mostBytes)
}

function headerLine(text: string, csv: CsvReadOptions): string | null {
  if (!csv.header) return null
  const lines = text.split(/\r\n|\n|\r/, csv.skip_lines + 2)
  if (lines.length < csv.skip_lines + 2) return null
  const line = lines[csv.skip_lines] ?? ''
  // A quoted name may go on in the next line.
  const quotes = csv.quote === '' ? 0 : line.split(csv.quote).length - 1
  return quotes % 2 === 0 && (csv.escape === csv.quote || csv.escape === '' || !line.includes(csv.escape)) ? line : null
}

/** Excel's first line `sep=;` names the delimiter, and is neither a header nor a row. It counts where all files have the same one. */
export async function withSeparatorLine(source: FilesSource, files: readonly string[]): Promise<FilesSource> {
  const { csv } = source
  const [first, ...others] = files
  if (!csv || csv.skip_lines > 0 || first === undefined) return source
  const delimiter = await separatorOf(first)
  if (delimiter === undefined) return source
  const all = await eachOf(others, separatorOf)
  return all.every((one) => one === delimiter) ? { ...source, csv: { ...csv, delimiter, skip_lines: 1 } } : source
}

/** Behind a byte order mark, too; its bytes are read as characters. */
const separatorOf = async (file: string): Promise<string | undefined> =>
  /^(?:\u00ef\u00bb\u00bf)?sep=([^\r\n])\r?(?:\n|$)/i.exec(await beginningOf(file))?.[1]
