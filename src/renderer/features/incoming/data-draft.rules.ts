/** The text of a task that reads a file: what the preview in the dialog runs, and the draft that the editor opens with. Pure. */
import type { sqlDatabases } from '../../../language/task/connector-slots.ts'
import type { Column } from '../../../contract/common.ts'
import { columnTypeOf, parseColumnType } from '../../../language/task/column-types.ts'
import { formatOfPath } from '../../../language/task/file-paths.ts'
import type { RowsFormat } from './file-kind.rules.ts'
import type { ColumnWriting, NumberStyle, Written } from './written-sniff.rules.ts'
import type { Encoding } from './text-sniff.rules.ts'

export interface ReadChoice {
  format: RowsFormat
  /** Pattern below the connector's folder; of files. */
  glob: string
  misnamed: boolean
  delimiter: string
  header: boolean
  /** Lines of delimited text, or rows of a sheet, above the header. */
  skip: number
  encoding: Encoding
  /** Empty: none. */
  quote: string
  /** Of delimited text: how its values are written. */
  written: Pick<Written, 'numbers' | 'date' | 'datetime' | 'columns'>
  /** Of JSON; null: the document is the list. */
  records: string | null
  /** Rows that cannot be read are set aside. */
  quarantine: boolean
  /** Of Excel; null: the first. */
  sheet: string | null
  /** Of a database. */
  table: string | null
}

export type WriteChoice =
  | { kind: 'file'; path: string }
  | { kind: 'table'; type: (typeof sqlDatabases)[number]; table: string }

export interface DraftParts {
  name: string
  description: string
  read: ReadChoice
  write: WriteChoice
  columns: readonly Column[]
}

export const sourceSlot = 'source_data'
export const targetSlot = 'target_data'

const isDatabase = (format: RowsFormat): format is 'sqlite' | 'duckdb' => format === 'sqlite' || format === 'duckdb'

/** A text as YAML, in one line, whatever characters it has. */
export function yamlText(text: string): string {
  const plain =
    /^[A-Za-z_][\w ./-]*$/.test(text) && !text.endsWith(' ') && !/^(true|false|null|yes|no|on|off|y|n)$/i.test(text)
  if (plain) return text
  // What JSON leaves as it is and YAML takes for a line end or refuses.
  const odd = /[\u0085\u2028\u2029\uFEFF\uFFFE\uFFFF]/g
  return JSON.stringify(text).replaceAll(odd, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** The name of a table as a task writes it. */
export const tableText = (name: string) => (/[".'`;]|^\s|\s$/.test(name) ? `"${name.replaceAll('"', '""')}"` : name)

/** Formats whose single rows may be set aside. */
export const mayQuarantine = (format: RowsFormat) => format === 'csv' || format === 'jsonl' || format === 'xlsx'

const markItems = ({ decimal, thousands }: NumberStyle) => [
  ...(decimal === '.' ? [] : [`decimal: ${JSON.stringify(decimal)}`]),
  ...(thousands === null ? [] : [`thousands: ${JSON.stringify(thousands)}`]),
]

function writingText(writing: ColumnWriting): string {
  if (writing.kind === 'text') return 'string'
  if (writing.kind !== 'number') return `{type: ${writing.kind}, format: ${JSON.stringify(writing.pattern)}}`
  // Said also where it is what the language does: the file may say something else.
  const { decimal, thousands } = writing
  const group = thousands === null ? '' : `, thousands: ${JSON.stringify(thousands)}`
  return `{type: number, decimal: ${JSON.stringify(decimal)}${group}}`
}

function sourceLines(read: ReadChoice): string[] {
  if (isDatabase(read.format)) {
    return [`  sql: {table: ${yamlText(tableText(read.table ?? ''))}}`]
  }
  const standard = formatOfPath(read.glob).delimiter
  const csv = [
    ...(read.delimiter === standard ? [] : [`delimiter: ${JSON.stringify(read.delimiter)}`]),
    ...(read.skip === 0 ? [] : [`skip_lines: ${read.skip}`]),
    ...(read.header ? [] : ['header: false']),
    ...(read.encoding === 'utf-8' ? [] : [`encoding: ${read.encoding}`]),
    ...(read.quote === '"' ? [] : [`quote: ${JSON.stringify(read.quote)}`, `escape: ${JSON.stringify(read.quote)}`]),
    ...markItems(read.written.numbers),
    ...(read.written.date === null ? [] : [`date_format: ${JSON.stringify(read.written.date)}`]),
    ...(read.written.datetime === null ? [] : [`datetime_format: ${JSON.stringify(read.written.datetime)}`]),
  ]
  const columns = Object.entries(read.written.columns).map(
    ([name, writing]) => `      ${yamlText(name)}: ${writingText(writing)}`,
  )
  const xlsx = [
    ...(read.sheet === null ? [] : [`sheet: ${yamlText(read.sheet)}`]),
    ...(read.skip === 0 ? [] : [`skip_rows: ${read.skip}`]),
    ...(read.header ? [] : ['header: false']),
  ]
  return [
    '  files:',
    `    glob: ${yamlText(read.glob)}`,
    ...(read.misnamed || formatOfPath(read.glob).format !== read.format ? [`    format: ${read.format}`] : []),
    ...(read.glob.startsWith('{') ? ['    union_by_name: true'] : []),
    ...(read.format === 'csv' && csv.length > 0 ? [`    csv: {${csv.join(', ')}}`] : []),
    ...(read.format === 'csv' && columns.length > 0 ? ['    columns:', ...columns] : []),
    ...(read.format === 'xlsx' && xlsx.length > 0 ? [`    xlsx: {${xlsx.join(', ')}}`] : []),
    ...(read.format === 'json' && read.records !== null ? [`    records: ${read.records}`] : []),
    ...(read.quarantine && mayQuarantine(read.format) ? ['    on_error: quarantine'] : []),
  ]
}

/** The type that a cast holds a column to; null: text, documents, and integers that need more than 64 bits. */
function castOf(stored: string): string | null {
  if (/^(UBIGINT|U?HUGEINT)$/i.test(stored)) return null
  const type = columnTypeOf(stored)
  return type === 'string' || type === 'json' || type === 'binary' ? null : parseColumnType(type)
}

/** More columns than anybody reads are not written down. */
const mostColumns = 60
/** A line of columns may be so long. */
const lineWidth = 64
/** So many stand each on its own line. */
const shortList = 20

function wrapped(items: readonly string[], indent: string): string[] {
  const lines: string[] = []
  for (const item of items) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + item.length + 2 <= lineWidth) lines[lines.length - 1] = `${last}, ${item}`
    else lines.push(`${indent}${item}`)
  }
  return lines.map((line, at) => (at < lines.length - 1 ? `${line},` : line))
}

/** The first step: types that were found are held from now on; where all have theirs, the columns are chosen. */
function stepLines({ read, columns }: DraftParts, comments: DraftComments): string[] {
  const unwritable = columns.some(({ name }) => name.includes('{{'))
  if (columns.length === 0 || columns.length > mostColumns || unwritable) return []
  const guessed = read.format === 'csv' || read.format === 'json' || read.format === 'jsonl' || read.format === 'xlsx'
  const types = columns.flatMap(({ name, type }) => {
    // The language has no such key, so that this column keeps the type that was found.
    const found = guessed && name !== '__proto__' ? castOf(type) : null
    return found === null ? [] : [`${yamlText(name)}: ${found}`]
  })
  // A name with a line break would end the comment, and the rest of it would be part of the task.
  const inOneLine = columns.filter(({ name }) => !/[\p{Cc}\u2028\u2029]/u.test(name))
  const next = inOneLine.length > 0 ? [`  # - filter: ${filterOf(inOneLine)}   # ${comments.filter}`] : []
  if (types.length > 0) {
    const listed =
      types.length <= shortList
        ? ['  - cast:', ...types.map((type) => `      ${type}`)]
        : ['  - cast: {', ...wrapped(types, '      '), '    }']
    return ['steps:', ...listed.map((line, at) => (at === 0 ? `${line}   # ${comments.types}` : line)), ...next]
  }
  const names = columns.map(({ name }) => yamlText(name))
  return ['steps:', `  - select: [   # ${comments.columns}`, ...wrapped(names, '      '), '    ]', ...next]
}

const sqlName = (name: string) => (/^[A-Za-z_]\w*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`)

/** A condition that these columns can have, for a hand that has not written one yet. */
function filterOf(columns: readonly Column[]): string {
  const number = columns.find(({ type }) => /^(DOUBLE|FLOAT|DECIMAL)/i.test(type))
  const name = sqlName((number ?? columns[0])?.name ?? '')
  return number ? `${name} > 0` : `${name} IS NOT NULL`
}

/** What the draft says of itself, in the language of the window. */
export interface DraftComments {
  types: string
  columns: string
  filter: string
}

const sourceTypes = (read: ReadChoice) => (isDatabase(read.format) ? read.format : 'file')

function targetLines(write: WriteChoice): string[] {
  if (write.kind === 'file') return [`  file: {path: ${yamlText(write.path)}}`]
  return [`  table: ${yamlText(tableText(write.table))}`, '  mode: replace']
}

/** Reads alone, for the rows in the dialog. The target is never reached by a preview. */
export const previewText = (read: ReadChoice) =>
  [
    'etl: 1',
    'kind: pipeline',
    'name: preview',
    'connectors:',
    `  ${sourceSlot}: {type: ${sourceTypes(read)}, access: read}`,
    `  ${targetSlot}: {type: file, access: write}`,
    'source:',
    `  connector: ${sourceSlot}`,
    ...sourceLines(read),
    'target:',
    `  connector: ${targetSlot}`,
    '  file: {path: preview.csv}',
    '',
  ].join('\n')

/** Values as the language writes them. */
export const asUsual: ReadChoice['written'] = {
  numbers: { decimal: '.', thousands: null },
  date: null,
  datetime: null,
  columns: {},
}

/** The tables of a database, by a preview of a query: nothing has to be saved to see them. */
export const tablesText = (type: 'sqlite' | 'duckdb') =>
  previewText({
    format: type,
    glob: '',
    misnamed: false,
    delimiter: ',',
    header: true,
    skip: 0,
    encoding: 'utf-8',
    quote: '"',
    written: asUsual,
    records: null,
    quarantine: false,
    sheet: null,
    table: '',
  }).replace(
    /^ {2}sql: .*$/m,
    type === 'sqlite'
      ? `  sql: {query: "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\\\_%' ESCAPE '\\\\' ORDER BY name"}`
      : `  sql: {query: "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'main' ORDER BY 1"}`,
  )

/** The file that is written lies where the one that is read does: one slot is enough. */
export const writesBeside = (read: ReadChoice, write: WriteChoice) => write.kind === 'file' && !isDatabase(read.format)

/** The draft of a task: source, types, target. */
export function draftText(parts: DraftParts, comments: DraftComments): string {
  const { name, description, read, write } = parts
  const both = writesBeside(read, write)
  return [
    'etl: 1',
    'kind: pipeline',
    `name: ${yamlText(name)}`,
    `description: ${yamlText(withoutExpressions(description))}`,
    'connectors:',
    `  ${sourceSlot}: {type: ${sourceTypes(read)}, access: ${both ? 'read_write' : 'read'}}`,
    ...(both ? [] : [`  ${targetSlot}: {type: ${write.kind === 'file' ? 'file' : write.type}, access: write}`]),
    'source:',
    `  connector: ${sourceSlot}`,
    ...sourceLines(read),
    ...stepLines(parts, comments),
    'target:',
    `  connector: ${both ? sourceSlot : targetSlot}`,
    ...targetLines(write),
    '',
  ].join('\n')
}

/** A file's name without what its endings say; `orders 2026` of `orders 2026.csv.gz`. */
export const stemOf = (name: string) =>
  name
    .replace(/\.(gz|zst)$/i, '')
    .replace(/\.(csv|tsv|tab|psv|txt|json|jsonl|ndjson|parquet|pq|xlsx|xlsm|db|sqlite3?|duckdb)$/i, '')

const withoutExpressions = (text: string) => text.replaceAll(/\$?\{\{|\}\}/g, ' ')

/** What a task of this file is called: what a name may hold, of any length that fits. */
export function taskNameOf(stem: string): string {
  const clean = Array.from(
    withoutExpressions(stem)
      .replaceAll(/\p{Cc}/gu, ' ')
      .trim(),
  )
    .slice(0, 180)
    .join('')
    .trim()
  return clean === '' ? 'data' : clean
}

/** The name of a table for these rows: letters, digits and `_`, as every database takes it. */
export function tableNameOf(stem: string): string {
  const plain = stem
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, 60)
  return plain === '' ? 'data' : /^\d/.test(plain) ? `t_${plain}` : plain
}

/** The file that is written beside the one that is read; its own name, so that no pattern of the source takes it. */
export const outputPathOf = (way: string, stem: string) => {
  const folder = way.slice(0, way.lastIndexOf('/') + 1).replaceAll(/[*?[\]{}]/g, '_')
  return `${/^[~/]|\$\{\{|:/.test(folder) ? '' : folder}${tableNameOf(stem)}.clean.parquet`
}
