import type { CsvReadOptions } from '../../../language/task/sources/source.types.ts'
import { openFile } from '../../engine/open-file.ts'
import { CsvRows, isEmptyLine, lastLineEnd, longestText, type CsvRow } from './rows.ts'
import { contentOf, packingOf } from '../../sources/files-packed.ts'
import { runMessage } from '../../../contract/run-messages.ts'
import type { Message } from '../../../language/message.ts'

/** What is wrong with the form of a CSV file: the first such place. */
export interface CsvFault {
  line: number
  what: Message
  hint: Message
}

/** In bytes. DuckDB reads no row that is longer than its buffer, and leaves out some of those without a word. */
export const longestCsvRow = 4 * 1024 * 1024

/** null: nothing that can be said. `alsoRows`: single rows that could be rejected count, too. */
export async function findCsvFault(
  file: string,
  csv: CsvReadOptions,
  alsoRows: boolean,
  signal: AbortSignal,
): Promise<CsvFault | null> {
  let found: CsvFault | null = null
  let first: CsvRow['end'] = ''
  let isAbove = true
  const rows = new CsvRows(csv, (row) => {
    // What is above the header may be written in any way.
    isAbove &&= row.skipped || (csv.header && isEmptyLine(row))
    if (isAbove || found !== null) return
    found = faultOf(row, first, alsoRows)
    if (first === '') first = row.end
  })
  for await (const piece of contentOf(file, signal)) {
    let from = 0
    for (let at = 0; csv.encoding === 'latin-1' && at < piece.length; at++) {
      const byte = piece[at] ?? 0
      if (byte < 0x80 || byte > 0x9f) continue
      rows.push(piece.subarray(from, at + 1))
      from = at + 1
      if (found !== null) return found
      if (!rows.skips) return { line: rows.line, ...noLatin1(byte) }
    }
    rows.push(piece.subarray(from))
    if (found !== null) return found
  }
  rows.end()
  return found
}

/** Control characters in ISO 8859-1, which DuckDB refuses. A text with them is most likely in Windows-1252, which has letters there. */
const noLatin1 = (byte: number): Omit<CsvFault, 'line'> => ({
  what: runMessage('byte_not_latin1', { byte: `0x${byte.toString(16).toUpperCase()}` }),
  hint: runMessage('not_latin1_fix'),
})

function faultOf(row: CsvRow, first: CsvRow['end'], alsoRows: boolean): CsvFault | null {
  const shown = row.text().split(/[\r\n]/, 1)[0] ?? ''
  if (alsoRows && !row.skipped && isNothing(shown)) return { line: row.line, ...nulBytes }
  if (row.openLine !== null) {
    return {
      line: row.openLine,
      what: row.openLine === row.line ? runMessage('quote_opens_here', { text: shown }) : runMessage('quote_opens'),
      hint: runMessage('quote_opens_fix'),
    }
  }
  if (row.end !== '' && first !== '' && row.end !== first) {
    return {
      line: row.line,
      what: runMessage('line_ending_differs', { ending: endNames[row.end], first: endNames[first] }),
      hint: runMessage('line_ending_differs_fix'),
    }
  }
  if (!alsoRows || row.skipped) return null
  const [unclear] = row.strayOverLine === null ? [] : unclearEnd(row)
  if (unclear) return unclear
  if (row.strayLine !== null) {
    return {
      line: row.strayLine,
      what:
        row.strayLine === row.line
          ? runMessage('text_after_quotes', { text: shown })
          : runMessage('text_after_quotes_of', { line: row.line }),
      hint: runMessage('text_after_quotes_fix'),
    }
  }
  if (row.bytes <= longestCsvRow) return null
  return {
    line: row.line,
    what: runMessage('row_too_long', { bytes: row.bytes, most: longestCsvRow, text: shown }),
    hint: runMessage('row_too_long_fix'),
  }
}

/**
 * Why a row cannot be rejected: where quotes do not match, one may be made of many good rows, which would be lost with it. None: it can, and
 * all of its text is kept if it has several lines.
 */
export function unclearEnd(row: CsvRow): CsvFault[] {
  const hint = runMessage('row_end_unclear_fix')
  if (row.strayOverLine !== null)
    return [{ line: row.strayOverLine, what: runMessage('text_after_quotes_of', { line: row.line }), hint }]
  if (row.lastLine === row.line || row.bytes <= longestText) return []
  const size = { last: row.lastLine, bytes: row.bytes, most: longestText }
  return [{ line: row.line, what: runMessage('rejected_row_too_long', size), hint }]
}

/** What a program leaves that ends while it writes: room for what was to come. */
const isNothing = (text: string): boolean => text.startsWith('\0'.repeat(8))
export const nulBytes = {
  what: runMessage('line_of_nul_bytes'),
  hint: runMessage('line_of_nul_bytes_fix'),
}

const endNames = { '\n': 'LF', '\r\n': 'CR LF', '\r': 'CR' } as const

/**
 * Whether the file ends within quotes, and whether it has a row that is too long: what stands behind the quote, or that row, is then not
 * there for DuckDB, which does not always say so.
 */
export async function lookAtRows(
  file: string,
  csv: CsvReadOptions,
  signal: AbortSignal,
): Promise<{ isOpen: boolean; isLong: boolean }> {
  const rows = new CsvRows(csv, null)
  try {
    for await (const piece of contentOf(file, signal)) rows.skip(piece)
  } catch (error) {
    if (packingOf(file) === null || signal.aborted) throw error
    // Content that cannot be unpacked is told by another check.
    return { isOpen: false, isLong: false }
  }
  return { isOpen: rows.end(), isLong: rows.longest > longestCsvRow }
}

/**
 * Whether a row is too long that has no line end within quotes, or too many bytes between two of them: threads find out any other. Of a
 * file that is not packed only every 64th part is read.
 */
export async function hasLongLine(file: string, csv: CsvReadOptions, signal: AbortSignal): Promise<boolean> {
  if (packingOf(file) !== null) return (await lookAtRows(file, { ...csv, quote: '', escape: '' }, signal)).isLong
  const handle = await openFile(file)
  try {
    const { size } = await handle.stat()
    const block = Buffer.alloc(65_536)
    for (let line = await behindSkipped(file, csv, signal); size - line > longestCsvRow && !signal.aborted;) {
      let end = -1
      for (let to = line + longestCsvRow + 1; end === -1 && to > line; to -= block.length) {
        const from = Math.max(line, to - block.length)
        const { bytesRead } = await handle.read(block, 0, to - from, from)
        const at = lastLineEnd(block.subarray(0, bytesRead))
        if (at !== -1) end = from + at
      }
      if (end === -1) return true
      line = end + 1
    }
    return false
  } finally {
    await handle.close()
  }
}

/** Where the lines of `skip_lines` end, in bytes; Infinity: nowhere. */
async function behindSkipped(file: string, csv: CsvReadOptions, signal: AbortSignal): Promise<number> {
  let bytes = 0
  const rows = new CsvRows(csv, (row) => {
    if (row.skipped) bytes += row.bytes + row.end.length
  })
  if (rows.skips)
    for await (const piece of contentOf(file, signal)) {
      rows.push(piece)
      if (!rows.skips) return bytes
    }
  return rows.skips ? Infinity : 0
}

/**
 * Rows without the header, one after the other, counted from 0. `blanks`: lines without anything are rows, too. `take` says whether more
 * are wanted. How many there were.
 */
export async function eachCsvRow(
  file: string,
  csv: CsvReadOptions,
  blanks: boolean,
  signal: AbortSignal,
  take?: (at: number, row: CsvRow) => boolean,
): Promise<number> {
  let at = csv.header ? -1 : 0
  let wanted = true
  const rows = new CsvRows(csv, (row) => {
    if (row.skipped || !wanted || (at < 0 ? isEmptyLine(row) : row.blank && !blanks)) return
    if (at >= 0 && take) wanted = take(at, row)
    at++
  })
  for await (const piece of contentOf(file, signal)) {
    rows.push(piece)
    if (!wanted) return at
  }
  rows.end()
  return Math.max(0, at)
}

/** The rows with these numbers, in their order, as many at once as a piece of the file has. */
export async function* numberedCsvRows(
  file: string,
  csv: CsvReadOptions,
  numbers: { has(number: number): boolean; size: number },
  signal: AbortSignal,
): AsyncGenerator<CsvRow[]> {
  let open = numbers.size
  let found: CsvRow[] = []
  const rows = new CsvRows(csv, (row) => {
    if (!numbers.has(row.number)) return
    found.push(row)
    open--
  })
  for await (const piece of contentOf(file, signal)) {
    rows.push(piece)
    if (found.length > 0) yield found
    if (open === 0) return
    found = []
  }
  rows.end()
  yield found
}
