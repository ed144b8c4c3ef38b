import type { Column } from '../../contract/common.ts'
import type { ColumnType } from '../../language/task/column-types.ts'
import type { CsvReadOptions, FilesSource } from '../../language/task/sources/source.types.ts'
import { duckDbType, escapeGlob, text } from '../engine/sql-text.ts'
import { lineEndOf, type LineEnd } from './csv-faults.ts'

/** Files as DuckDB reads them, in its SQL. */

export function pathList(files: readonly string[]): string {
  return `[${files.map(escapeGlob).map(text).join(', ')}]`
}

/** All of the files, CSV or Parquet, as one relation, with the columns that DuckDB finds in them. `extra`: further options for CSV. */
export async function readerOf(
  source: FilesSource,
  files: readonly string[],
  { extra }: { extra?: string } = {},
): Promise<string> {
  const byName = source.union_by_name ? ', union_by_name = true' : ''
  if (source.format === 'parquet') return `read_parquet(${pathList(files)}${byName}, hive_partitioning = false)`
  return csvSql(source, files, { extra, lineEnd: source.csv && (await ownLineEnd(source.csv, files)) })
}

/** Of several files each may have its own. */
export async function ownLineEnd(csv: CsvReadOptions, files: readonly string[]): Promise<LineEnd | null> {
  return files.length === 1 ? lineEndOf(files, csv) : null
}

const encodings = { 'utf-8': 'utf-8', 'utf-16': 'utf-16', 'latin-1': 'latin-1' } as const

export interface CsvReading {
  extra?: string | undefined
  /** Where they are known, nothing is found out; in the order of the file. */
  columns?: readonly Column[] | null
  /** null: DuckDB finds it out. */
  lineEnd: LineEnd | null
}

export function csvSql(
  source: FilesSource,
  files: readonly string[],
  { extra = '', columns = null, lineEnd }: CsvReading,
): string {
  const csv = source.csv
  if (!csv) throw new Error('A CSV source without CSV options')
  const options = [
    `delim = ${text(csv.delimiter)}`,
    `quote = ${text(csv.quote)}`,
    `escape = ${text(csv.escape)}`,
    `header = ${csv.header}`,
    `skip = ${csv.skip_lines}`,
    `encoding = ${text(encodings[csv.encoding])}`,
    `comment = ''`,
    `hive_partitioning = false`,
    ...(lineEnd === null ? [] : [`new_line = ${text(lineEndNames[lineEnd])}`]),
    ...(csv.null_values.length > 0 ? [`nullstr = [${csv.null_values.map(text).join(', ')}]`] : []),
    ...(source.union_by_name ? ['union_by_name = true'] : []),
    ...(columns === null ? knownTypes(source) : [`auto_detect = false`, `columns = ${struct(columns)}`]),
  ]
  return `read_csv(${pathList(files)}, ${options.join(', ')}${extra})`
}

/** As DuckDB writes them. */
const lineEndNames = { '\n': String.raw`\n`, '\r\n': String.raw`\r\n`, '\r': String.raw`\r` } as const

function struct(columns: readonly Column[]): string {
  return `{${columns.map((column) => `${text(column.name)}: ${text(column.type)}`).join(', ')}}`
}

/** Types that the CSV reader itself can check, with the line of what does not fit. The others are read as text and cast. */
const readerTypes: ReadonlySet<ColumnType> = new Set(['string', 'number', 'boolean', 'date', 'time'])

const wholeNumber = 'DECIMAL(38,9)'

function knownTypes(source: FilesSource): string[] {
  const given = Object.entries(source.columns).map(([column, type]) => {
    // As a whole number DuckDB would round `1.5`; as a decimal it is seen not to be one.
    if (type === 'integer') return { name: column, type: wholeNumber }
    return { name: column, type: readerTypes.has(type) || type.startsWith('decimal') ? duckDbType(type) : 'VARCHAR' }
  })
  return given.length === 0 ? [] : [`types = ${struct(given)}`]
}
