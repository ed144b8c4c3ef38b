import { EngineError, fewNames } from '../engine/errors.ts'
import { withoutFetched } from '../engine/fetched.ts'
import type { StageContext } from '../engine/lane.types.ts'
import type { HeadedSource } from '../formats/csv/head.types.ts'
import { columnNames } from './column-names.ts'
import { marksOf } from './files-marks.ts'
import { readerOf } from './files-sql.ts'
import { runMessage } from '../../contract/run-messages.ts'
import type { Message } from '../../language/message.ts'

export interface FileColumns {
  file: string
  columns: readonly string[]
}

/**
 * Without `union_by_name` every file, CSV or Parquet, must have the columns of the first: DuckDB would read those of the first and leave
 * out the others. Of each file only the beginning is read: a header or a schema.
 */
export async function requireSameColumns(
  source: HeadedSource,
  files: readonly string[],
  context: StageContext,
): Promise<void> {
  if (files.length < 2 || source.union_by_name) return
  const columnsOf = columnFinder(source, context)
  const shown = (path: string): string => withoutFetched(path, context.tempDir)
  const marks = await marksOf(source, files, context)
  let first: (FileColumns & { at: number }) | null = null
  for (const [at, file] of files.entries()) {
    const mark = marks[at] ?? null
    if (first && mark !== null && mark === marks[first.at]) continue
    const columns = await columnsOf(file)
    if (first) requireSame(first, { file: shown(file), columns }, true)
    else first = { at, file: shown(file), columns }
  }
}

/** `ordered`: the order of the columns counts. */
export function requireSame(first: FileColumns, other: FileColumns, ordered: boolean): void {
  const difference = differenceOf(first.columns, other.columns, ordered)
  if (difference === null) return
  const message = runMessage('files_differ', { file: other.file, file2: first.file, difference })
  throw new EngineError('FILE_UNREADABLE', message, {
    hint: runMessage('match_by_name'),
  })
}

function differenceOf(first: readonly string[], other: readonly string[], ordered: boolean): Message | null {
  const [before, now] = [new Set(first), new Set(other)]
  const extra = other.filter((column) => !before.has(column))
  const missing = first.filter((column) => !now.has(column))
  const parts = [
    ...(extra.length > 0 ? [runMessage('extra_columns', { columns: fewNames(extra, 20) })] : []),
    ...(missing.length > 0 ? [runMessage('missing_columns', { columns: fewNames(missing, 20) })] : []),
  ]
  if (parts.length > 0) return runMessage('different_columns', { differences: parts })
  if (!ordered || first.every((column, at) => column === other[at])) return null
  return runMessage('different_order', { columns: fewNames(other, 20) })
}

type FindColumns = (file: string) => Promise<readonly string[]>

function columnFinder(source: HeadedSource, { session }: StageContext): FindColumns {
  const describe = async (reader: string): Promise<string[]> =>
    columnNames(await session.describe(`SELECT * FROM ${reader}`), source.format === 'parquet')
  if (source.format === 'parquet') return async (file) => describe(readerOf(source, [file]))
  const untyped = { ...source, columns: {} }
  const extra = ', all_varchar = true, ignore_errors = true'
  // A faulty row must not keep the columns from being known.
  return (file) =>
    describe(readerOf(untyped, [file], { extra })).catch((error: unknown) =>
      describe(readerOf(untyped, [file], { extra: `${extra}, strict_mode = false` })).catch(() =>
        Promise.reject(error),
      ),
    )
}
