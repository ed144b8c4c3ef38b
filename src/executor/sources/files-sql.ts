import type { Column } from '../../contract/common.ts'
import type { FilesSource } from '../../language/task/sources/source.types.ts'
import { escapeGlob, name, text } from '../engine/sql-text.ts'
import { longestCsvRow } from '../formats/csv/faults.ts'
import { headsOf, type CsvHead } from '../formats/csv/head.ts'

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
  return csvSql(source, await headsIn(source, files), { extra })
}

/**
 * CSV files with every column as text. A single file is not looked at a second time: what was found is said. Several files may differ in
 * their headers.
 */
export async function csvTexts(
  source: FilesSource,
  files: readonly string[],
  columns: readonly Column[] | null,
): Promise<CsvTexts> {
  const heads = await headsIn(source, files)
  const read = (extra: string): string =>
    files.length === 1 && columns !== null
      ? csvSql(source, heads, { extra, columns })
      : csvSql(source, heads, { extra: `${extra}, all_varchar = true` })
  return { split: read(quotedTexts(source)), inOrder: read(`${quotedTexts(source)}${oneThread}`) }
}

export interface CsvTexts {
  /** As several threads read the files. */
  split: string
  /** As one does. */
  inOrder: string
}

/** Several threads may take the lines of a value for rows. Those that are to be wrong then fail, unless faults are collected. */
export const oneThread = ', parallel = false'

/** What stands in quotes is text, and not NULL. Where types are looked for, it may be either. */
export function quotedTexts({ csv }: FilesSource): string {
  return `, allow_quoted_nulls = ${csv?.quoted_nulls === true}`
}

/** The same rows where NULL in quotes is NULL in `columns`, which are not to be text: some programs put quotes around everything. */
export function withNulls({ csv }: FilesSource, reader: string, columns: readonly string[]): string {
  // An empty text is none of their values: their casts know that, at less cost.
  const words = csv?.null_values.filter((word) => word !== '') ?? []
  if (csv?.quoted_nulls === true || words.length === 0 || columns.length === 0) return reader
  const nulls = words.map(text).join(', ')
  const fields = columns.map(
    (column) => `CASE WHEN ${name(column)} NOT IN (${nulls}) THEN ${name(column)} END AS ${name(column)}`,
  )
  return `(SELECT * REPLACE (${fields.join(', ')}) FROM ${reader})`
}

const headsIn = async ({ csv }: FilesSource, files: readonly string[]): Promise<CsvHead[]> =>
  csv === null ? [] : headsOf(files, csv)

export interface CsvReading {
  extra?: string | undefined
  /** Where they are known, nothing is found out, and all are read as text; in the order of the file. */
  columns?: readonly Column[] | null
}

/** Files that begin alike, in other lines than the next ones or with another line end, are read by a reader of their own. */
export function csvSql(source: FilesSource, heads: readonly CsvHead[], reading: CsvReading = {}): string {
  const groups: CsvHead[][] = []
  // Those with a header alone have no rows, and would make text of the columns of all.
  const some = source.union_by_name || !source.csv?.header ? [] : heads.filter(({ isAlone }) => !isAlone)
  for (const head of some.length > 0 ? some : heads) {
    const group = groups.at(-1)
    const [one] = group ?? []
    if (group && one?.skip === head.skip && one.end === head.end) group.push(head)
    else groups.push([head])
  }
  return readersSql(
    source,
    groups.map((group) => csvReader(source, group, reading)),
  )
}

/** The rows of all of them, in their order. */
export function readersSql({ union_by_name: byName }: FilesSource, readers: readonly string[]): string {
  if (readers.length === 1) return readers.join('')
  return `(${readers.map((reader) => `FROM ${reader}`).join(` UNION ALL${byName ? ' BY NAME' : ''} `)})`
}

function csvReader(source: FilesSource, heads: readonly CsvHead[], { extra = '', columns = null }: CsvReading): string {
  const csv = source.csv
  const [head] = heads
  if (!csv || !head) throw new Error('A CSV source without CSV options or files')
  const options = [
    `delim = ${text(csv.delimiter)}`,
    `quote = ${text(csv.quote)}`,
    `escape = ${text(csv.escape)}`,
    `header = ${csv.header}`,
    `skip = ${head.skip}`,
    `encoding = ${text(csv.encoding)}`,
    `comment = ''`,
    `hive_partitioning = false`,
    // DuckDB's own are 32 MB: to get their memory from the system takes longer than to find the first rows in them.
    `buffer_size = ${longestCsvRow + longestLineEnd}`,
    ...(head.end === '' ? [] : [`new_line = ${text(lineEndNames[head.end])}`]),
    ...(csv.null_values.length > 0 ? [`nullstr = [${csv.null_values.map(text).join(', ')}]`] : []),
    ...(source.union_by_name && heads.length > 1 ? ['union_by_name = true'] : []),
    ...(columns === null ? [] : [`auto_detect = false`, `columns = ${struct(columns)}`]),
  ]
  return `read_csv(${pathList(heads.map(({ file }) => file))}, ${options.join(', ')}${extra})`
}

/** Which counts. */
const longestLineEnd = 2

/** As DuckDB writes them. */
const lineEndNames = { '\n': String.raw`\n`, '\r\n': String.raw`\r\n`, '\r': String.raw`\r` } as const

function struct(columns: readonly Column[]): string {
  return `{${columns.map((column) => `${text(column.name)}: 'VARCHAR'`).join(', ')}}`
}
