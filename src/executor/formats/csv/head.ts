import { isUtf8 } from 'node:buffer'
import type { Column } from '../../../contract/common.ts'
import type { CsvReadOptions, FilesSource } from '../../../language/task/sources/source.types.ts'
import type { OpenedFile } from '../../connectors/stores/store.types.ts'
import { EngineError } from '../../engine/errors.ts'
import { withoutFetched } from '../../engine/fetched.ts'
import type { StageContext } from '../../engine/lane.types.ts'
import { runMessage } from '../../../contract/run-messages.ts'
import type { CsvHead, HeadedSource } from './head.types.ts'
import { copyOf } from '../../sources/files-copy.ts'
import { contentOf, packingOf } from '../../sources/files-packed.ts'
import { eachCsvRow, longestCsvRow } from './faults.ts'
import { CsvRows, isEmptyLine, longestText, type CsvRow } from './rows.ts'

interface Beginning {
  file: OpenedFile
  head: CsvHead
  first: CsvRow | null
  /** Where the first row begins, in bytes of what is unpacked. */
  start: number
  /** DuckDB may read the lines that are skipped in another way. */
  isUnusual: boolean
  /** What a first line `sep=;` names. */
  separator: string | null
}

/**
 * Whether lines without anything are rows of a file: only where it has one column. With `union_by_name` it may lack some of the columns.
 */
export function blanksIn(
  { union_by_name: byName, heads }: HeadedSource,
  columns: readonly Column[],
): (file: string) => boolean {
  return byName ? (file) => heads?.get(file)?.values === 1 : () => columns.length === 1
}

const mark = Buffer.from('\uFEFF')
const pieceBytes = 65_536

/** Control characters, which DuckDB refuses. */
const notLatin1 = /[\u0080-\u009f]/

/** So many times the bytes of a file its copy in UTF-8 may have. */
const mostWidened = 3

/** A few files are open at once, however many there are. */
const atOnce = 16

async function* beginningsOf(opened: readonly OpenedFile[], csv: CsvReadOptions): AsyncGenerator<Beginning> {
  for (let at = 0; at < opened.length; at += atOnce)
    yield* await Promise.all(opened.slice(at, at + atOnce).map((file) => beginningOf(file, csv)))
}

async function beginningOf(file: OpenedFile, csv: CsvReadOptions): Promise<Beginning> {
  let [skip, start, bytes, hasOdd, isRead] = [0, 0, 0, false, false]
  let separator: string | null = null
  let first: CsvRow | null = null
  const ends = new Set<CsvRow['end']>()
  const rows = new CsvRows(csv, (row) => {
    if (first !== null) return
    separator ??= row.separator
    if (!row.skipped && !(csv.header && isEmptyLine(row))) {
      first = row
      return
    }
    skip++
    start += row.bytes + row.end.length
    ends.add(row.end)
    const text = row.text(longestText)
    const isOdd = (csv.quote !== '' && text.includes(csv.quote)) || (csv.encoding === 'latin-1' && notLatin1.test(text))
    hasOdd ||= row.bytes > longestText || isOdd
  })
  const found = (): CsvRow | null => first
  const endOf = (row: CsvRow) => start + row.bytes + row.end.length
  const stop = new AbortController()
  try {
    for await (const piece of contentOf(file.local, stop.signal, pieceBytes)) {
      if (bytes === 0 && piece.subarray(0, mark.length).equals(mark)) start += mark.length
      bytes += piece.length
      rows.push(piece)
      const row = found()
      if (row && bytes > endOf(row)) break
    }
    if (first === null) rows.end()
    isRead = true
  } catch {
    // Content that cannot be unpacked is told by another check.
  }
  const row = found()
  const end = row?.end ?? ''
  const isMixed = ends.size > (end === '' || ends.has(end) ? 1 : 0)
  const text = row && end !== '' && row.bytes <= longestText ? row.text(longestText) : null
  const isAlone = row === null || bytes <= endOf(row)
  const longest = packingOf(file.file.path) === null ? file.file.size * mostWidened : Infinity
  const head = { skip, end, text, values: row?.values ?? 0, isAlone, longest, isEmpty: isRead && row === null }
  return { file, head, first: row, start, isUnusual: hasOdd || isMixed, separator }
}

/**
 * The source with the heads of its files, and the files, those among them as copies whose skipped lines DuckDB would read in another way: it
 * takes a quote there for the beginning of a value, knows one kind of line end, and refuses what is not text. A header that is not text fails, since DuckDB takes
 * the first row for it. `most`: so many bytes of each copy are enough; null: all.
 */
export async function withHeads(
  source: FilesSource,
  opened: readonly OpenedFile[],
  context: StageContext,
  most: number | null,
): Promise<{ source: HeadedSource; files: readonly OpenedFile[] }> {
  const { csv } = source
  if (csv === null) return { source, files: opened }
  const heads = new Map<string, CsvHead>()
  const files: OpenedFile[] = []
  for await (const beginning of beginningsOf(opened, csv)) {
    const { separator } = beginning
    if (separator !== null && separator !== csv.delimiter && opened[0])
      throw separatorsDiffer([beginning.file, separator], [opened[0], csv.delimiter], context)
    await requireText(beginning, csv, context)
    const file = beginning.isUnusual ? await plain(beginning, context, most) : beginning.file
    heads.set(file.local, beginning.head)
    files.push(file)
  }
  return { source: { ...source, heads }, files }
}

async function requireText(
  { file, first, start }: Beginning,
  { header, encoding }: CsvReadOptions,
  { tempDir }: StageContext,
): Promise<void> {
  if (!header || encoding !== 'utf-8' || first === null || first.bytes > longestCsvRow) return
  // Of most headers all is known, and that it is text.
  if (first.bytes <= longestText && !first.text(longestText).includes('\uFFFD')) return
  if (isUtf8(await bytesOf(file.local, start, start + first.bytes))) return
  const shown = withoutFetched(file.local, tempDir)
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
  { file, head: { skip, end }, start }: Beginning,
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

/** With the delimiter that a first line `sep=;` of the first file names: then that of all of them. */
export async function withSeparator(
  source: FilesSource,
  opened: readonly OpenedFile[],
  context: StageContext,
): Promise<FilesSource> {
  const { csv } = source
  const [first] = opened
  if (!csv || !first) return source
  const { separator } = await beginningOf(first, csv)
  if (separator === null || separator === csv.delimiter) return source
  // Those that name none have the delimiter that was told.
  for await (const { file, separator: other } of beginningsOf(opened.slice(1), csv))
    if (other === null) throw separatorsDiffer([first, separator], [file, csv.delimiter], context)
  return { ...source, csv: { ...csv, delimiter: separator } }
}

type Separated = readonly [file: OpenedFile, delimiter: string]

function separatorsDiffer(
  [naming, delimiter]: Separated,
  [other, delimiter2]: Separated,
  { tempDir }: StageContext,
): EngineError {
  const message = runMessage('separators_differ', {
    file: withoutFetched(naming.local, tempDir),
    delimiter: JSON.stringify(delimiter),
    file2: withoutFetched(other.local, tempDir),
    delimiter2: JSON.stringify(delimiter2),
  })
  return new EngineError('FILE_UNREADABLE', message, { hint: runMessage('separators_differ_fix') })
}

/**
 * Where empty text is not NULL, DuckDB leaves out empty lines of files with one column, whose rows they are. Fails at the first of them.
 */
export async function refuseLostRows(
  { csv, heads }: HeadedSource,
  files: readonly string[],
  { signal, tempDir }: StageContext,
): Promise<void> {
  if (csv === null || csv.null_values.includes('')) return
  for (const file of files.filter((one) => heads?.get(one)?.values === 1)) {
    await eachCsvRow(file, csv, true, signal, (_, { blank, line }) => {
      if (!blank) return true
      const message = runMessage('at_line', {
        file: withoutFetched(file, tempDir),
        line,
        cause: runMessage('empty_line_lost'),
      })
      throw new EngineError('FILE_UNREADABLE', message, { hint: runMessage('empty_line_lost_fix') })
    })
  }
}
