import type { Column } from '../../contract/common.ts'
import type { FilesSource } from '../../language/task/sources/source.types.ts'
import { escapeGlob, name, text } from '../engine/sql-text.ts'
import { longestCsvRow } from '../formats/csv/faults.ts'
import type { CsvHead, HeadedSource } from '../formats/csv/head.types.ts'

/** Files as DuckDB reads them, in its SQL. */

export function pathList(files: readonly string[]): string {
  return `[${files.map(escapeGlob).map(text).join(', ')}]`
}

/** All of the files, CSV or Parquet, as one relation, with the columns that DuckDB finds in them. `extra`: further options for CSV. */
export function readerOf(source: HeadedSource, files: readonly string[], { extra }: { extra?: string } = {}): string {
  const byName = source.union_by_name ? ', union_by_name = true' : ''
  if (source.format === 'parquet') return `read_parquet(${pathList(files)}${byName}, hive_partitioning = false)`
  return csvSql(source, files, { extra })
}

/**
 * CSV files with every column as text. Files are not looked at a second time, unless they may differ in their headers: what was found is
 * said.
 */
export function csvTexts(source: HeadedSource, files: readonly string[], columns: readonly Column[] | null): CsvTexts {
  const { own } = source
  const read = (extra: string): string => {
    if (columns !== null && (files.length === 1 || !source.union_by_name))
      return csvSql(source, files, { extra, columns })
    if (own === undefined) return csvSql(source, files, { extra: `${extra}, all_varchar = true` })
    const readers = files.map((file) => csvSql(source, [file], { extra, columns: own.get(file) ?? null }))
    return readersSql(source, readers)
  }
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

export interface CsvReading {
  extra?: string | undefined
  /** Where they are known, nothing is found out, and all are read as text; in the order of the file. */
  columns?: readonly Column[] | null
}

/** Files that begin in another way than the one before, by other lines or another line end, are read by a reader of their own. */
export function csvSql(source: HeadedSource, files: readonly string[], reading: CsvReading = {}): string {
  return readersSql(source, csvReaders(source, files, reading))
}

/** The same one by one. */
export function csvReaders(source: HeadedSource, files: readonly string[], reading: CsvReading = {}): string[] {
  const headed = files.map((file) => {
    const head = source.heads?.get(file)
    if (!head) throw new Error(`The head of ${file} is not known`)
    return { file, head }
  })
  // Those with a header alone have no rows, and would make text of the columns of all.
  const some = source.union_by_name || !source.csv?.header ? [] : headed.filter(({ head }) => !head.isAlone)
  const groups: { head: CsvHead; files: string[] }[] = []
  for (const { file, head } of some.length > 0 ? some : headed) {
    const group = groups.at(-1)
    if (group?.head.skip === head.skip && group.head.end === head.end) {
      group.files.push(file)
      group.head = { ...head, longest: Math.max(group.head.longest, head.longest) }
    } else groups.push({ head, files: [file] })
  }
  return groups.map((group) => csvReader(source, group, reading))
}

/** The rows of all of them, in their order. */
export function readersSql({ union_by_name: byName }: FilesSource, readers: readonly string[]): string {
  if (readers.length === 1) return readers.join('')
  return `(${readers.map((reader) => `FROM ${reader}`).join(` UNION ALL${byName ? ' BY NAME' : ''} `)})`
}

function csvReader(
  source: FilesSource,
  { head, files }: { head: CsvHead; files: readonly string[] },
  { extra = '', columns = null }: CsvReading,
): string {
  const csv = source.csv
  if (!csv) throw new Error('A CSV source without CSV options')
  const options = [
    `delim = ${text(csv.delimiter)}`,
    `quote = ${text(csv.quote)}`,
    `escape = ${text(csv.escape)}`,
    `header = ${csv.header}`,
    `skip = ${head.skip}`,
    `encoding = ${text(csv.encoding)}`,
    `comment = ''`,
    `hive_partitioning = false`,
    `buffer_size = ${bufferBytes(head.longest)}`,
    ...(head.end === '' ? [] : [`new_line = ${text(lineEndNames[head.end])}`]),
    `nullstr = [${(csv.null_values.length > 0 ? csv.null_values : [noNull]).map(text).join(', ')}]`,
    ...(source.union_by_name && files.length > 1 ? ['union_by_name = true'] : []),
    ...(columns === null ? [] : [`auto_detect = false`, `columns = ${struct(columns)}`]),
  ]
  return `read_csv(${pathList(files)}, ${options.join(', ')}${extra})`
}

/** Without any word DuckDB takes empty text for NULL. No file has this one. */
const noNull = '\u0001'

/** Which counts. */
const longestLineEnd = 2
const leastBuffer = 65_536

/**
 * DuckDB's own are 32 MB: to get their memory from the system takes longer than to find the first rows in them. Each reader has some while
 * it finds the types: many readers of small files must not need the memory of large ones.
 */
const bufferBytes = (longest: number): number =>
  Math.min(longestCsvRow, Math.max(leastBuffer, longest)) + longestLineEnd

/** As DuckDB writes them. */
const lineEndNames = { '\n': String.raw`\n`, '\r\n': String.raw`\r\n`, '\r': String.raw`\r` } as const

function struct(columns: readonly Column[]): string {
  return `{${columns.map((column) => `${text(column.name)}: 'VARCHAR'`).join(', ')}}`
}
