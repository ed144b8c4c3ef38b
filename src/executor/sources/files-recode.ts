import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { CsvReadOptions, FilesSource } from '../../language/task/sources/source.types.ts'
import { placeForCopy } from '../connectors/file-fetch.ts'
import { writeError } from '../connectors/file-local.ts'
import type { OpenedFile } from '../connectors/file-store.types.ts'
import { cancelled } from '../engine/duckdb.ts'
import { codeOf, EngineError } from '../engine/errors.ts'
import { withoutFetched } from '../engine/fetched.ts'
import type { StageContext } from '../engine/lane.types.ts'
import { unsound } from './files-ends.ts'
import { contentOf } from './files-packed.ts'

/** What DuckDB reads by itself. */
const readable: readonly CsvReadOptions['encoding'][] = ['utf-8', 'utf-16', 'latin-1']

/** The source and its files as DuckDB can read them: CSV in any other encoding as a copy in UTF-8. `most`: so many bytes of each are enough; null: all. */
export async function inUtf8(
  source: FilesSource,
  opened: readonly OpenedFile[],
  context: StageContext,
  most: number | null,
): Promise<{ source: FilesSource; opened: readonly OpenedFile[] }> {
  const { csv } = source
  if (csv === null || readable.includes(csv.encoding)) return { source, opened }
  const copies: OpenedFile[] = []
  for (const file of opened) copies.push(await recoded(file, csv.encoding, context, most))
  return { source: { ...source, csv: { ...csv, encoding: 'utf-8' } }, opened: copies }
}

class NotDecoded extends Error {
  readonly line: number

  constructor(line: number) {
    super(`line ${line}`)
    this.line = line
  }
}

async function recoded(
  file: OpenedFile,
  encoding: CsvReadOptions['encoding'],
  { tempDir, signal, log }: StageContext,
  most: number | null,
): Promise<OpenedFile> {
  const copy = placeForCopy(file.file.path, tempDir)
  const shown = withoutFetched(file.local, tempDir)
  await mkdir(dirname(copy), { recursive: true })
  let cut = file.cut
  async function* content(): AsyncGenerator<Buffer> {
    const decoder = new TextDecoder(encoding, { fatal: true })
    let bytes = 0
    let line = 1
    const decoded = (piece: Buffer | null): Buffer => {
      try {
        return Buffer.from(piece === null ? decoder.decode() : decoder.decode(piece, { stream: true }))
      } catch {
        throw new NotDecoded(line + (piece === null ? 0 : linesBefore(piece, encoding)))
      }
    }
    for await (const piece of contentOf(file.local, signal)) {
      const text = decoded(piece)
      for (let at = text.indexOf(0x0a); at !== -1; at = text.indexOf(0x0a, at + 1)) line++
      yield text
      bytes += piece.length
      cut ||= most !== null && bytes >= most
      if (cut && most !== null && bytes >= most) return
    }
    // The last character of a beginning may be cut in two.
    if (!cut) yield decoded(null)
  }
  log('debug', `${shown} is read from a copy in UTF-8`)
  try {
    await pipeline(content, createWriteStream(copy))
  } catch (error) {
    if (signal.aborted) throw cancelled()
    if (error instanceof NotDecoded)
      throw new EngineError('FILE_UNREADABLE', `${shown}, line ${error.line}: the bytes are no text in ${encoding}`, {
        hint: 'Check `csv.encoding`, or get the file in UTF-8.',
        cause: error,
      })
    throw codeOf(error) === 'ENOSPC' ? writeError(error, copy) : unsound(shown, error)
  }
  return { ...file, local: copy, cut }
}

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
