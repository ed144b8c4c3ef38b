import type { Column } from '../../contract/common.ts'
import type { FilesSource } from '../../language/task/sources/source.types.ts'
import type { OpenedFile } from '../connectors/file-store.types.ts'
import { EngineError } from '../engine/errors.ts'
import type { OpenOptions, StageContext } from '../engine/lane.types.ts'
import { castColumns, quarantineCasts } from '../engine/cast-columns.ts'
import { strictCast, type CastTarget } from '../engine/casts.ts'
import { withoutFetched } from '../engine/fetched.ts'
import { duckDbType, name, refuseDuplicates, text } from '../engine/sql-text.ts'
import { tableStream, type RowStream } from '../engine/stream.ts'
import { keepWholeRows } from './files-cut.ts'
import { requireSameColumns } from './files-columns.ts'
import { checkEnds, refuseEmpty } from './files-ends.ts'
import { csvSql, readerOf } from './files-sql.ts'
import { readJsonLinesLeniently } from './json-lines.ts'
import { readXlsx } from './xlsx.ts'

/** Also used by the connectors' resource browser. */
export async function openFiles(
  source: FilesSource,
  opened: readonly OpenedFile[],
  context: StageContext,
  options: OpenOptions,
): Promise<RowStream> {
  // Links may lead to the same file.
  const distinct = [...new Map(opened.map((file) => [file.local, file])).values()]
  const files = distinct.map(({ local }) => local)
  // A preview shows the first rows: what the rest of a file is like is for the run to find out.
  if (options.limit === null) checkFiles(source, files, opened, context)
  if (source.format === 'xlsx') return openXlsx(source, opened, context, options)
  for (const { local, cut } of opened) if (cut) await keepWholeRows(local, source.csv)
  await refuseEmpty(source, files, context)
  if (source.on_error === 'quarantine' && source.format === 'csv') return quarantineCsv(source, files, context, options)
  if (source.on_error === 'quarantine' && source.format === 'jsonl') {
    return readJsonLinesLeniently(distinct, context, (clean) => scan(source, clean, context, options))
  }
  return scan(source, files, context, options)
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
): Promise<RowStream> {
  const requireNoOthers = await requireSameColumns(source, files, context)
  const reader = await readerOf(source, files)
  const columns = await named(await sniff(source, files, context, reader), source, context)
  await requireNoOthers(columns)
  // A single CSV file is not sniffed a second time: what was found is said. Several files may differ in their headers.
  const settled = source.format === 'csv' && files.length === 1 ? csvSql(source, files, '', columns) : reader
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
  await requireSameColumns(source, files, context)
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
