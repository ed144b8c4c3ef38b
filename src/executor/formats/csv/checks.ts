import type { Message } from '../../../language/message.ts'
import type { FilesSource } from '../../../language/task/sources/source.types.ts'
import { EngineError } from '../../engine/errors.ts'
import { withoutFetched } from '../../engine/fetched.ts'
import type { StageContext } from '../../engine/lane.types.ts'
import type { SourceCheck } from '../../engine/source-checks.ts'
import { findCsvFault, hasLongLine, lookAtRows } from './faults.ts'
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
  const [row] = await context.session.rows(`SELECT current_setting('threads')`)
  const byOne = context.inOrder || files.length > Number(row?.[0])
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

async function longRow(source: FilesSource, file: string, context: StageContext): Promise<EngineError> {
  const shown = withoutFetched(file, context.tempDir)
  return faultIn(source, { file, shown, alsoRows: true }, runMessage('csv_unreadable', { where: shown }), context)
}

export async function openQuote(source: FilesSource, file: string, context: StageContext): Promise<EngineError> {
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
