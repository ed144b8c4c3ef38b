import type { Message } from '../../../language/message.ts'
import type { CsvReadOptions, FilesSource } from '../../../language/task/sources/source.types.ts'
import { castColumns } from '../../engine/cast-columns.ts'
import { castReason } from '../../engine/cast-faults.ts'
import { verbatim } from '../../engine/errors.ts'
import { withoutFetched } from '../../engine/fetched.ts'
import type { OpenOptions, RejectedRow, StageContext } from '../../engine/lane.types.ts'
import { numberColumn, placeOf, placesAmong, type Places, type RowPlace } from '../../engine/places.ts'
import { numberRows, type NumberedTable } from '../../engine/row-numbers.ts'
import { jsonOf, messageIn, several } from '../../engine/sql-reasons.ts'
import { name, names, text } from '../../engine/sql-text.ts'
import { filteredStream, queryStream, untypedStream, type RowStream } from '../../engine/stream.ts'
import { anyLongRow, inseparable, inText, requireAllRows } from './checks.ts'
import { eachCsvRow, numberedCsvRows, unclearEnd, type CsvFault } from './faults.ts'
import { blanksIn } from './head.ts'
import type { HeadedSource } from './head.types.ts'
import { formOf, longestText, type CsvRow } from './rows.ts'
import { requireSameColumns } from '../../sources/files-columns.ts'
import { csvSql, oneThread, quotedTexts, readersSql } from '../../sources/files-sql.ts'
import { noteHeader } from './header.ts'
import { columnsPastFaults } from './joined.ts'
import { csvColumns } from './types.ts'
import { named } from '../../sources/files-types.ts'
import { runMessage } from '../../../contract/run-messages.ts'

/** Rows that do not read go to the rejects, with line and reason; the others go on. */
export async function quarantineCsv(
  source: HeadedSource,
  files: readonly string[],
  context: StageContext,
  { limit }: OpenOptions,
): Promise<RowStream> {
  const { session } = context
  const csv = source.csv as CsvReadOptions // set where the format is CSV
  await requireSameColumns(source, files, context)
  const columns = await named(await columnsPastFaults(source, files, context), source, context)
  await noteHeader(source, files, columns, context)
  const blanks = blanksIn(source, columns)
  const [errors, scans] = [session.newName('errors'), session.newName('scans')]
  const extra = `, store_rejects = true, rejects_table = ${text(errors)}, rejects_scan = ${text(scans)}, filename = ${text(fileColumn)}${quotedTexts(source)}${oneThread}`
  const readers: string[] = []
  // DuckDB collects no faults where it matches files by name, each of which may have other columns.
  if (source.union_by_name)
    for (const file of files)
      readers.push(csvSql(source, [file], { extra, columns: await columnsPastFaults(source, [file], context) }))
  else readers.push(csvSql(source, files, { extra, columns }))
  const reader = readersSql(source, readers)
  const table = session.newName('stage')
  const look = limit === null ? anyLongRow(source, files, context) : Promise.resolve(false)
  look.catch(() => undefined) // told below
  const rows = await session.createTable(table, `SELECT * FROM ${reader}${limit === null ? '' : ` LIMIT ${limit}`}`)
  const faults = await faultsInto(errors, scans, context)
  if ((await look) || (limit === null && faults.unsure))
    await requireAllRows(source, files, { found: rows + faults.rows, blanks }, context)
  await rejectFaults(csv, faults.table, faults.rows, context)
  const stage = await numberRows(table, columns, context)
  const fields = names([...columns.map((column) => column.name), fileColumn])
  const numbered = `(SELECT ${fields}, ${stage.at} AS ${name(rowColumn)} FROM ${name(stage.table)})`
  const {
    casts,
    untyped,
    texts,
    reader: staged,
  } = await csvColumns(
    source,
    columns,
    {
      first: numbered,
      all: numbered,
      files,
      of: (file) => `(SELECT * FROM ${numbered} WHERE ${name(fileColumn)} = ${text(file)})`,
    },
    context,
  )
  if (untyped && faults.rows === 0)
    return untypedStream(texts.map(({ name: column }) => ({ name: column, type: casts.get(column)?.to })))
  const reason = several(['NULL', ...[...casts.values()].map(castReason)])
  const rejected = await rejectCasts(source, { staged, faults: faults.table, blanks, reason }, context)
  // The rows keep their order.
  const kept = rejected === 0 ? '' : ` WHERE ${reason} = ''`
  const sql = `SELECT * EXCLUDE (${name(fileColumn)}, ${name(rowColumn)}) FROM ${staged}${kept}`
  const left = rows - rejected
  const good = rejected === 0 ? queryStream(sql, texts, left) : filteredStream(context.stage, sql, texts, left)
  const numbers = `SELECT ${name(rowColumn)} AS ${name(numberColumn)} FROM ${staged}${kept}`
  const read = placesOf(source, { stage, faults: faults.table, blanks }, context)
  const places = placesAmong(read, { numbers, decidedBy: [] }, session)
  return castColumns({ ...good, places }, context.stage, casts, true)
}

/** Which file a row is of, and where it stands in the table. No header is called that. */
const [fileColumn, rowColumn] = ['\u0001file', '\u0001row']

/** In which files lines without anything are rows. */
type Blanks = (file: string) => boolean

interface StagedCsv {
  /** SQL. */
  staged: string
  /** Lines that are no rows of the table. */
  faults: string
  blanks: Blanks
  /** SQL: what is wrong with a row, as messages; empty: nothing. */
  reason: string
}

/** Rejects the rows with a value that cannot be cast. How many there are. */
async function rejectCasts(
  source: FilesSource,
  { staged, faults, blanks, reason }: StagedCsv,
  context: StageContext,
): Promise<number> {
  const { session } = context
  const bad = session.newName('bad')
  const file = name(fileColumn)
  // Rows of a file lie side by side: where its first one lies says which row of the file each one is.
  const rows = await session.createTable(
    bad,
    `SELECT id, file, id - first AS nth, reason FROM (
       SELECT ${name(rowColumn)} AS id, ${file} AS file, ${reason} AS reason FROM ${staged}
     ) JOIN (SELECT ${file} AS file, min(${name(rowColumn)}) AS first FROM ${staged} GROUP BY ALL) USING (file)
     WHERE reason <> '' ORDER BY id`,
  )
  if (rows === 0) return 0
  for (const [path] of await session.rows(`SELECT file FROM ${name(bad)} GROUP BY file ORDER BY min(id)`))
    await rejectRows(source, String(path), { bad, faults, blanks }, context)
  return rows
}

/** Finds the lines of a file's rejected rows, in one pass. */
async function rejectRows(
  source: FilesSource,
  file: string,
  { bad, faults, blanks }: { bad: string; faults: string; blanks: Blanks },
  context: StageContext,
): Promise<void> {
  const reasons = new Map(
    (await context.session.rows(`SELECT nth, reason FROM ${name(bad)} WHERE file = ${text(file)}`)).map(
      ([at, reason]) => [Number(at), String(reason)] as const,
    ),
  )
  const entries: RejectedRow[] = []
  const unclear: CsvFault[] = []
  await eachPlace(source, file, { faults, blanks, wanted: reasons }, context, (nth, place, read) => {
    unclear.push(...unclearEnd(read))
    entries.push({ ...place, reason: messageIn(`${jsonOf(place.where)},${reasons.get(nth)}`) })
  })
  if (unclear[0]) throw inText(file, unclear[0], context)
  for (let at = 0; at < entries.length; at += entriesAtOnce)
    await context.rejectEntries(entries.slice(at, at + entriesAtOnce))
}

interface WantedRows {
  faults: string
  blanks: Blanks
  /** Numbers of rows among those of the file that were read, from 0. */
  wanted: { has(row: number): boolean; size: number }
}

/** Finds rows of a file, in one pass as far as the last of them. */
async function eachPlace(
  source: FilesSource,
  file: string,
  { faults, blanks, wanted }: WantedRows,
  { session, signal, tempDir }: StageContext,
  take: (row: number, place: RowPlace, read: CsvRow) => void,
): Promise<void> {
  const csv = source.csv as CsvReadOptions // as above
  const shown = withoutFetched(file, tempDir)
  const skipped = new Set(
    (await session.rows(`SELECT number FROM ${name(faults)} WHERE file = ${text(file)}`)).map(([row]) => Number(row)),
  )
  let row = 0
  let found = 0
  await eachCsvRow(file, csv, blanks(file), signal, (_, read) => {
    const { line, number, text: written } = read
    if (skipped.has(number)) return true
    if (wanted.has(row)) {
      found++
      take(row, { where: placeOf(shown, line), row: { line, text: written(longestText) }, ...formOf(read) }, read)
    }
    row++
    return found < wanted.size
  })
}

/** Of the rows of the table. */
function placesOf(
  source: FilesSource,
  { stage: { table, at }, faults, blanks }: { stage: NumberedTable; faults: string; blanks: Blanks },
  context: StageContext,
): Places {
  const file = name(fileColumn)
  return {
    calls: [],
    async of(rows) {
      const places = new Map<number, RowPlace>()
      if (rows.size === 0) return places
      const wanted = await context.session.rows(
        `SELECT ${file}, first, ${at} FROM ${name(table)} JOIN (SELECT ${file}, min(${at}) AS first FROM ${name(table)} GROUP BY ${file}) USING (${file})
         WHERE ${at} IN (${[...rows].join(', ')})`,
      )
      for (const [path, own] of Map.groupBy(wanted, ([path]) => String(path))) {
        const first = Number(own[0]?.[1])
        const numbers = new Set(own.map(([, , row]) => Number(row) - first))
        await eachPlace(source, path, { faults, blanks, wanted: numbers }, context, (nth, place) => {
          places.set(first + nth, place)
        })
      }
      return places
    },
  }
}

const entriesAtOnce = 1_000

/** A table with `file`, `number` (the row’s), `message` and `unsure`: where the row ends is not certain. A row may have several faults; it is one. */
async function faultsInto(
  errors: string,
  scans: string,
  { session }: StageContext,
): Promise<{ table: string; rows: number; unsure: boolean }> {
  const table = session.newName('faults')
  const rows = await session.createTable(
    table,
    `SELECT s.file_path AS file, e.line AS number, string_agg(DISTINCT e.error_message, '; ') AS message,
       bool_or(e.error_type IN ('UNQUOTED VALUE', 'LINE SIZE OVER MAXIMUM')) AS unsure
     FROM ${name(errors)} e JOIN ${name(scans)} s USING (scan_id, file_id)
     GROUP BY s.file_path, e.line ORDER BY s.file_path, e.line`,
  )
  const [row] = await session.rows(`SELECT coalesce(bool_or(unsure), false) FROM ${name(table)}`)
  return { table, rows, unsure: row?.[0] === true }
}

/** DuckDB's table of rejects says which rows they are. What stands in them, and where, the file says, in one pass. */
async function rejectFaults(csv: CsvReadOptions, table: string, rows: number, context: StageContext): Promise<void> {
  const { session, signal } = context
  for (const [file] of await session.rows(`SELECT DISTINCT file FROM ${name(table)} ORDER BY file`)) {
    const path = String(file)
    const shown = withoutFetched(path, context.tempDir)
    const messages = await messagesOf(path, table, context)
    const entry = (row: CsvRow) => ({
      reason: runMessage('at_line', {
        file: shown,
        line: row.line,
        cause: faultOf(messages.get(row.number) ?? '', row.values),
      }),
      row: { line: row.line, text: row.text(longestText) },
      ...formOf(row),
    })
    let count = 0
    for await (const found of numberedCsvRows(path, csv, messages, signal)) {
      count += found.length
      const [unclear] = found.flatMap(unclearEnd)
      if (unclear) throw inText(path, unclear, context)
      for (let at = 0; at < found.length; at += entriesAtOnce) {
        const some = found.slice(at, at + entriesAtOnce)
        await context.rejectEntries(some.map(entry))
      }
    }
    if (count < messages.size) throw inseparable(shown, count, messages.size)
  }
  if (rows > 0) context.logRejects(`${rows.toLocaleString('en')} lines could not be read and were rejected`)
}

/** There may be millions, but of few kinds: each is kept once. */
async function messagesOf(file: string, table: string, { session }: StageContext): Promise<Map<number, string>> {
  const kinds = new Map<string, string>()
  const messages = new Map<number, string>()
  const chunks = session.chunks(`SELECT number, message FROM ${name(table)} WHERE file = ${text(file)}`)
  for await (const chunk of chunks) {
    for (const [number, kept] of chunk.getRows()) {
      const message = String(kept)
      if (!kinds.has(message)) kinds.set(message, message)
      messages.set(Number(number), kinds.get(message) ?? message)
    }
  }
  return messages
}

/** What DuckDB says of a row. */
function faultOf(message: string, values: number): Message {
  const columns = /Expected Number of Columns: (\d+)/.exec(message)?.[1]
  if (columns) return runMessage('row_fields_differ', { found: values, expected: columns })
  if (/Invalid unicode/i.test(message)) return runMessage('text_not_utf8')
  if (/unterminated quote/i.test(message)) return runMessage('text_after_quote')
  const size = /Maximum line size of (\d+) bytes exceeded\. Actual Size:\s*(\d+)/i.exec(message)
  if (size) return runMessage('row_over_limit', { bytes: Number(size[2]), most: Number(size[1]) })
  return verbatim(message.replace(/\s+/g, ' ').trim())
}
