import type { Column } from '../../contract/common.ts'
import type { FilesSource } from '../../language/task/sources/source.types.ts'
import { EngineError, listNames } from '../engine/errors.ts'
import { withoutFetched } from '../engine/fetched.ts'
import type { StageContext } from '../engine/lane.types.ts'
import { columnNames } from './column-names.ts'
import { marksOf } from './files-marks.ts'
import { readerOf } from './files-sql.ts'

export interface FileColumns {
  file: string
  columns: readonly string[]
}

/**
 * Without `union_by_name` every file must have the columns of the first: DuckDB would read those of the first and leave out the
 * others. Of each file only the beginning is read: a header, a schema, or the first records. Returns a check of the columns that
 * DuckDB finds in all of the files together.
 */
export async function requireSameColumns(
  source: FilesSource,
  files: readonly string[],
  context: StageContext,
): Promise<(found: readonly Column[]) => Promise<void>> {
  if (files.length < 2 || source.union_by_name) return async () => undefined
  const columnsOf = columnFinder(source, context)
  const ordered = source.format === 'csv' || source.format === 'parquet'
  const shown = (path: string): string => withoutFetched(path, context.tempDir)
  const marks = await marksOf(source, files, context)
  let first: (FileColumns & { at: number }) | null = null
  for (const [at, file] of files.entries()) {
    const mark = marks[at] ?? null
    if (first && mark !== null && mark === marks[first.at]) continue
    const columns = await columnsOf(file, first?.columns ?? null)
    if (columns === null) continue
    if (first) requireSame(first, { file: shown(file), columns }, ordered)
    else first = { at, file: shown(file), columns }
  }
  const reference = first
  return async (found) => {
    // Later records may have keys that the first ones lack.
    if (ordered || !reference || found.every(({ name }) => reference.columns.includes(name))) return
    for (const file of files.slice(reference.at + 1)) {
      const columns = await columnsOf(file, null)
      if (columns !== null) requireSame(reference, { file: shown(file), columns }, ordered)
    }
  }
}

/** `ordered`: the order of the columns counts. */
export function requireSame(first: FileColumns, other: FileColumns, ordered: boolean): void {
  const difference = differenceOf(first.columns, other.columns, ordered)
  if (difference === null) return
  const message = `${other.file} does not match ${first.file}, the first file. It has ${difference}`
  throw new EngineError('FILE_UNREADABLE', message, {
    hint: 'Fix the file, or set `union_by_name: true`: then columns are matched by name, and missing ones are NULL.',
  })
}

function differenceOf(first: readonly string[], other: readonly string[], ordered: boolean): string | null {
  const [before, now] = [new Set(first), new Set(other)]
  const extra = other.filter((column) => !before.has(column))
  const missing = first.filter((column) => !now.has(column))
  const parts = [
    ...(extra.length > 0 ? [`extra ${listNames(extra, 20)}`] : []),
    ...(missing.length > 0 ? [`missing ${listNames(missing, 20)}`] : []),
  ]
  if (parts.length > 0) return `different columns: ${parts.join('; ')}`
  if (!ordered || first.every((column, at) => column === other[at])) return null
  return `the same columns in a different order: ${listNames(other, 20)}`
}

/** null: the file has no rows, and says nothing of columns. `wanted`: fewer records are looked at where these are found in them. */
type FindColumns = (file: string, wanted: readonly string[] | null) => Promise<readonly string[] | null>

function columnFinder(source: FilesSource, { session }: StageContext): FindColumns {
  const describe = async (reader: string): Promise<string[]> =>
    columnNames(await session.describe(`SELECT * FROM ${reader}`), source.format === 'parquet')
  if (source.format === 'parquet') return async (file) => describe(await readerOf(source, [file]))
  if (source.format === 'csv') {
    const untyped = { ...source, columns: {} }
    const extra = ', all_varchar = true, ignore_errors = true'
    return async (file) => describe(await readerOf(untyped, [file], { extra }))
  }
  return async (file, wanted) => {
    if (wanted !== null) {
      const some = await describe(await readerOf(source, [file], { records: fewRecords }))
      if (differenceOf(wanted, some, false) === null) return some
    }
    const reader = await readerOf(source, [file])
    const found = await describe(reader)
    // DuckDB's name for a record that is no object, and for no record at all.
    if (found.length !== 1 || found[0] !== 'json') return found
    return (await session.rows(`SELECT 1 FROM ${reader} LIMIT 1`)).length === 0 ? null : found
  }
}

/** Most files show all of their columns in these. */
const fewRecords = 100
