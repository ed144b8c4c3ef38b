import type { FilesSource } from '../../language/task/sources/source.types.ts'
import type { HeadedSource } from '../formats/csv/head.types.ts'
import { EngineError, codeOf, messageOf } from '../engine/errors.ts'
import { withoutFetched } from '../engine/fetched.ts'
import type { StageContext } from '../engine/lane.types.ts'
import { sizeOf } from '../engine/open-file.ts'
import type { SourceCheck } from '../engine/source-checks.ts'
import { CutOff, contentOf, packingOf, zstdFrames } from './files-packed.ts'
import { runMessage } from '../../contract/run-messages.ts'
import type { Message } from '../../language/message.ts'

/*
 * Where DuckDB does not see that a file is not all there: it takes a compressed file that is cut off for one that ends there, ignores
 * checksum and length at the end of gzip. JSON is looked at by `json-scan.ts`.
 */

const atOnce = 2

/** null: of these files DuckDB sees it all. The check works beside DuckDB's reading. */
export function checkEnds(
  source: FilesSource,
  files: readonly string[],
  { tempDir }: StageContext,
): SourceCheck | null {
  const doubtful = files.filter((file) => packingOf(file) !== null)
  if (doubtful.length === 0 || source.csv === null) return null
  const stop = new AbortController()
  let next = 0
  const work = async (): Promise<void> => {
    for (let file = doubtful[next++]; file !== undefined && !stop.signal.aborted; file = doubtful[next++]) {
      try {
        await checkPacked(file, stop.signal)
      } catch (error) {
        throw unsound(withoutFetched(file, tempDir), error)
      }
    }
  }
  const done = Promise.all(Array.from({ length: atOnce }, work))
  done.catch(() => stop.abort()) // told by `holds`
  return {
    holds: async () => void (await done),
    end: () => stop.abort(),
  }
}

/** DuckDB checks everything of zstd but whether its end is there. Gzip is decoded for the sake of the checks at the end of its parts. */
async function checkPacked(file: string, signal: AbortSignal): Promise<void> {
  const parts = packingOf(file) === 'zstd' ? zstdFrames(file) : contentOf(file, signal)
  while ((await parts.next()).done !== true);
}

const isBlank = (byte: number): boolean => byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d
/** A byte order mark's, in UTF-8 and UTF-16. */
const markBytes = new Set([0xef, 0xbb, 0xbf, 0xff, 0xfe])

/** The first byte that is neither blank nor of a byte order mark; null: there is none. */
async function firstCharacter(file: string): Promise<number | null> {
  let at = 0
  const stop = new AbortController()
  for await (const piece of contentOf(file, stop.signal)) {
    for (const byte of piece) {
      if (!isBlank(byte) && !(at < 3 && markBytes.has(byte))) return byte
      at++
    }
  }
  return null
}

/** What is wrong with a file, and why that may be. */
export class Unsound extends Error {
  readonly reason: Message
  readonly hint: Message
  constructor(reason: Message, hint: Message) {
    super(reason.message)
    this.reason = reason
    this.hint = hint
  }
}

/** That a file is cut off or damaged, from what its decoder said. */
export function unsound(path: string, error: unknown): EngineError {
  const make = (what: Message, why: Message): EngineError =>
    new EngineError('FILE_UNREADABLE', runMessage('file_incomplete', { path, what }), {
      hint: runMessage('file_incomplete_fix', { why }),
      cause: error,
    })
  if (error instanceof Unsound) return make(error.reason, error.hint)
  if (error instanceof CutOff || codeOf(error) === 'Z_BUF_ERROR')
    return make(runMessage('compressed_cut_off'), runMessage('file_not_transferred'))
  return make(runMessage('file_is_damaged', { error: reasonOf(error) }), runMessage('content_changed'))
}

function reasonOf(error: unknown): Message | string {
  const reason = messageOf(error)
  if (reason === 'incorrect data check') return runMessage('checksum_wrong')
  if (reason === 'incorrect length check') return runMessage('length_wrong')
  if (reason === 'incorrect header check') return runMessage('trailing_data')
  return reason
}

/**
 * A file without anything in it was most likely not written: a list in JSON and a header line would be there in any case. CSV files whose
 * columns the task declares may be empty, and are left out; the others are returned.
 */
export async function withoutEmpty(
  source: HeadedSource,
  files: readonly string[],
  { tempDir, note }: StageContext,
): Promise<string[]> {
  if (source.format !== 'json' && source.csv === null) return [...files]
  const full: string[] = []
  for (const file of files) {
    const head = source.heads?.get(file)
    const isEmpty =
      head?.isEmpty ??
      ((await sizeOf(file)) <= mostOfNothing && (await firstCharacter(file).catch(() => undefined)) === null)
    if (!isEmpty) {
      full.push(file)
      continue
    }
    const shown = withoutFetched(file, tempDir)
    if (source.csv && Object.keys(source.columns).length > 0) {
      note(runMessage('file_taken_for_no_rows', { file: shown }))
      continue
    }
    const missing = source.format === 'json' ? 'JSON' : source.csv?.header === true ? 'header line' : 'row'
    throw new EngineError('FILE_UNREADABLE', runMessage('file_empty', { file: shown, missing }), {
      hint: source.csv ? runMessage('file_empty_csv_fix') : runMessage('file_empty_fix'),
    })
  }
  return full
}

/** Nothing but blanks, compressed or not, takes no more than this; larger ones are not looked into. */
const mostOfNothing = 128
