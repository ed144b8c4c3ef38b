import { type BigIntStats, constants, existsSync, readFileSync } from 'node:fs'
import { type FileHandle, copyFile, mkdir, open, readlink, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { EngineError, codeOf, messageOf } from './errors.ts'
import { openedFolder } from './fetched.ts'
import { runMessage } from '../../contract/run-messages.ts'

/** A file of this machine for libraries that open files by path. */
export interface HeldFile {
  /** Leads to the opened file, whatever happens to its name or to the folders on its path. On macOS and Windows, its real path. */
  local: string
  facts: BigIntStats
}

/** What the runs of this process hold open, by their temporary folders. */
const held = new Map<string, Set<FileHandle>>()
let count = 0
let places = 0

/** A new folder for links to held files. */
export const newPlace = (tempDir: string): string => join(openedFolder(tempDir), String(places++))

/**
 * Opens a file by its real path, which was checked before, until `releaseFiles`. Throws FILE_CHANGED if the system opened another file,
 * because a folder on the way was replaced by a link. `check` may refuse what was opened. `place` is a new one, for files of different paths.
 * Not linked: SQL can't reach the file where it is, so it gets a copy.
 */
export async function holdFile(
  path: string,
  {
    tempDir,
    place,
    linked,
    check,
  }: { tempDir: string; place: string; linked: boolean; check(facts: BigIntStats): void },
): Promise<HeldFile> {
  const handle = await openChecked(path)
  let keep = false
  try {
    const facts = await handle.stat({ bigint: true })
    if (!facts.isFile()) throw fileMoved(path)
    check(facts)
    if (linked && !canLink) return { local: path, facts }
    // A drive's colon can only be at the start of a path.
    const local = join(place, path.replace(/^([A-Za-z]):/, '$1'))
    keep = linked && count < mostHeld
    if (keep) hold(handle, tempDir)
    const opened = canLink ? `/proc/self/fd/${handle.fd}` : path
    await inFolder(local, () => (keep ? symlink(opened, local) : copyFile(opened, local, constants.COPYFILE_FICLONE)))
    return { local, facts }
  } catch (error) {
    throw error instanceof EngineError ? error : unreadable(path, error)
  } finally {
    if (!keep) await handle.close()
  }
}

/** The same for a folder that is written to: `local` leads to it until `close`. Throws FILE_CHANGED. */
export async function holdFolder(path: string, tempDir: string): Promise<{ local: string; close(): Promise<void> }> {
  if (!canLink) return { local: path, close: async () => undefined }
  const handle = await openChecked(path)
  const local = join(newPlace(tempDir), path)
  await inFolder(local, () => symlink(`/proc/self/fd/${handle.fd}`, local)).catch(async (error: unknown) => {
    await handle.close()
    throw error
  })
  return { local, close: () => handle.close() }
}

/** Most often the folder is there: many files are of one folder. */
async function inFolder(file: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
    await mkdir(dirname(file), { recursive: true })
    await work()
  }
}

/** Only Linux opens the very same file by the path of a descriptor, with a position of its own. */
const canLink = process.platform === 'linux' && existsSync('/proc/self/fd')
/** Half of what the system allows; files beyond are copied. */
const mostHeld = canLink
  ? Number(/^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]) / 2
  : 0

function hold(handle: FileHandle, tempDir: string): void {
  const handles = held.get(tempDir) ?? new Set()
  held.set(tempDir, handles.add(handle))
  count++
}

/** At the end of a run or call. */
export async function releaseFiles(tempDir: string): Promise<void> {
  const handles = held.get(tempDir)
  if (!handles) return
  held.delete(tempDir)
  count -= handles.size
  await Promise.all([...handles].map((handle) => handle.close()))
}

async function openChecked(path: string): Promise<FileHandle> {
  // Without waiting for who writes to it, in case that it has become a pipe.
  const handle = await openFile(path, constants.O_RDONLY | constants.O_NONBLOCK)
  if (!canLink || (await readlink(`/proc/self/fd/${handle.fd}`)) === path) return handle
  await handle.close()
  throw fileMoved(path)
}

/** A file of a run by its path on this machine, `OpenedFile.local`. Throws FILE_CHANGED where it is gone. */
export async function openFile(path: string, flags: number = constants.O_RDONLY): Promise<FileHandle> {
  return open(path, flags).catch((error: unknown) => {
    const code = codeOf(error)
    throw code === 'ENOENT' || code === 'ENOTDIR' ? fileMoved(path, error) : unreadable(path, error)
  })
}

/** A file, or a folder on its path, isn't what it was when it was checked. */
export function fileMoved(path: string, cause?: unknown): EngineError {
  return new EngineError('FILE_CHANGED', runMessage('file_moved', { path }), {
    hint: runMessage('file_moved_fix'),
    cause,
  })
}

function unreadable(path: string, cause: unknown): EngineError {
  return new EngineError('FILE_UNREADABLE', runMessage('file_unopenable', { path, cause: messageOf(cause) }), {
    hint: runMessage('file_unopenable_fix'),
    cause,
  })
}

/** Bytes of the file at `path`. Throws FILE_CHANGED. */
export async function sizeOf(path: string): Promise<number> {
  const handle = await openFile(path)
  try {
    return (await handle.stat()).size
  } finally {
    await handle.close()
  }
}
