import type { Column } from '../../contract/common.ts'
import type { FilesSource } from '../../language/task/sources/source.types.ts'
import type { OpenedFile } from '../connectors/stores/store.types.ts'
import { EngineError, asEngineError } from '../engine/errors.ts'
import { withoutFetched } from '../engine/fetched.ts'
import type { OpenOptions, StageContext } from '../engine/lane.types.ts'
import { castColumns, quarantineCasts, triedFirst } from '../engine/cast-columns.ts'
import { rowMark, storedMark, strictCast, textMark } from '../engine/cast-faults.ts'
import type { CastTarget } from '../engine/casts.ts'
import { name } from '../engine/sql-text.ts'
import { untypedStream, type RowStream } from '../engine/stream.ts'
import { checkRows } from '../formats/csv/checks.ts'
import { refuseLostRows, withHeads, withSeparator } from '../formats/csv/head.ts'
import type { HeadedSource } from '../formats/csv/head.types.ts'
import { noteHeader } from '../formats/csv/header.ts'
import { joinedColumns } from '../formats/csv/joined.ts'
import { csvExplainer, csvPlaces } from '../formats/csv/places.ts'
import { quarantineCsv } from '../formats/csv/quarantine.ts'
import { csvColumns } from '../formats/csv/types.ts'
import { keepWholeRows } from './files-cut.ts'
import { explainer } from './files-faults.ts'
import { readJsonFiles } from '../formats/json/read.ts'
import { requireSameColumns } from './files-columns.ts'
import { checkEnds, withoutEmpty } from './files-ends.ts'
import { csvReaders, csvTexts, readerOf } from './files-sql.ts'
import { castsOf, declaredColumns, named } from './files-types.ts'
import { refuseDeep } from '../formats/parquet/depth.ts'
import { parquetExplainer } from './parquet-places.ts'
import { parquetReading } from './parquet-types.ts'
import { inUtf8 } from './files-recode.ts'
import { unpackUnusual } from './files-unpack.ts'
import { readXlsx } from '../formats/xlsx/read.ts'
import { runMessage } from '../../contract/run-messages.ts'

/** Also used by the connectors' resource browser. */
export async function openFiles(
  written: FilesSource,
  given: readonly OpenedFile[],
  context: StageContext,
  options: OpenOptions,
): Promise<RowStream> {
  const most = options.limit === null ? null : previewedBytes(written)
  const { source: read, opened } = await inUtf8(written, given, context, most)
  // Links may lead to the same file.
  const distinct = [...new Map(opened.map((file) => [file.local, file])).values()]
  const source = await withSeparator(read, distinct, context)
  const files = distinct.map(({ local }) => local)
  const explain = explainer(source, files, context)
  // A preview shows the first rows: what the rest of a file is like is for the run to find out.
  if (options.limit === null) await checkFiles(source, files, opened, context, explain)
  try {
    return await openReader(source, opened, distinct, context, options)
  } catch (thrown) {
    const error = damaged(source, files, asEngineError(thrown), context)
    throw options.limit === null ? error : await explain(error)
  }
}

/** Of the metadata of a Parquet file DuckDB may say nothing but that it has met something that cannot be. */
function damaged(
  { format }: FilesSource,
  [file = '', ...others]: readonly string[],
  error: EngineError,
  { tempDir }: StageContext,
): EngineError {
  if (format !== 'parquet' || error.code !== 'INTERNAL_ERROR') return error
  const shown = others.length === 0 ? withoutFetched(file, tempDir) : 'One of the Parquet files'
  return new EngineError('FILE_UNREADABLE', runMessage('parquet_metadata_damaged', { shown }), {
    hint: runMessage('parquet_metadata_damaged_fix'),
    cause: error,
  })
}

async function openReader(
  given: FilesSource,
  opened: readonly OpenedFile[],
  distinct: readonly OpenedFile[],
  context: StageContext,
  options: OpenOptions,
): Promise<RowStream> {
  if (given.format === 'xlsx') return openXlsx(given, opened, context, options)
  const most = options.limit === null ? null : previewedBytes(given)
  const unpacked = await unpackUnusual(distinct, context, most)
  const { source, files: readable } = await withHeads(given, unpacked, context, most)
  for (const { local, cut } of readable) if (cut) await keepWholeRows(local, source.csv)
  const files = await withoutEmpty(
    source,
    readable.map(({ local }) => local),
    context,
  )
  if (files.length === 0) return noRows(source)
  if (options.limit === null) await refuseLostRows(source, files, context)
  if (source.format === 'json' || source.format === 'jsonl')
    return readJsonFiles(
      source,
      readable.filter(({ local }) => files.includes(local)),
      context,
      options,
    )
  if (source.format === 'parquet') for (const file of files) await refuseDeep(file, context.tempDir)
  if (source.on_error === 'quarantine' && source.format === 'csv') return quarantineCsv(source, files, context, options)
  return scan(source, files, context, options)
}

/** Of the columns that the task declares. */
export function noRows(source: FilesSource): RowStream {
  return untypedStream(declaredColumns(source))
}

async function checkFiles(
  source: FilesSource,
  files: readonly string[],
  opened: readonly OpenedFile[],
  context: StageContext,
  explain: (error: EngineError) => Promise<EngineError>,
): Promise<void> {
  const ends = checkEnds(source, files, context)
  if (ends) context.beforeCommit(ends)
  const rows = await checkRows(source, files, context)
  if (rows) context.beforeCommit(rows)
  context.beforeCommit({
    async holds() {
      for (let at = 0; at < opened.length; at += verifiedAtOnce)
        await Promise.all(opened.slice(at, at + verifiedAtOnce).map((file) => file.verify()))
    },
    explain,
  })
}

const verifiedAtOnce = 50

/** null: it takes a whole file to read its first rows. */
function previewedBytes({ format }: FilesSource): number | null {
  return format === 'json' ? null : 4 * 1024 * 1024
}

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
    : castColumns(stream, 0, casts, false, rowMark)
}

async function scan(
  given: HeadedSource,
  files: string[],
  context: StageContext,
  { limit }: OpenOptions,
): Promise<RowStream> {
  await requireSameColumns(given, files, context)
  const parquet = given.format === 'parquet' ? await parquetReading(given, files, context, limit) : null
  const reader = parquet?.sql ?? readerOf(given, files)
  const { source, columns: found } = await sniff(given, files, context, reader)
  const columns = await named(found, source, context)
  await noteHeader(source, files, columns, context)
  if (source.csv) return scanCsv(source, files, columns, context, limit)
  const fields = await readFields(source, columns, context, reader)
  const casts = new Map([...(parquet?.casts ?? []), ...fields.casts])
  if (source.format === 'parquet')
    context.beforeCommit({ holds: async () => undefined, explain: parquetExplainer(source, files, casts, context) })
  return scanned(`${fields.sql} FROM ${reader}${limit === null ? '' : ` LIMIT ${limit}`}`, fields.columns)
}

function scanned(sql: string, columns: Column[]): RowStream {
  return { sql, columns, rows: null, open: [{ kind: 'scan', stage: 0, sql }], trail: [{ stage: 0, sql }] }
}

async function scanCsv(
  source: HeadedSource,
  files: string[],
  columns: Column[],
  context: StageContext,
  limit: number | null,
): Promise<RowStream> {
  const { inOrder, split } = csvTexts(source, files, columns)
  const all = limit !== null || context.inOrder ? inOrder : split
  const { casts, reader, untyped } = await csvColumns(
    source,
    columns,
    { first: inOrder, all, files, of: (file, own) => csvTexts(source, [file], own).inOrder },
    context,
  )
  if (untyped) return untypedStream(columns.map((column) => ({ name: column.name, type: casts.get(column.name)?.to })))
  const explain = csvExplainer(source, files, columns, casts, context)
  context.beforeCommit({ holds: async () => undefined, explain })
  const tried = triedFirst([...casts.values()], reader, columns)
  const strict = new Map(tried.casts.map((cast) => [cast.column, strictCast(cast, textMark)]))
  const fields = columns.map(({ name: column }) => {
    const cast = strict.get(column)
    return cast === undefined ? name(column) : `${cast} AS ${name(column)}`
  })
  const sql = `SELECT ${fields.join(', ')} FROM ${tried.relation}${limit === null ? '' : ` LIMIT ${limit}`}`
  const typedColumns = columns.map(({ name: column }) => ({ name: column, type: casts.get(column)?.to ?? 'VARCHAR' }))
  return { ...scanned(sql, typedColumns), places: csvPlaces(source, files, columns, context) }
}

/** A faulty row must not keep the columns from being known: it is to be reported with its line, by the reading itself. */
async function sniff(
  source: HeadedSource,
  files: string[],
  { session }: StageContext,
  reader: string,
): Promise<{ source: HeadedSource; columns: Column[] }> {
  try {
    const columns = source.csv
      ? await joinedColumns(source, csvReaders(source, files), session)
      : await session.describe(`SELECT * FROM ${reader}`)
    return { source, columns }
  } catch (error) {
    if (!source.csv || !(error instanceof EngineError) || error.code === 'CANCELLED') throw error
    const extra = ', ignore_errors = true'
    const own = new Map<string, Column[]>()
    for (const file of files) {
      const alone = readerOf(source, [file], { extra })
      const columns = await session.describe(`SELECT * FROM ${alone}`)
      if (files.length === 1) return { source, columns }
      own.set(file, columns)
      // Of several files, the one with the fault says its line when it is read by itself.
      const { inOrder: reader } = csvTexts(source, [file], columns)
      await session.rows(`SELECT count(*) FROM (SELECT hash(COLUMNS(*)) FROM ${reader})`)
    }
    // Delimiters at the end of a row are no fault. Where DuckDB matches files by name, they are one to it.
    const readers = source.union_by_name
      ? files.map((file) => readerOf(source, [file], { extra }))
      : csvReaders(source, files, { extra })
    const columns = await joinedColumns(source, readers, session)
    return { source: source.union_by_name ? { ...source, own } : source, columns }
  }
}

/** Types that the task sets and the reader did not give: these are cast to, with a clear failure. */
async function readFields(
  source: FilesSource,
  columns: Column[],
  { session }: StageContext,
  reader: string,
): Promise<{ sql: string; columns: Column[]; casts: Map<string, CastTarget> }> {
  const casts = castsOf(source, columns)
  if (casts.size === 0) return { sql: 'SELECT *', columns, casts }
  const replaced = [...casts.values()].map((cast) => `${strictCast(cast, storedMark)} AS ${name(cast.column)}`)
  const sql = `SELECT * REPLACE (${replaced.join(', ')})`
  return { sql, columns: await session.describe(`${sql} FROM ${reader}`), casts }
}
