import type { Message } from '../../../language/message.ts'
import type { CsvReadOptions, FilesSource } from '../../../language/task/sources/source.types.ts'
import { EngineError } from '../../engine/errors.ts'
import { withoutFetched } from '../../engine/fetched.ts'
import type { StageContext } from '../../engine/lane.types.ts'
import type { SourceCheck } from '../../engine/source-checks.ts'
import { eachCsvRow, findCsvFault, hasLongLine, lookAtRows, unclearEnd, type CsvFault } from './faults.ts'
import { runMessage } from '../../../contract/run-messages.ts'

/**
 * DuckDB leaves out rows of CSV files without a word: what stands behind a quote that is still open at the end, where one thread reads a
 * file (of many files each does), and a last row that is longer than its buffer. The check works beside its reading. null: there is none,
 * since faults are collected, which has its own.
 */
export async function checkRows(
  source: FilesSource,
  files: readonly string[],
  context: StageContext,
): Promise<SourceCheck | null> {
  const { csv } = source
  if (csv === null || source.on_error === 'quarantine') return null
  const byOne = context.inOrder || (files.length > 1 && files.length > (await threadsOf(context)))
  const stop = new AbortController()
  const check = async (): Promise<void> => {
    for (const file of files) {
      const { isOpen, isLong } = byOne
        ? await lookAtRows(file, csv, stop.signal)
        : { isOpen: false, isLong: await hasLongLine(file, csv, stop.signal) }
      if (isOpen) throw await openQuote(source, file, context)
      if (isLong) throw await longRow(source, file, context)
    }
  }
  const done = check()
  done.catch(() => undefined) // told by `holds`
  return { holds: () => done, end: () => stop.abort() }
}

async function threadsOf({ session }: StageContext): Promise<number> {
  const [row] = await session.rows(`SELECT current_setting('threads')`)
  return Number(row?.[0])
}

async function longRow(source: FilesSource, file: string, context: StageContext): Promise<EngineError> {
  const shown = withoutFetched(file, context.tempDir)
  return faultIn(source, { file, shown, alsoRows: true }, runMessage('csv_unreadable', { where: shown }), context)
}

async function openQuote(source: FilesSource, file: string, context: StageContext): Promise<EngineError> {
  const shown = withoutFetched(file, context.tempDir)
  return faultIn(source, { file, shown, alsoRows: false }, runMessage('quote_not_closed', { file: shown }), context)
}

async function faultIn(
  { csv }: FilesSource,
  { file, shown, alsoRows }: { file: string; shown: string; alsoRows: boolean },
  unknown: Message,
  { signal }: StageContext,
): Promise<EngineError> {
  const fault = csv && (await findCsvFault(file, csv, alsoRows, signal))
  const reason = fault === null ? unknown : runMessage('at_line', { file: shown, line: fault.line, cause: fault.what })
  return new EngineError('FILE_UNREADABLE', reason, { hint: fault?.hint })
}

/** Fails where a quote is still open at the end of a file. */
export async function anyLongRow(
  source: FilesSource,
  files: readonly string[],
  context: StageContext,
): Promise<boolean> {
  let any = false
  for (const file of files) {
    const { isOpen, isLong } = await lookAtRows(file, source.csv as CsvReadOptions, context.signal) // set where the format is CSV
    if (isOpen) throw await openQuote(source, file, context)
    any ||= isLong
  }
  return any
}

/** Where quotes are broken, or a row is longer than DuckDB's buffer, rows may be lost. They are counted again, in one pass. */
export async function requireAllRows(
  source: FilesSource,
  files: readonly string[],
  { found, blanks }: { found: number; blanks: (file: string) => boolean },
  context: StageContext,
): Promise<void> {
  const csv = source.csv as CsvReadOptions // as above
  let count = 0
  for (const file of files) {
    const unclear: CsvFault[] = []
    count += await eachCsvRow(file, csv, blanks(file), context.signal, (_, row) => {
      if (row.strayOverLine !== null) unclear.push(...unclearEnd(row))
      return unclear.length === 0
    })
    if (unclear[0]) throw inText(file, unclear[0], context)
  }
  if (count === found) return
  const shown = files.length === 1 ? withoutFetched(files[0] ?? '', context.tempDir) : 'The files'
  throw inseparable(shown, count, found)
}

export function inText(file: string, { line, what, hint }: CsvFault, { tempDir }: StageContext): EngineError {
  const message = runMessage('at_line', { file: withoutFetched(file, tempDir), line, cause: what })
  return new EngineError('FILE_UNREADABLE', message, { hint })
}

export function inseparable(shown: string, count: number, found: number): EngineError {
  return new EngineError('FILE_UNREADABLE', runMessage('csv_not_separable', { shown, count, found }), {
    hint: runMessage('csv_not_separable_fix'),
  })
}
