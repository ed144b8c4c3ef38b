import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { writeError } from '../connectors/file/local.ts'
import { placeForCopy } from '../connectors/stores/fetch.ts'
import type { OpenedFile } from '../connectors/stores/store.types.ts'
import { cancelled } from '../engine/duckdb.ts'
import { codeOf, EngineError } from '../engine/errors.ts'
import { withoutFetched } from '../engine/fetched.ts'
import type { StageContext } from '../engine/lane.types.ts'
import { unsound } from './files-ends.ts'

/**
 * A file of the run with other content, read in place of the file. `content` gets the name that people know the file by, and returns
 * whether it left out the end. `why` is for the log: "is …". An `EngineError` of the content stays as it is.
 */
export async function copyOf(
  file: OpenedFile,
  { tempDir, signal, log }: StageContext,
  why: string,
  content: (shown: string) => AsyncGenerator<Buffer, boolean>,
): Promise<OpenedFile> {
  const copy = placeForCopy(file.file.path, tempDir)
  const shown = withoutFetched(file.local, tempDir)
  let cut = file.cut
  log('debug', `${shown} ${why}`)
  await mkdir(dirname(copy), { recursive: true })
  try {
    await pipeline(async function* () {
      cut = yield* content(shown)
    }, createWriteStream(copy))
  } catch (error) {
    if (signal.aborted) throw cancelled()
    if (error instanceof EngineError) throw error
    throw codeOf(error) === 'ENOSPC' ? writeError(error, copy) : unsound(shown, error)
  }
  return { ...file, local: copy, cut }
}
