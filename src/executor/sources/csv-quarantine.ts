import type { Column } from '../../contract/common.ts'
import type { CsvReadOptions, FilesSource } from '../../language/task/sources/source.types.ts'
import { quarantineCasts } from '../engine/cast-columns.ts'
import { EngineError } from '../engine/errors.ts'
import { withoutFetched } from '../engine/fetched.ts'
import type { OpenOptions, StageContext } from '../engine/lane.types.ts'
import { name, text } from '../engine/sql-text.ts'
import { tableStream, type RowStream } from '../engine/stream.ts'
import { openQuote } from './csv-checks.ts'
import { countCsvRows, endsInQuotes, lineEndOf, type LineEnd } from './csv-faults.ts'
import { requireSameColumns } from './files-columns.ts'
import { csvSql } from './files-sql.ts'
import { castsOf, named } from './files-types.ts'

/** Rows that do not read go to the rejects, with line and reason; the others go on. */
export async function quarantineCsv(
  source: FilesSource,
  files: readonly string[],
  context: StageContext,
  { limit }: OpenOptions,
): Promise<RowStream> {
  const { session } = context
  const csv = source.csv as CsvReadOptions // set where the format is CSV
  await requireSameColumns(source, files, context)
  const lineEnd = await lineEndOf(files, csv)
  const columns = await named(await describe(source, files, lineEnd, context), source, context)
  const [errors, scans] = [session.newName('errors'), session.newName('scans')]
  const extra = `, store_rejects = true, rejects_table = ${text(errors)}, rejects_scan = ${text(scans)}`
  // Files that may be different are looked at once more, each by itself.
  const isSettled = files.length === 1 || (!source.union_by_name && lineEnd !== null)
  const reader = csvSql(source, files, { extra, columns: isSettled ? columns : null, lineEnd })
  const table = session.newName('stage')
  const rows = await session.createTable(table, `SELECT * FROM ${reader}${limit === null ? '' : ` LIMIT ${limit}`}`)
  const faults = await faultsOf(errors, scans, context)
  if (limit === null && faults.some(({ unsure }) => unsure))
    await requireAllRows(source, files, { found: rows + faults.length, blanks: columns.length === 1 }, context)
  await rejectFaults(faults, source, context)
  const casts = castsOf(source, columns)
  const stream = tableStream(table, columns, rows)
  return casts.size === 0 ? stream : quarantineCasts(stream, context, casts)
}

/** Rows with broken quotes would keep the columns from being known: they are then read more leniently, for this alone. */
async function describe(
  source: FilesSource,
  files: readonly string[],
  lineEnd: LineEnd | null,
  { session, signal }: StageContext,
): Promise<Column[]> {
  const query = (extra: string): string => `SELECT * FROM ${csvSql(source, files, { extra, lineEnd })}`
  try {
    return await session.describe(query(', ignore_errors = true'))
  } catch (error) {
    if (signal.aborted || lineEnd === null) throw error
    return session.describe(query(', ignore_errors = true, strict_mode = false')).catch(() => Promise.reject(error))
  }
}

interface RowFault {
  file: string
  line: number
  text: string
  message: string
  /** Where the row ends is not certain. */
  unsure: boolean
}

/** A line may have several faults; it is one reject. */
async function faultsOf(errors: string, scans: string, { session }: StageContext): Promise<RowFault[]> {
  const rows = await session.rows(
    `SELECT s.file_path, e.line, any_value(e.csv_line), string_agg(DISTINCT e.error_message, '; '),
       bool_or(e.error_type IN ('UNQUOTED VALUE', 'LINE SIZE OVER MAXIMUM'))
     FROM ${name(errors)} e JOIN ${name(scans)} s USING (scan_id, file_id)
     GROUP BY s.file_path, e.line ORDER BY s.file_path, e.line`,
  )
  return rows.map(([file, line, content, message, unsure]) => ({
    file: String(file),
    line: Number(line),
    text: typeof content === 'string' ? content : '',
    message: String(message),
    unsure: unsure === true,
  }))
}

/**
 * Where quotes are broken, DuckDB's threads may disagree on where rows begin: then some are lost, or read out of the middle of a value.
 * The rows are counted again, in one pass.
 */
async function requireAllRows(
  source: FilesSource,
  files: readonly string[],
  { found, blanks }: { found: number; blanks: boolean },
  context: StageContext,
): Promise<void> {
  const csv = source.csv as CsvReadOptions // as above
  let count = 0
  for (const file of files) {
    if (await endsInQuotes(file, csv, context.signal)) throw await openQuote(source, file, context)
    count += await countCsvRows(file, csv, blanks, context.signal)
  }
  if (count === found) return
  throw new EngineError(
    'FILE_UNREADABLE',
    `${files.length === 1 ? withoutFetched(files[0] ?? '', context.tempDir) : 'The files'} cannot be split into rows: ${count.toLocaleString('en')} rows are there, and ${found.toLocaleString('en')} were found`,
    {
      hint: 'Quotes that do not match, or values of more than 2,000,000 bytes, hide where rows end. `on_error: fail` names the first such line.',
    },
  )
}

async function rejectFaults(faults: RowFault[], source: FilesSource, context: StageContext): Promise<void> {
  await context.rejectEntries(
    faults.map(({ file, line, text: row, message }) => ({
      reason: `${withoutFetched(file, context.tempDir)}, line ${line}: ${wordsOf(message, source)}`,
      row: { line, text: row },
    })),
  )
  if (faults.length > 0)
    context.log('warn', `${faults.length.toLocaleString('en')} lines could not be read and were rejected`)
}

function wordsOf(message: string, source: FilesSource): string {
  const counts = /Expected Number of Columns: (\d+) Found: (\d+)/.exec(message)
  if (counts) return `the row has ${counts[2]} fields, the header has ${counts[1]}`
  const convert = /Error when converting column "(.*?)"\. Could not convert string "([\s\S]*?)" to '(.*?)'/.exec(
    message,
  )
  if (convert)
    return `column \`${convert[1]}\` holds “${convert[2]}”, which is no ${source.columns[convert[1] ?? ''] ?? convert[3]}`
  if (/Invalid unicode/i.test(message)) return 'the text is not valid UTF-8'
  if (/unterminated quote/i.test(message)) return 'text follows a value in quotes'
  const size = /Maximum line size of (\d+) bytes exceeded\. Actual Size:\s*(\d+)/i.exec(message)
  if (size)
    return `the row takes ${Number(size[2]).toLocaleString('en')} bytes, and ${Number(size[1]).toLocaleString('en')} are allowed`
  return message.replace(/\s+/g, ' ').trim()
}
