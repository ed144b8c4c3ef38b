import { isUtf8 } from 'node:buffer'
import type { Column } from '../../../contract/common.ts'
import type { CsvReadOptions, FilesSource } from '../../../language/task/sources/source.types.ts'
import type { OpenedFile } from '../../connectors/stores/store.types.ts'
import { EngineError } from '../../engine/errors.ts'
import { withoutFetched } from '../../engine/fetched.ts'
import type { StageContext } from '../../engine/lane.types.ts'
import { runMessage } from '../../../contract/run-messages.ts'
import { copyOf } from '../../sources/files-copy.ts'
import { contentOf } from '../../sources/files-packed.ts'
import { longestCsvRow } from './faults.ts'
import { CsvRows, isEmptyLine, longestText, type CsvRow } from './rows.ts'

/** Where the rows of a CSV file begin, and how they end. */
export interface CsvHead {
  file: string
  /** Lines in front of the header, or of the first row: those of `skip_lines`, and empty ones in front of a header. */
  skip: number
  /** What ends the header, or the first row: DuckDB takes the first line end for it, wherever that stands. '': nothing does. */
  end: CsvRow['end']
  /** The header, or the first row; null: there is none. */
  first: CsvRow | null
  /** Nothing stands behind the first row. */
  isAlone: boolean
}

interface Beginning extends CsvHead {
  /** Where the first row begins, in bytes of what is unpacked. */
  start: number
  /** DuckDB may read the lines that are skipped in another way. */
  isUnusual: boolean
}

const atOnce = 16

/** In the order of the files. What is wrong with their content is for their reader to say. */
export async function headsOf(files: readonly string[], csv: CsvReadOptions): Promise<CsvHead[]> {
  return (await beginningsOf(files, csv)).map(({ start, isUnusual, ...head }) => head)
}

/**
 * Whether lines without anything are rows of a file: only where it has one column. With `union_by_name` it may lack some of the columns.
 */
export function blanksIn(
  { union_by_name: byName }: FilesSource,
  heads: readonly CsvHead[],
  columns: readonly Column[],
): (file: string) => boolean {
  if (!byName) return () => columns.length === 1
  const single = new Set(heads.flatMap(({ file, first }) => (first?.values === 1 ? [file] : [])))
  return (file) => single.has(file)
}

/** Each file's header as it is written, and how many lines are in front of it. null: there is none, or it is too long for that. */
export async function headersOf(
  files: readonly string[],
  csv: CsvReadOptions,
): Promise<({ text: string; skip: number } | null)[]> {
  return (await beginningsOf(files, csv)).map(({ first, skip, end }) =>
    first && end !== '' && first.bytes <= longestText ? { text: first.text(longestText), skip } : null,
  )
}

async function beginningsOf(files: readonly string[], csv: CsvReadOptions): Promise<Beginning[]> {
  const found: Beginning[] = []
  for (let at = 0; at < files.length; at += atOnce)
    found.push(...(await Promise.all(files.slice(at, at + atOnce).map((file) => beginningOf(file, csv)))))
  return found
}

const mark = Buffer.from('\uFEFF')
const pieceBytes = 65_536

async function beginningOf(file: string, csv: CsvReadOptions): Promise<Beginning> {
  let [skip, start, bytes, hasQuote] = [0, 0, 0, false]
  let first: CsvRow | null = null
  const ends = new Set<CsvRow['end']>()
  const rows = new CsvRows(csv, (row) => {
    if (first !== null) return
    if (!row.skipped && !(csv.header && isEmptyLine(row))) {
      first = row
      return
    }
    skip++
    start += row.bytes + row.end.length
    ends.add(row.end)
    hasQuote ||= row.bytes > longestText || (csv.quote !== '' && row.text(longestText).includes(csv.quote))
  })
  const found = (): CsvRow | null => first
  const endOf = (row: CsvRow) => start + row.bytes + row.end.length
  const stop = new AbortController()
  try {
    for await (const piece of contentOf(file, stop.signal, pieceBytes)) {
      if (bytes === 0 && piece.subarray(0, mark.length).equals(mark)) start += mark.length
      bytes += piece.length
      rows.push(piece)
      const row = found()
      if (row && bytes > endOf(row)) break
    }
    if (first === null) rows.end()
  } catch {
    // Content that cannot be unpacked is told by another check.
  }
  const row = found()
  const end = row?.end ?? ''
  const isMixed = ends.size > (end === '' || ends.has(end) ? 1 : 0)
  return {
    file,
    skip,
    end,
    first: row,
    isAlone: row === null || bytes <= endOf(row),
    start,
    isUnusual: hasQuote || isMixed,
  }
}

/**
 * The files, those among them as copies whose skipped lines DuckDB would read in another way: it takes a quote there for the beginning of
 * a value, and knows one kind of line end. A header that is not text fails, since DuckDB takes the first row for it. `most`: so many bytes
 * of each copy are enough; null: all.
 */
export async function withPlainHeads(
  { csv }: FilesSource,
  opened: readonly OpenedFile[],
  context: StageContext,
  most: number | null,
): Promise<readonly OpenedFile[]> {
  if (csv === null) return opened
  const beginnings = await beginningsOf(
    opened.map(({ local }) => local),
    csv,
  )
  const files: OpenedFile[] = []
  for (const [at, file] of opened.entries()) {
    const beginning = beginnings[at]
    if (beginning) await requireText(beginning, csv, context)
    files.push(beginning?.isUnusual ? await plain(file, beginning, context, most) : file)
  }
  return files
}

async function requireText(
  { file, first, start }: Beginning,
  { header, encoding }: CsvReadOptions,
  { tempDir }: StageContext,
): Promise<void> {
  if (!header || encoding !== 'utf-8' || first === null || first.bytes > longestCsvRow) return
  // Of most headers all is known, and that it is text.
  if (first.bytes <= longestText && !first.text(longestText).includes('\uFFFD')) return
  if (isUtf8(await bytesOf(file, start, start + first.bytes))) return
  const shown = withoutFetched(file, tempDir)
  const message = runMessage('bytes_not_in_encoding', { shown, at: first.line, encoding })
  throw new EngineError('FILE_UNREADABLE', message, { hint: runMessage('bytes_not_in_encoding_fix') })
}

async function bytesOf(file: string, from: number, to: number): Promise<Buffer> {
  const stop = new AbortController()
  const parts: Buffer[] = []
  let bytes = 0
  for await (const piece of contentOf(file, stop.signal, pieceBytes)) {
    parts.push(piece.subarray(Math.max(0, from - bytes), Math.max(0, to - bytes)))
    bytes += piece.length
    if (bytes >= to) break
  }
  return Buffer.concat(parts)
}

/** Its skipped lines are empty in the copy, so that all others keep their numbers. */
const plain = (
  file: OpenedFile,
  { skip, end, start }: Beginning,
  context: StageContext,
  most: number | null,
): Promise<OpenedFile> =>
  copyOf(file, context, 'is read from a copy without the content of its skipped lines', async function* () {
    yield Buffer.from((end || '\n').repeat(skip))
    let bytes = 0
    for await (const piece of contentOf(file.local, context.signal)) {
      yield piece.subarray(Math.max(0, start - bytes))
      bytes += piece.length
      if (most !== null && bytes >= start + most) return true
    }
    return file.cut
  })
