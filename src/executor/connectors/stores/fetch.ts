import { createHash } from 'node:crypto'
import { mkdir, open, statfs, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { addAbortSignal, type Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { cancelled } from '../../engine/duckdb.ts'
import { EngineError, codeOf } from '../../engine/errors.ts'
import { copySuffix, fetchedFolder } from '../../engine/fetched.ts'
import type { OpenedFile, StoreIo, StoredFile } from './store.types.ts'
import { runMessage } from '../../../contract/run-messages.ts'

/** What fetching needs of a store that is far away. */
export interface Remote {
  readonly place: string
  find(path: string): Promise<StoredFile | null>
  /** The content of this very version between two offsets. Throws `FileChanged` where it is no more. */
  read(file: StoredFile, from: number, end: number): Promise<Readable>
  /** Whether the content was this version's from start to end; `md5` of what came. Throws `FileChanged`. */
  verify(file: StoredFile, md5: string): Promise<void>
  /** null: it may go better the next time. Else what is to be told. */
  failure(error: unknown, file: StoredFile): EngineError | null
  /** What is told when it has not gone better. */
  lost(error: unknown, file: StoredFile): EngineError
}

/** The file is not what it was when it was listed. */
export class FileChanged extends Error {}

const atOnce = 8
const mostFailures = 4
const mostChanges = 3
/** A connection that says nothing for so long is given up. */
const silenceMs = 60_000
/** Left free on the disk. */
const reserve = 64 * 1024 * 1024

let fetches = 0

/** A unique path for a copy of a file in the run's temporary folder. */
export function placeFor(path: string, tempDir: string): string {
  return join(fetchedFolder(tempDir), String(fetches++), localPath(path))
}

/** The same for a copy that is not packed: no reader must take it for one by its name. */
export function placeForCopy(path: string, tempDir: string): string {
  return placeFor(path, tempDir) + copySuffix
}

/** Fetches files into the run's temporary folder, a few at once. */
export async function fetchFiles(
  remote: Remote,
  files: readonly StoredFile[],
  io: StoreIo,
  most: number | null,
): Promise<OpenedFile[]> {
  const folder = fetchedFolder(io.tempDir)
  await mkdir(folder, { recursive: true })
  await refuseTooMuch(remote, files, folder, most)
  const opened: OpenedFile[] = []
  let next = 0
  let failed = false
  const work = async (): Promise<void> => {
    for (let at = next++; at < files.length && !failed; at = next++) {
      const file = files[at]
      if (!file) return
      const local = placeFor(file.path, io.tempDir)
      try {
        const fetched = await fetchFile(remote, file, local, io, most)
        const cut = most !== null && fetched.size > most
        opened[at] = { file: fetched, local, cut, verify: async () => undefined }
      } catch (error) {
        failed = true
        throw error
      }
    }
  }
  const workers = Array.from({ length: Math.min(atOnce, files.length) }, work)
  const outcomes = await Promise.allSettled(workers)
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
  return opened
}

async function refuseTooMuch(
  remote: Remote,
  files: readonly StoredFile[],
  folder: string,
  most: number | null,
): Promise<void> {
  const wanted = files.reduce((sum, file) => sum + Math.min(file.size, most ?? file.size), 0)
  const disk = await statfs(folder)
  const free = disk.bavail * disk.bsize
  if (wanted + reserve < free) return
  throw new EngineError(
    'DISK_FULL',
    runMessage('files_larger_than_disk', { size: wanted, folder, free, place: remote.place }),
    { hint: runMessage('files_larger_than_disk_fix') },
  )
}

/** Fetches one file; goes on where a connection broke off, and begins again when the file has changed meanwhile. */
async function fetchFile(
  remote: Remote,
  listed: StoredFile,
  local: string,
  io: StoreIo,
  most: number | null,
): Promise<StoredFile> {
  await mkdir(dirname(local), { recursive: true })
  const handle = await open(local, 'w')
  try {
    let file = listed
    for (let changes = 0; ; changes++) {
      try {
        await fetchVersion(remote, file, handle, io, most)
        return file
      } catch (error) {
        if (!(error instanceof FileChanged)) throw error
        if (changes === mostChanges) throw keepsChanging(remote, file)
        file = (await remote.find(file.path)) ?? vanished(remote, file)
        io.log('info', `${file.path} has changed since it was listed; fetching it again`)
      }
    }
  } finally {
    await handle.close()
  }
}

async function fetchVersion(
  remote: Remote,
  file: StoredFile,
  handle: FileHandle,
  io: StoreIo,
  most: number | null,
): Promise<void> {
  const end = Math.min(file.size, most ?? file.size)
  const hash = createHash('md5')
  let done = 0
  await handle.truncate(0)
  for (let failures = 0; done < end || file.size === 0;) {
    const before = done
    try {
      for await (const chunk of spoken(await remote.read(file, done, end), io.signal)) {
        const bytes = chunk.subarray(0, end - done)
        await put(handle, bytes, done)
        hash.update(bytes)
        done += bytes.length
        if (done >= end) break
      }
      if (file.size === 0) break
      if (done < end) throw new Error(`the connection ended after ${done} of ${file.size} bytes`)
    } catch (error) {
      if (io.signal.aborted) throw cancelled()
      if (error instanceof FileChanged || error instanceof EngineError) throw error
      const final = remote.failure(error, file)
      if (final) throw final
      failures = done > before ? 1 : failures + 1
      if (failures > mostFailures) throw remote.lost(error, file)
      await sleep(100 * 2 ** failures, undefined, { signal: io.signal }).catch(() => Promise.reject(cancelled()))
    }
  }
  if (end === file.size) await remote.verify(file, hash.digest('hex'))
}

/** The stream's chunks, as long as they keep coming. */
async function* spoken(stream: Readable, signal: AbortSignal): AsyncGenerator<Buffer> {
  addAbortSignal(signal, stream)
  const timer = setTimeout(
    () => stream.destroy(new Error(`nothing was heard for ${silenceMs / 1000} seconds`)),
    silenceMs,
  )
  try {
    for await (const chunk of stream) {
      timer.refresh()
      yield chunk as Buffer // neither store sets an encoding
    }
  } finally {
    clearTimeout(timer)
    stream.destroy()
  }
}

async function put(handle: FileHandle, bytes: Buffer, at: number): Promise<void> {
  try {
    for (let done = 0; done < bytes.length;) {
      done += (await handle.write(bytes, done, bytes.length - done, at + done)).bytesWritten
    }
  } catch (error) {
    const full = codeOf(error) === 'ENOSPC' || codeOf(error) === 'EDQUOT'
    throw new EngineError(
      full ? 'DISK_FULL' : 'FILE_UNWRITABLE',
      full ? runMessage('temp_disk_full') : runMessage('temp_folder_unwritable'),
      { hint: runMessage('temp_disk_full_fix'), cause: error },
    )
  }
}

function keepsChanging(remote: Remote, file: StoredFile): EngineError {
  return new EngineError(
    'FILE_UNREADABLE',
    runMessage('file_keeps_changing', { place: remote.place, path: file.path }),
    {
      hint: runMessage('file_keeps_changing_fix'),
    },
  )
}

function vanished(remote: Remote, file: StoredFile): never {
  throw new EngineError(
    'FILE_NOT_FOUND',
    runMessage('file_removed_before_read', { place: remote.place, path: file.path }),
    {
      hint: runMessage('file_removed_before_read_fix'),
    },
  )
}

/** A name that every disk takes, as like the file's own as can be: DuckDB tells it in its messages. */
function localPath(path: string): string {
  const names = path.split('/').map((name) =>
    name
      // What is special on a disk or in DuckDB's patterns.
      .replace(
        // oxlint-disable-next-line no-control-regex -- control characters are what it is about
        /[\u0000-\u001F\\:*?"<>|%[\]{}]/g,
        (special) => `%${special.charCodeAt(0).toString(16).padStart(2, '0')}`,
      )
      .replace(/^(\.{1,2})?$/, '_'),
  )
  const whole = names.join('/')
  if (Buffer.byteLength(whole) <= 1000 && names.every((name) => Buffer.byteLength(name) <= 200)) return whole
  const ending = /(\.[A-Za-z0-9]{1,10}){0,2}$/.exec(path)?.[0] ?? ''
  return createHash('sha256').update(path).digest('hex') + ending
}
