import type { CsvReadOptions, FilesSource } from '../../language/task/sources/source.types.ts'
import type { OpenedFile } from '../connectors/stores/store.types.ts'
import { codeOf, EngineError } from '../engine/errors.ts'
import { withoutFetched } from '../engine/fetched.ts'
import type { StageContext } from '../engine/lane.types.ts'
import { CsvRows } from '../formats/csv/rows.ts'
import { copyOf } from './files-copy.ts'
import { Unsound } from './files-ends.ts'
import { contentOf } from './files-packed.ts'
import { runMessage } from '../../contract/run-messages.ts'

/** What DuckDB reads by itself. UTF-16 it refuses where a character takes two units, and takes it for little-endian, whatever its mark says. */
const readable: ReadonlySet<CsvReadOptions['encoding']> = new Set(['utf-8', 'latin-1'])

/**
 * The source and its files as DuckDB can read them: CSV in any other encoding as a copy in UTF-8, and without a byte order mark where that
 * hides a quote. `most`: so many bytes of each are enough; null: all.
 */
export async function inUtf8(
  source: FilesSource,
  opened: readonly OpenedFile[],
  context: StageContext,
  most: number | null,
): Promise<{ source: FilesSource; opened: readonly OpenedFile[] }> {
  const { csv } = source
  if (csv === null) return { source, opened }
  const all = !readable.has(csv.encoding)
  const copies: OpenedFile[] = []
  for (const file of opened) {
    if (all) {
      const isBig = csv.encoding === 'utf-16' && (await isBigEndian(file, context))
      copies.push(await recoded(file, isBig ? { ...csv, encoding: 'utf-16be' } : csv, context, most))
    } else copies.push((await hidesQuote(file, csv, context)) ? await withoutMark(file, context, most) : file)
  }
  return { source: all ? { ...source, csv: { ...csv, encoding: 'utf-8' } } : source, opened: copies }
}

const mark = Buffer.from('\uFEFF')
/** Longer names are no names of columns. */
const longestName = 65_536

/**
 * Behind a byte order mark DuckDB does not see that the first name is in quotes, and takes a delimiter or a line end in it for the end of the
 * name.
 */
async function hidesQuote(
  { local }: OpenedFile,
  { encoding, quote, escape, delimiter }: CsvReadOptions,
  { signal, tempDir }: StageContext,
): Promise<boolean> {
  if (encoding !== 'utf-8') return false
  try {
    for await (const piece of contentOf(local, signal, longestName)) {
      if (markedWide(piece) !== null)
        throw new EngineError('FILE_UNREADABLE', runMessage('csv_is_utf16', { file: withoutFetched(local, tempDir) }), {
          hint: runMessage('csv_is_utf16_fix'),
        })
      if (piece[0] === 0x1f && piece[1] === 0x8b)
        throw new EngineError(
          'FILE_UNREADABLE',
          runMessage('csv_is_packed', { file: withoutFetched(local, tempDir) }),
          {
            hint: runMessage('csv_is_packed_fix'),
          },
        )
      if (quote === '') return false
      const begin = piece.toString('utf8', mark.length)
      if (!piece.subarray(0, mark.length).equals(mark) || !begin.startsWith(quote)) return false
      const first = quoted(begin.slice(quote.length), quote, escape)
      return first.includes(delimiter) || /[\r\n]/.test(first)
    }
  } catch (error) {
    if (signal.aborted || error instanceof EngineError) throw error
    // Content that cannot be unpacked is told by another check.
  }
  return false
}

/** All in front of the quote that closes. */
function quoted(text: string, quote: string, escape: string): string {
  for (let at = 0; at < text.length; at++) {
    if (escape !== '' && text.startsWith(escape + quote, at)) at += escape.length
    else if (text.startsWith(quote, at)) return text.slice(0, at)
  }
  return text
}

/** What the byte order mark of UTF-16 says. No text in UTF-8 begins with these bytes. */
function markedWide(piece: Buffer): 'little' | 'big' | null {
  if (piece[0] === 0xff && piece[1] === 0xfe) return 'little'
  return piece[0] === 0xfe && piece[1] === 0xff ? 'big' : null
}

/** Without a byte order mark the first line end tells: the other way round it would be U+0A00, which is no character. */
async function isBigEndian({ local }: OpenedFile, { signal }: StageContext): Promise<boolean> {
  for await (const piece of contentOf(local, signal)) {
    const marked = markedWide(piece)
    if (marked !== null) return marked === 'big'
    for (let at = 0; at + 1 < piece.length; at += 2) {
      const unit = piece.readUInt16BE(at)
      if (unit === 0x000a || unit === 0x0a00) return unit === 0x000a
    }
    return false
  }
  return false
}

const withoutMark = (file: OpenedFile, context: StageContext, most: number | null): Promise<OpenedFile> =>
  copyOf(file, context, 'is read from a copy without its byte order mark', async function* () {
    let bytes = 0
    for await (const piece of contentOf(file.local, context.signal)) {
      yield piece.subarray(bytes === 0 ? mark.length : 0)
      bytes += piece.length
      if (most !== null && bytes >= most) return true
    }
    return file.cut
  })

const recoded = (
  file: OpenedFile,
  csv: CsvReadOptions,
  context: StageContext,
  most: number | null,
): Promise<OpenedFile> =>
  copyOf(file, context, 'is read from a copy in UTF-8', async function* (shown) {
    const { encoding } = csv
    const start = csv.skip_lines === 0 ? 0 : await startOf(file, csv, context)
    // What stands in skipped lines need not be text.
    const above = new TextDecoder(encoding)
    const decoder = new TextDecoder(encoding, { fatal: true })
    let bytes = 0
    try {
      for await (const piece of contentOf(file.local, context.signal)) {
        const skipped = piece.subarray(0, Math.max(0, start - bytes))
        if (skipped.length > 0) yield Buffer.from(above.decode(skipped, { stream: true }))
        if (skipped.length < piece.length)
          yield Buffer.from(decoder.decode(piece.subarray(skipped.length), { stream: true }))
        bytes += piece.length
        if (most !== null && bytes >= start + most) return true
      }
      // The last character of a beginning may be cut in two.
      if (!file.cut) yield Buffer.from(decoder.decode())
    } catch (error) {
      if (codeOf(error) !== 'ERR_ENCODING_INVALID_ENCODED_DATA') throw error
      const { at, isEnd } = await placeOfFault(file, csv, { start, sound: bytes }, context)
      if (isEnd && encoding.startsWith('utf-16'))
        throw new Unsound(runMessage('ends_in_character'), runMessage('file_not_written_to_end'))
      const reason = runMessage('bytes_not_in_encoding', { shown, at, encoding })
      throw new EngineError('FILE_UNREADABLE', reason, { hint: runMessage('bytes_not_in_encoding_fix'), cause: error })
    }
    return file.cut
  })

const startOf = async (file: OpenedFile, csv: CsvReadOptions, context: StageContext): Promise<number> =>
  behindSkipped(file, csv, await behindSkipped(file, csv, Infinity, context), context)

/** Where the lines of `skip_lines` end, in bytes of what is unpacked. `sound`: they reach at least so far; Infinity: to find the piece. */
async function behindSkipped(
  { local }: OpenedFile,
  csv: CsvReadOptions,
  sound: number,
  { signal }: StageContext,
): Promise<number> {
  const decoder = new TextDecoder(csv.encoding)
  const rows = new CsvRows({ ...csv, encoding: 'utf-8' }, null)
  let [at, last] = [0, 0]
  for await (const piece of contentOf(local, signal, longestName)) {
    const step = at + piece.length <= sound ? piece.length : 1
    for (let from = 0; from < piece.length; from += step) {
      const text = decoder.decode(piece.subarray(from, from + step), { stream: true })
      if (text !== '') rows.push(Buffer.from(text))
      // That CR alone ends a line shows in what follows it.
      if (!rows.skips) return step === 1 && text.endsWith('\n') ? at + 1 : last
      at += step
      if (text !== '') last = at
    }
  }
  return at
}

/** The line of the first bytes that are no text, of those behind `start`; those in front of `sound` are. `isEnd`: the file ends in them. */
async function placeOfFault(
  { local }: OpenedFile,
  csv: CsvReadOptions,
  { start, sound }: { start: number; sound: number },
  { signal }: StageContext,
): Promise<{ at: number; isEnd: boolean }> {
  const decoder = new TextDecoder(csv.encoding, { fatal: true })
  const rows = new CsvRows({ ...csv, encoding: 'utf-8', skip_lines: 0 }, null)
  const line = () => csv.skip_lines + rows.line
  let bytes = 0
  for await (const piece of contentOf(local, signal)) {
    const part = piece.subarray(Math.max(0, start - bytes))
    bytes += piece.length
    const step = bytes <= sound ? part.length : 1
    for (let at = 0; at < part.length; at += step) {
      try {
        rows.push(Buffer.from(decoder.decode(part.subarray(at, at + step), { stream: true })))
      } catch {
        // What they may stand for: a line end in front of them may still be open.
        rows.push(Buffer.from('x'))
        return { at: line(), isEnd: false }
      }
    }
  }
  return { at: line(), isEnd: true }
}
