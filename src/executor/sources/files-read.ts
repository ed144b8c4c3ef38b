import type { Column } from '../../contract/common.ts'
import type { FilesSource } from '../../language/task/sources/source.types.ts'
import type { OpenedFile } from '../connectors/file-store.types.ts'
import { EngineError, asEngineError } from '../engine/errors.ts'
import type { OpenOptions, StageContext } from '../engine/lane.types.ts'
import { castColumns, quarantineCasts } from '../engine/cast-columns.ts'
import { strictCast } from '../engine/casts.ts'
import { name } from '../engine/sql-text.ts'
import type { RowStream } from '../engine/stream.ts'
import { checkQuotes } from './csv-checks.ts'
import { quarantineCsv } from './csv-quarantine.ts'
import { lineEndOf } from './csv-faults.ts'
import { keepWholeRows } from './files-cut.ts'
import { explainer } from './files-faults.ts'
import { readJsonFiles } from './files-json.ts'
import { requireSameColumns } from './files-columns.ts'
import { checkEnds, refuseEmpty } from './files-ends.ts'
import { csvSql, readerOf } from './files-sql.ts'
import { castsOf, named } from './files-types.ts'
import { unpackUnusual } from './files-unpack.ts'
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
  const explain = explainer(source, files, context)
  // A preview shows the first rows: what the rest of a file is like is for the run to find out.
  if (options.limit === null) await checkFiles(source, files, opened, context, explain)
  try {
    return await openReader(source, opened, distinct, context, options)
  } catch (thrown) {
    throw options.limit === null ? thrown : await explain(asEngineError(thrown))
  }
}

async function openReader(
  source: FilesSource,
  opened: readonly OpenedFile[],
  distinct: readonly OpenedFile[],
  context: StageContext,
  options: OpenOptions,
): Promise<RowStream> {
  if (source.format === 'xlsx') return openXlsx(source, opened, context, options)
  const readable = await unpackUnusual(distinct, context, options.limit === null ? null : previewedBytes(source))
  const files = readable.map(({ local }) => local)
  for (const { local, cut } of readable) if (cut) await keepWholeRows(local, source.csv)
  await refuseEmpty(source, files, context)
  if (source.format === 'json' || source.format === 'jsonl') return readJsonFiles(source, distinct, context, options)
  if (source.on_error === 'quarantine' && source.format === 'csv') return quarantineCsv(source, files, context, options)
  return scan(source, files, context, options)
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
  const quotes = await checkQuotes(source, files, context)
  if (quotes) context.beforeCommit(quotes)
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
function previewedBytes({ format, csv }: FilesSource): number | null {
  return format === 'jsonl' || (format === 'csv' && csv?.encoding !== 'utf-16') ? 4 * 1024 * 1024 : null
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
    : castColumns(stream, 0, casts, false)
}

async function scan(
  source: FilesSource,
  files: string[],
  context: StageContext,
  { limit }: OpenOptions,
): Promise<RowStream> {
  await requireSameColumns(source, files, context)
  const reader = await readerOf(source, files)
  const columns = await named(await sniff(source, files, context, reader), source, context)
  // A single CSV file is not sniffed a second time: what was found is said. Several files may differ in their headers.
  const settled =
    source.csv && files.length === 1
      ? csvSql(source, files, { columns, lineEnd: await lineEndOf(files, source.csv) })
      : reader
  const fields = await readFields(source, columns, context, settled)
  const sql = `${fields.sql} FROM ${settled}${limit === null ? '' : ` LIMIT ${limit}`}`
  return {
    sql,
    columns: fields.columns,
    rows: null,
    open: [{ kind: 'scan', stage: 0, sql }],
    trail: [{ stage: 0, sql }],
  }
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
    if (!source.csv || !(error instanceof EngineError) || error.code === 'CANCELLED') throw error
    for (const file of files) {
      const alone = await readerOf(source, [file], { extra: ', ignore_errors = true' })
      const columns = await session.describe(`SELECT * FROM ${alone}`)
      if (files.length === 1) return columns
      // Of several files, the one with the fault says its line when it is read by itself.
      const reader = csvSql(source, [file], { columns, lineEnd: null })
      await session.rows(`SELECT count(*) FROM (SELECT hash(COLUMNS(*)) FROM ${reader})`)
    }
    throw error
  }
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
