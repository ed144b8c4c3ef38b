import type { FilesSource } from '../../../language/task/sources/source.types.ts'
import { EngineError } from '../../engine/errors.ts'
import { withoutFetched } from '../../engine/fetched.ts'
import type { StageContext } from '../../engine/lane.types.ts'
import type { SourceCheck } from '../../engine/source-checks.ts'
import { endsInQuotes, findCsvFault } from './faults.ts'
import { runMessage } from '../../../contract/run-messages.ts'

/**
 * DuckDB reads many CSV files one file at a time per thread, and then takes a quote that is still open at the end of a file for its
 * end, without the rows behind it. null: there are so few files that it says so itself. The check works beside DuckDB's reading.
 */
export async function checkQuotes(
  source: FilesSource,
  files: readonly string[],
  context: StageContext,
): Promise<SourceCheck | null> {
  const { csv } = source
  if (csv === null || csv.quote === '' || files.length < 2) return null
  const [row] = await context.session.rows(`SELECT current_setting('threads')`)
  if (files.length <= Number(row?.[0])) return null
  const stop = new AbortController()
  const check = async (): Promise<void> => {
    for (const file of files) {
      if (await endsInQuotes(file, csv, stop.signal)) throw await openQuote(source, file, context)
    }
  }
  const done = check()
  done.catch(() => undefined) // told by `holds`
  return { holds: () => done, end: () => stop.abort() }
}

export async function openQuote(
  { csv }: FilesSource,
  file: string,
  { signal, tempDir }: StageContext,
): Promise<EngineError> {
  const fault = csv && (await findCsvFault(file, csv, false, signal))
  const shown = withoutFetched(file, tempDir)
  return new EngineError(
    'FILE_UNREADABLE',
    fault === null
      ? runMessage('quote_not_closed', { file: shown })
      : runMessage('at_line', { file: shown, line: fault.line, cause: fault.what }),
    { hint: fault?.hint },
  )
}
