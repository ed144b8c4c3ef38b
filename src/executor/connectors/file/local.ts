import { isUtf8 } from 'node:buffer'
import type { BigIntStats, Dirent } from 'node:fs'
import { copyFile, lstat, mkdir, open, readdir, realpath, rename, rm, stat } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import { basename, dirname, join } from 'node:path'
import type { BoundConnector } from '../../../contract/executor-protocol.ts'
import { isBelow } from '../../../process/own-places.ts'
import { EngineError, codeOf, messageOf } from '../../engine/errors.ts'
import { type HeldFile, fileMoved, holdFile, holdFolder, newPlace } from '../../engine/open-file.ts'
import { isInReach, lookAround, protectedWords, refuseProtected, refuseProtectedFile } from '../../engine/protected.ts'
import { placeFor } from '../stores/fetch.ts'
import { fileToWrite, folderOf, outside } from '../stores/paths.ts'
import type { FileStore, FileWrite, OpenedFile, StoreIo, StoredFile } from '../stores/store.types.ts'
import { escapeName, isoTime, walkTree, type Tree, type TreeEntry, type TreeFacts } from '../stores/tree.ts'
import { runMessage } from '../../../contract/run-messages.ts'

/** A folder of this machine. Files are read where they lie. */
export async function openLocalStore(connector: BoundConnector, io: StoreIo): Promise<FileStore> {
  const folder = await folderOf(connector)
  const tree = localTree(folder, connector, io)
  const find = async (path: string): Promise<StoredFile | null> => {
    refuseProtected(join(folder, path), connector.name)
    const facts = await tree.facts(path)
    if (facts === null) return null
    if (!(await tree.inside(path))) throw tree.outside(path)
    if (facts.kind === 'file') {
      return { path, size: facts.size, version: facts.version, modified_at: facts.modified_at }
    }
    throw new EngineError('FILE_NOT_FOUND', runMessage('path_names_folder', { path, connector: connector.name }), {
      hint: runMessage('path_is_folder_fix'),
    })
  }
  return {
    connector,
    place: folder,
    async *list(pattern, options) {
      refuseProtected(join(folder, pattern.base), connector.name)
      if (!pattern.literal) return yield* walkTree(tree, pattern, options)
      const found = await find(pattern.text)
      if (found) yield found
    },
    find,
    async namesIn(path) {
      return lookAround().holds(join(folder, path)) ? [] : readdir(join(folder, path)).catch(() => [])
    },
    open: (files) => openLocal(folder, files, connector, io),
    write: (path) => writeLocal(folder, path, connector, io),
    close: async () => undefined,
  }
}

function changed(local: string, how: string): EngineError {
  return new EngineError('FILE_CHANGED', runMessage('file_changed_while_read', { local, how }), {
    hint: runMessage('file_changed_while_read_fix'),
  })
}

function count(bytes: number): string {
  return bytes.toLocaleString('en')
}

function localTree(folder: string, connector: BoundConnector, { log }: StoreIo): Tree {
  const look = lookAround()
  const isSkipped = (path: string): boolean => {
    if (!look.holds(join(folder, path))) return false
    log('info', `Skipped ${path}: ${protectedWords}`)
    return true
  }
  return {
    absolute: (path) => join(folder, path),
    async entries(path) {
      if (path !== '' && isSkipped(path)) return null
      try {
        return await entriesOf(join(folder, path))
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return null // removed meanwhile
        throw new EngineError(
          'FILE_UNREADABLE',
          runMessage('folder_unlistable', { folder: join(folder, path), cause: messageOf(error) }),
          {
            hint: runMessage('folder_check_failed_fix'),
            cause: error,
          },
        )
      }
    },
    async facts(path): Promise<TreeFacts | null> {
      const whole = join(folder, path)
      const itself = await lstat(whole, { bigint: true }).catch(() => null)
      // Folders are checked when they are entered. Links and files with several names may still lead to a protected file.
      const doubtful = itself?.isSymbolicLink() === true || (itself?.isFile() === true && itself.nlink > 1n)
      if (!itself || (doubtful && isSkipped(path))) return null
      const found = itself.isSymbolicLink() ? await stat(whole, { bigint: true }).catch(() => null) : itself
      if (!found) return null
      return {
        kind: found.isFile() ? 'file' : found.isDirectory() ? 'folder' : 'other',
        size: Number(found.size),
        version: String(found.mtimeNs),
        modified_at: isoTime(Number(found.mtimeMs)),
      }
    },
    async inside(path) {
      const real = await realpath(join(folder, path)).catch(() => null)
      return real !== null && isBelow(folder, real)
    },
    outside: (path) => outside(path, connector),
  }
}

async function entriesOf(folder: string): Promise<TreeEntry[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  // This character stands for bytes that are not UTF-8, but may also be a part of the name.
  if (!entries.some(({ name }) => name.includes('\ufffd')))
    return entries.map((entry) => ({ name: entry.name, kind: kindOf(entry) }))
  const raw = await readdir(folder, { withFileTypes: true, encoding: 'buffer' })
  return raw.map((entry) => ({
    name: entry.name.toString(),
    kind: kindOf(entry),
    ...(isUtf8(entry.name) ? {} : { escaped: escapeName(entry.name) }),
  }))
}

function kindOf(entry: Dirent<string | Buffer>): TreeEntry['kind'] {
  if (entry.isFile()) return 'file'
  if (entry.isDirectory()) return 'folder'
  return entry.isSymbolicLink() ? 'link' : 'other'
}

/** Checks each file again, as it may have been replaced since it was listed. Whoever writes it may do so while it is read. */
async function openLocal(
  folder: string,
  files: readonly StoredFile[],
  connector: BoundConnector,
  { tempDir }: StoreIo,
): Promise<OpenedFile[]> {
  const look = lookAround()
  const place = newPlace(tempDir)
  // Links may lead to the same file.
  const held = new Map<string, Promise<HeldFile>>()
  return Promise.all(
    files.map(async (file) => {
      const whole = join(folder, file.path)
      const real = await realpath(whole).catch((error: unknown) => {
        throw fileMoved(whole, error)
      })
      if (!isBelow(folder, real)) throw outside(file.path, connector)
      refuseProtected(real, connector.name, look)
      const holding =
        held.get(real) ??
        holdFile(real, {
          tempDir,
          place,
          linked: isInReach(folder, real),
          check: (opened) => refuseProtectedFile(opened, real, connector.name, look),
        })
      held.set(real, holding)
      const { local, facts } = await holding
      return { file, local, cut: false, verify: () => requireUnchanged(real, file, facts) }
    }),
  )
}

async function requireUnchanged(path: string, file: StoredFile, before: BigIntStats): Promise<void> {
  const now = await stat(path, { bigint: true }).catch(() => null)
  if (now === null) throw changed(path, 'It was removed')
  if (now.ino !== before.ino || now.dev !== before.dev) throw changed(path, 'It was replaced')
  if (Number(now.size) !== file.size)
    throw changed(path, `It had ${count(file.size)} bytes and has ${count(Number(now.size))} now`)
  // The time of writing can be set back, as copying tools do; the system's own cannot.
  if (String(now.mtimeNs) !== file.version || now.ctimeNs !== before.ctimeNs) throw changed(path, 'It was written to')
}

/** Beside the file, to be renamed onto it: readers see the old file or the new one, whole. */
async function writeLocal(
  folder: string,
  path: string,
  connector: BoundConnector,
  { tempDir }: StoreIo,
): Promise<FileWrite> {
  const file = await fileToWrite(folder, path, connector)
  const partName = `.${basename(file)}.${process.pid}-${randomBytes(4).toString('hex')}.part`
  const guarded = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      throw writeError(error, file)
    }
  }
  const held = await guarded(async () => {
    await mkdir(dirname(file), { recursive: true })
    return holdFolder(dirname(file), tempDir)
  })
  const part = join(held.local, partName)
  const local = isInReach(folder, join(dirname(file), partName)) ? part : placeFor(partName, tempDir)
  const discard = async (): Promise<void> => {
    await rm(part, { force: true })
    await rm(local, { force: true })
    await held.close()
  }
  await guarded(async () => {
    await removeAbandoned(held.local, basename(file))
    await mkdir(dirname(local), { recursive: true })
  }).catch(async (error: unknown) => {
    await discard()
    throw error
  })
  return {
    local,
    commit: () =>
      guarded(async () => {
        // A folder on the way may have been replaced by a link.
        if ((await fileToWrite(folder, path, connector)) !== file) throw outside(path, connector)
        if (local !== part) await rename(local, part).catch(() => copyFile(local, part))
        await flush(part, 'r+')
        await rename(part, join(held.local, basename(file)))
        // The new name is on the disk, too. Windows keeps names by itself and opens no folders.
        if (process.platform !== 'win32') await flush(held.local, 'r')
      }),
    discard,
  }
}

/** On the disk before it gets its name: a power cut leaves the old file or the new one. */
async function flush(path: string, flags: 'r' | 'r+'): Promise<void> {
  const handle = await open(path, flags)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Parts of runs whose process is gone: after a kill nobody else would remove them. */
async function removeAbandoned(folder: string, name: string): Promise<void> {
  const pattern = new RegExp(`^\\.${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}\\.(\\d+)-[0-9a-f]{8}\\.part$`)
  for (const entry of await readdir(folder)) {
    const pid = pattern.exec(entry)?.[1]
    if (pid !== undefined && !isAlive(Number(pid))) await rm(join(folder, entry), { force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

/** What went wrong with writing a file of this machine. */
export function writeError(thrown: unknown, file: string): EngineError {
  if (thrown instanceof EngineError) return thrown
  if (codeOf(thrown) === 'ENOSPC' || codeOf(thrown) === 'EDQUOT') {
    return new EngineError('DISK_FULL', runMessage('disk_full_for_file', { file }), {
      hint: runMessage('disk_full_for_file_fix'),
      cause: thrown,
    })
  }
  return new EngineError('FILE_UNWRITABLE', runMessage('file_unwritable', { file, cause: messageOf(thrown) }), {
    hint: runMessage('file_unwritable_fix'),
    cause: thrown,
  })
}
