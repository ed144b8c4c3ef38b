import { stat } from 'node:fs/promises'
import type { Column } from '../../contract/common.ts'
import type { ColumnType } from '../../language/task/column-types.ts'
import type { FilesSource } from '../../language/task/sources/source.types.ts'
import type { OpenedFile } from '../connectors/file-store.types.ts'
import { EngineError } from '../engine/errors.ts'
import type { OpenOptions, StageContext } from '../engine/lane.types.ts'
import { castColumns, quarantineCasts } from '../engine/cast-columns.ts'
import { strictCast, type CastTarget } from '../engine/casts.ts'
import { withoutFetched } from '../engine/fetched.ts'
import { duckDbType, escapeGlob, name, refuseDuplicates, text } from '../engine/sql-text.ts'
import { tableStream, type RowStream } from '../engine/stream.ts'
import { keepWholeRows } from './files-cut.ts'
import { checkEnds, firstCharacter, refuseEmpty } from './files-ends.ts'
import { readJsonLinesLeniently } from './json-lines.ts'
import { readXlsx } from './xlsx.ts'

/** Also used by the connectors' resource browser. */
export async function openFiles(
  source: FilesSource,
  opened: readonly OpenedFile[],
  context: StageContext,
  options: OpenOptions,
): Promise<RowStream> {
  const files = [...new Set(opened.map(({ local }) => local))] // links may lead to the same file
  // A preview shows the first rows: what the rest of a file is like is for the run to find out.
  if (options.limit === null) checkFiles(source, files, opened, context)
  if (source.format === 'xlsx') return openXlsx(source, opened, context, options)
  for (const { local, cut } of opened) if (cut) await keepWholeRows(local, source.csv)
  await refuseEmpty(source, files, context)
  if (source.on_error === 'quarantine' && source.format === 'csv') return quarantineCsv(source, files, context, options)
  if (source.on_error === 'quarantine' && source.format === 'jsonl') {
    return readJsonLinesLeniently(source, files, context, (clean) => scan(source, clean, context, options, ''))
  }
  return scan(source, files, context, options, '')
}

function checkFiles(
  source: FilesSource,
  files: readonly string[],
  opened: readonly OpenedFile[],
  context: StageContext,
): void {
  const ends = checkEnds(source, files, context)
  if (ends) context.beforeCommit(ends)
  context.beforeCommit({
    async holds() {
      for (let at = 0; at < opened.length; at += verifiedAtOnce)
        await Promise.all(opened.slice(at, at + verifiedAtOnce).map((file) => file.verify()))
    },
  })
}

const verifiedAtOnce = 50

async function openXlsx(
  source: FilesSource,
  opened: readonly OpenedFile[],
  context: StageContext,
  options: OpenOptions,
): Promise<RowStream> {
  const stream = await readXlsx(source, opened, context, options)
  const columns = await named(stream.columns, source, context)
  const casts = castsOf(source, columns)
  if (casts.size === 0) return stream
  return source.on_error === 'quarantine'
    ? quarantineCasts(stream, context, casts)
    : castColumns(stream, 0, casts, false)
}

async function scan(
  source: FilesSource,
  files: string[],
  context: StageContext,
  { limit }: OpenOptions,
  extra: string,
): Promise<RowStream> {
  const reader = readerSql(source, files, extra, await largest(files), await areLists(source, files))
  const columns = await named(await sniff(source, files, context, reader), source, context)
  // A single CSV file is not sniffed a second time: what was found is said. Several files may differ in their headers.
  const settled =
    source.format === 'csv' && files.length === 1 && extra === '' ? csvSql(source, files, '', columns) : reader
  const fields = await readFields(source, columns, context, settled)
  const sql = `${fields.sql} FROM ${settled}${limit === null ? '' : ` LIMIT ${limit}`}`
  const stream: RowStream = {
    sql,
    columns: fields.columns,
    rows: null,
    open: [{ kind: 'scan', stage: 0, sql }],
    trail: [{ stage: 0, sql }],
  }
  // Unnested records are not what the scan counts, so they are put down at once.
  return source.records === null ? stream : context.materialise(stream)
}

/** A faulty row must not keep the columns from being known: it is to be reported with its line, by the reading itself. */
async function sniff(
  source: FilesSource,
  files: string[],
  { session }: StageContext,
  reader: string,
): Promise<Column[]> {
  try {
    return await session.describe(`SELECT * FROM ${reader}`)
  } catch (error) {
    if (source.format !== 'csv' || !(error instanceof EngineError) || error.code === 'CANCELLED') throw error
    for (const file of files) {
      const columns = await session.describe(`SELECT * FROM ${csvSql(source, [file], ', ignore_errors = true', null)}`)
      if (files.length === 1) return columns
      // Of several files, the one with the fault says its line when it is read by itself.
      await session.rows(`SELECT count(*) FROM (SELECT hash(COLUMNS(*)) FROM ${csvSql(source, [file], '', columns)})`)
    }
    throw error
  }
}

async function largest(files: string[]): Promise<number> {
  return Math.max(...(await Promise.all(files.map(async (file) => (await stat(file)).size))))
}

async function areLists(source: FilesSource, files: string[]): Promise<boolean> {
  if (source.format !== 'json' || source.records !== null) return false
  for (const file of files) if ((await firstCharacter(file).catch(() => null)) !== 0x5b) return false
  return true
}

function pathList(files: string[]): string {
  return `[${files.map(escapeGlob).map(text).join(', ')}]`
}

function readerSql(source: FilesSource, files: string[], extra: string, bytes: number, lists: boolean): string {
  const byName = source.union_by_name ? ', union_by_name = true' : ''
  if (source.format === 'parquet') return `read_parquet(${pathList(files)}${byName}, hive_partitioning = false)`
  if (source.format === 'csv') return csvSql(source, files, extra, null)
  // A record may be as long as the file.
  const size = `maximum_object_size = ${Math.min(Math.max(bytes + 1, 16_777_216), 1_073_741_824)}`
  const options = `${pathList(files)}, ${size}${byName}, hive_partitioning = false`
  if (source.format === 'jsonl') return `read_json(${options}, format = 'newline_delimited')`
  // Left to itself DuckDB takes a list with anything before or behind it for one record.
  if (source.records === null) return `read_json(${options}, format = '${lists ? 'array' : 'auto'}')`
  const path = source.records.split('.').map(name).join('.')
  return `(SELECT record.* FROM (SELECT unnest(${path}) AS record FROM read_json(${options}, format = 'unstructured')))`
}

const encodings = { 'utf-8': 'utf-8', 'utf-16': 'utf-16', 'latin-1': 'latin-1' } as const

function csvSql(source: FilesSource, files: string[], extra: string, columns: Column[] | null): string {
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
    ...(csv.null_values.length > 0 ? [`nullstr = [${csv.null_values.map(text).join(', ')}]`] : []),
    ...(source.union_by_name ? ['union_by_name = true'] : []),
    ...(columns === null ? knownTypes(source) : [`auto_detect = false`, `columns = ${struct(columns)}`]),
  ]
  return `read_csv(${pathList(files)}, ${options.join(', ')}${extra})`
}

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

/** Columns as the file has them, with names that every database can take. */
async function named(columns: Column[], source: FilesSource, context: StageContext): Promise<Column[]> {
  refuseDuplicates(columns.map((column) => column.name))
  for (const wanted of Object.keys(source.columns)) {
    if (!columns.some((column) => column.name.toLowerCase() === wanted.toLowerCase())) {
      context.log('warn', `The files have no column \`${wanted}\`; its type under \`columns\` is not used`)
    }
  }
  return columns
}

/** Types that the task sets and the reader did not give: these are cast to, with a clear failure. */
async function readFields(
  source: FilesSource,
  columns: Column[],
  { session }: StageContext,
  reader: string,
): Promise<{ sql: string; columns: Column[] }> {
  const casts = castsOf(source, columns)
  if (casts.size === 0) return { sql: 'SELECT *', columns }
  const replaced = [...casts.values()].map((cast) => `${strictCast(cast)} AS ${name(cast.column)}`)
  const sql = `SELECT * REPLACE (${replaced.join(', ')})`
  return { sql, columns: await session.describe(`${sql} FROM ${reader}`) }
}

function castsOf(source: FilesSource, columns: Column[]): Map<string, CastTarget> {
  const given = new Map(Object.entries(source.columns).map(([column, type]) => [column.toLowerCase(), type]))
  return new Map(
    columns.flatMap((column) => {
      const type = given.get(column.name.toLowerCase())
      if (type === undefined || duckDbType(type) === column.type) return []
      return [[column.name, { column: column.name, from: column.type, type, to: duckDbType(type) }] as const]
    }),
  )
}

/** Rows that do not read go to the rejects, with line and reason; the others go on. */
async function quarantineCsv(
  source: FilesSource,
  files: string[],
  context: StageContext,
  { limit }: OpenOptions,
): Promise<RowStream> {
  const { session } = context
  const described = await session.describe(`SELECT * FROM ${csvSql(source, files, ', ignore_errors = true', null)}`)
  const columns = await named(described, source, context)
  const [errors, scans] = [session.newName('errors'), session.newName('scans')]
  const store = `, store_rejects = true, rejects_table = ${text(errors)}, rejects_scan = ${text(scans)}`
  const reader = files.length === 1 ? csvSql(source, files, store, columns) : csvSql(source, files, store, null)
  const table = session.newName('stage')
  const rows = await session.createTable(table, `SELECT * FROM ${reader}${limit === null ? '' : ` LIMIT ${limit}`}`)
  await sendCsvErrors(errors, scans, source, context)
  const casts = castsOf(source, columns)
  const stream = tableStream(table, columns, rows)
  return casts.size === 0 ? stream : quarantineCasts(stream, context, casts)
}

/** A line may have several faults; it is one reject. */
async function sendCsvErrors(errors: string, scans: string, source: FilesSource, context: StageContext): Promise<void> {
  const faults = await context.session.rows(
    `SELECT s.file_path, e.line, any_value(e.csv_line), string_agg(DISTINCT e.error_message, '; ')
     FROM ${name(errors)} e JOIN ${name(scans)} s USING (scan_id, file_id)
     GROUP BY s.file_path, e.line ORDER BY s.file_path, e.line`,
  )
  const entries = faults.map(([file, line, content, message]) => ({
    reason: `${withoutFetched(String(file), context.tempDir)}, line ${String(line)}: ${csvFault(String(message), source)}`,
    row: { line, text: typeof content === 'string' ? content : '' },
  }))
  await context.rejectEntries(entries)
  if (entries.length > 0)
    context.log('warn', `${entries.length.toLocaleString('en')} lines could not be read and were rejected`)
}

function csvFault(message: string, source: FilesSource): string {
  const counts = /Expected Number of Columns: (\d+) Found: (\d+)/.exec(message)
  if (counts) return `the row has ${counts[2]} fields, the header has ${counts[1]}`
  const convert = /Error when converting column "(.*?)"\. Could not convert string "([\s\S]*?)" to '(.*?)'/.exec(
    message,
  )
  if (convert)
    return `column \`${convert[1]}\` holds “${convert[2]}”, which is no ${source.columns[convert[1] ?? ''] ?? convert[3]}`
  if (/Invalid unicode/i.test(message)) return 'the text is not valid UTF-8'
  return message.replace(/\s+/g, ' ').trim()
}
