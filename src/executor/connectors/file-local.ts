import { mkdir, open, readdir, realpath, rename, rm, stat } from 'node:fs/promises'
import type { BigIntStats } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { basename, dirname, join } from 'node:path'
import type { BoundConnector } from '../../contract/executor-protocol.ts'
import { EngineError, codeOf, messageOf } from '../engine/errors.ts'
import { fileToWrite, folderOf, isBelow, outside } from './file-paths.ts'
import type { FileStore, FileWrite, OpenedFile, StoredFile } from './file-store.types.ts'
import { isoTime, walkTree, type Tree, type TreeFacts } from './file-tree.ts'

/** A folder of this machine. Files are read where they lie. */
export async function openLocalStore(connector: BoundConnector): Promise<FileStore> {
  const folder = await folderOf(connector)
  const tree = localTree(folder, connector)
  const find = async (path: string): Promise<StoredFile | null> => {
    const facts = await tree.facts(path)
    if (facts === null) return null
    if (!(await tree.inside(path))) throw tree.outside(path)
    if (facts.kind === 'file') {
      return { path, size: facts.size, version: facts.version, modified_at: facts.modified_at }
    }
    throw new EngineError('FILE_NOT_FOUND', `\`${path}\` is a folder (connector \`${connector.name}\`)`, {
      hint: 'Name a file in it.',
    })
  }
  return {
    connector,
    place: folder,
    async *list(pattern, options) {
      if (!pattern.literal) return yield* walkTree(tree, pattern, options)
      const found = await find(pattern.text)
      if (found) yield found
    },
    find,
    namesIn: (path) => readdir(join(folder, path)).catch(() => []),
    open: (files) => Promise.all(files.map((file) => openLocal(folder, file))),
    write: (path) => writeLocal(folder, path, connector),
    close: async () => undefined,
  }
}

/** Read where it lies: whoever writes it may do so while it is read. */
async function openLocal(folder: string, file: StoredFile): Promise<OpenedFile> {
  const local = await realpath(join(folder, file.path))
  const facts = (): Promise<BigIntStats | null> => stat(local, { bigint: true }).catch(() => null)
  const before = await facts()
  return {
    file,
    local,
    cut: false,
    async verify() {
      const now = await facts()
      if (now === null) throw changed(local, 'It was removed')
      if (now.ino !== before?.ino || now.dev !== before.dev) throw changed(local, 'It was replaced')
      if (Number(now.size) !== file.size)
        throw changed(local, `It had ${count(file.size)} bytes and has ${count(Number(now.size))} now`)
      if (String(now.mtimeNs) !== file.version) throw changed(local, 'It was written to')
    },
  }
}

function changed(local: string, how: string): EngineError {
  return new EngineError('FILE_CHANGED', `${local} changed while it was being read. ${how}.`, {
    hint: 'Nothing was written. Run again once the file is complete. Programs that write it should write another file and rename it at the end.',
  })
}

function count(bytes: number): string {
  return bytes.toLocaleString('en')
}

function localTree(folder: string, connector: BoundConnector): Tree {
  return {
    async entries(path) {
      try {
        const entries = await readdir(join(folder, path), { withFileTypes: true })
        return entries.map((entry) => ({
          name: entry.name,
          kind: entry.isFile()
            ? 'file'
            : entry.isDirectory()
              ? 'folder'
              : entry.isSymbolicLink()
                ? 'link'
                : ('other' as const),
        }))
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return null // removed meanwhile
        throw new EngineError('FILE_UNREADABLE', `${join(folder, path)} cannot be listed: ${messageOf(error)}`, {
          hint: 'Give the user that Headgate runs as the right to it.',
          cause: error,
        })
      }
    },
    async facts(path): Promise<TreeFacts | null> {
      const found = await stat(join(folder, path), { bigint: true }).catch(() => null)
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

/** Beside the file, to be renamed onto it: readers see the old file or the new one, whole. */
async function writeLocal(folder: string, path: string, connector: BoundConnector): Promise<FileWrite> {
  const file = await fileToWrite(folder, path, connector)
  const local = join(dirname(file), `.${basename(file)}.${process.pid}-${randomBytes(4).toString('hex')}.part`)
  const guarded = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work()
    } catch (error) {
      throw writeError(error, file)
    }
  }
  await guarded(async () => {
    await mkdir(dirname(file), { recursive: true })
    await removeAbandoned(file)
  })
  return {
    local,
    commit: () =>
      guarded(async () => {
        await flush(local, 'r+')
        await rename(local, file)
        // The new name is on the disk, too. Windows keeps names by itself and opens no folders.
        if (process.platform !== 'win32') await flush(dirname(file), 'r')
      }),
    discard: () => rm(local, { force: true }),
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
async function removeAbandoned(file: string): Promise<void> {
  const pattern = new RegExp(
    `^\\.${basename(file).replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}\\.(\\d+)-[0-9a-f]{8}\\.part$`,
  )
  for (const entry of await readdir(dirname(file))) {
    const pid = pattern.exec(entry)?.[1]
    if (pid !== undefined && !isAlive(Number(pid))) await rm(join(dirname(file), entry), { force: true })
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
    return new EngineError('DISK_FULL', `The disk is full: ${file}`, {
      hint: 'Free some space and run again; the file is as it was.',
      cause: thrown,
    })
  }
  return new EngineError('FILE_UNWRITABLE', `${file} cannot be written: ${messageOf(thrown)}`, {
    hint: 'Check that the folder may be written by the user that Headgate runs as.',
    cause: thrown,
  })
}
