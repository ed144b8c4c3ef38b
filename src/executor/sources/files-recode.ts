import type { CsvReadOptions, FilesSource } from '../../language/task/sources/source.types.ts'
import type { OpenedFile } from '../connectors/stores/store.types.ts'
import { EngineError } from '../engine/errors.ts'
import { withoutFetched } from '../engine/fetched.ts'
import type { StageContext } from '../engine/lane.types.ts'
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
      copies.push(await recoded(file, isBig ? 'utf-16be' : csv.encoding, context, most))
    } else copies.push((await hidesQuote(file, csv, context)) ? await recoded(file, null, context, most) : file)
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

/** `encoding` null: it stays as it is, but for its byte order mark. */
const recoded = (
  file: OpenedFile,
  encoding: CsvReadOptions['encoding'] | null,
  context: StageContext,
  most: number | null,
): Promise<OpenedFile> =>
  copyOf(
    file,
    context,
    `is read from a copy ${encoding === null ? 'without its byte order mark' : 'in UTF-8'}`,
    async function* (shown) {
      const decoder = new TextDecoder(encoding ?? 'utf-8', { fatal: true })
      let bytes = 0
      let line = 1
      const decoded = (piece: Buffer | null): Buffer => {
        if (encoding === null) return piece?.subarray(bytes === 0 ? mark.length : 0) ?? Buffer.alloc(0)
        try {
          return Buffer.from(piece === null ? decoder.decode() : decoder.decode(piece, { stream: true }))
        } catch (error) {
          if (piece === null && encoding.startsWith('utf-16'))
            throw new Unsound(runMessage('ends_in_character'), runMessage('file_not_written_to_end'))
          const at = line + (piece === null ? 0 : linesBefore(piece, encoding))
          throw new EngineError('FILE_UNREADABLE', runMessage('bytes_not_in_encoding', { shown, at, encoding }), {
            hint: runMessage('bytes_not_in_encoding_fix'),
            cause: error,
          })
        }
      }
      for await (const piece of contentOf(file.local, context.signal)) {
        const text = decoded(piece)
        for (let at = text.indexOf(0x0a); at !== -1; at = text.indexOf(0x0a, at + 1)) line++
        yield text
        bytes += piece.length
        if (most !== null && bytes >= most) return true
      }
      // The last character of a beginning may be cut in two.
      if (!file.cut) yield decoded(null)
      return file.cut
    },
  )

/** Lines before the first bytes that are no text. */
function linesBefore(piece: Buffer, encoding: string): number {
  let lines = 0
  for (let at = 0; at < piece.length;) {
    const next = piece.indexOf(0x0a, at)
    const end = next === -1 ? piece.length : next + 1
    try {
      new TextDecoder(encoding, { fatal: true }).decode(piece.subarray(at, end))
    } catch {
      // A piece may begin within a character.
      if (at > 0) return lines
    }
    lines++
    at = end
  }
  return Math.max(0, lines - 1)
}
