import type { FilesSource } from '../../language/task/sources/source.types.ts'
import { EngineError } from '../engine/errors.ts'
import { withoutFetched } from '../engine/fetched.ts'
import type { StageContext } from '../engine/lane.types.ts'
import { findCsvFault, numberedCsvRows, type CsvFault } from '../formats/csv/faults.ts'
import { runMessage } from '../../contract/run-messages.ts'

/** Finds the file and the place that a reading has failed at, where DuckDB does not say. */
export function explainer(
  source: FilesSource,
  files: readonly string[],
  context: StageContext,
): (error: EngineError) => Promise<EngineError> {
  return async (error) => {
    const found = error.vague ? await firstFault(source, files, context) : null
    // What DuckDB says of a file without a fault is so only where its threads did not come into it.
    if (found === null) return error.vague && !context.inOrder ? error : inItsLine(source, error, context)
    const { file, line, what, hint } = found
    const reason = runMessage('at_line', { file: withoutFetched(file, context.tempDir), line, cause: what })
    return new EngineError('FILE_UNREADABLE', reason, {
      hint,
      stage: error.stage,
      cause: error,
    })
  }
}

/** DuckDB numbers rows where it says lines, and does not count all of their values. */
async function inItsLine({ csv }: FilesSource, error: EngineError, context: StageContext): Promise<EngineError> {
  const { csvRow, code, fix, stage } = error
  if (csv === null || csvRow === undefined) return error
  const { file, number, what } = csvRow
  for await (const [row] of numberedCsvRows(file, csv, new Set([number]), context.signal)) {
    // It has as many values as it should: another row was taken for it.
    if (row === undefined || row.values === what) break
    const cause =
      typeof what === 'number'
        ? runMessage('row_field_count', { found: row.values, expected: what, text: row.text(200) })
        : what
    const reason = runMessage('at_line', {
      file: withoutFetched(file, context.tempDir),
      line: row.line,
      cause,
    })
    return new EngineError(code, reason, { hint: fix, stage, cause: error })
  }
  return error
}

async function firstFault(
  { csv, on_error: onError }: FilesSource,
  files: readonly string[],
  { signal }: StageContext,
): Promise<(CsvFault & { file: string }) | null> {
  if (csv === null) return null
  // In quarantine rows that could be rejected are named only where there is nothing else.
  for (const alsoRows of onError === 'fail' ? [true] : [false, true]) {
    for (const file of files) {
      // Content that cannot be unpacked is told by another check.
      const fault = await findCsvFault(file, csv, alsoRows, signal).catch(() => null)
      if (fault !== null) return { ...fault, file }
    }
  }
  return null
}
