import { randomBytes } from 'node:crypto'
import { open, stat } from 'node:fs/promises'
import { basename, isAbsolute } from 'node:path'
import type { OpenedFile } from '../../contract/desktop-bridge.ts'
import { kindOfFile } from './file-kinds.ts'
import type { FileRange } from '../bridge/ipc-arguments.ts'
import type { Words } from '../words.ts'

/** Somebody named a file that cannot be opened; the message is for the user. */
export class FileProblem extends Error {}

export interface OpenedFiles {
  /** Lets the page `owner` read the file until `forget`. Throws a FileProblem when it is none. */
  open(owner: number, path: string): Promise<OpenedFile>
  read(owner: number, range: FileRange): Promise<Uint8Array>
  /** The page has ended; tokens that no page has got yet are kept for the next one. */
  forget(owner: number, keep?: readonly string[]): void
}

interface Grant {
  path: string
  size: number
}

/**
 * The files that the user opened with Headgate. A page reads by a token that is its own and ends with it; of a file that
 * Headgate does not know by its name it learns name and size, and reads nothing.
 */
export function openedFiles(words: () => Words): OpenedFiles {
  const grants = new Map<number, Map<string, Grant>>()

  return {
    async open(owner, path) {
      const size = await sizeOfFile(path, words())
      const name = basename(path)
      const kind = kindOfFile(name)
      if (kind === 'unknown') return { token: '', name, path, kind, size }
      const own = grants.get(owner) ?? new Map<string, Grant>()
      grants.set(owner, own)
      const token = randomBytes(24).toString('base64url')
      own.set(token, { path, size })
      return { token, name, path, kind, size }
    },
    async read(owner, { token, start, end }) {
      const grant = grants.get(owner)?.get(token)
      if (!grant) throw new FileProblem(words().pageEnded)
      return readRange(grant, start, end, words())
    },
    forget(owner, keep = []) {
      const own = grants.get(owner)
      for (const token of own?.keys() ?? []) if (!keep.includes(token)) own?.delete(token)
      if (own?.size === 0) grants.delete(owner)
    },
  }
}

async function sizeOfFile(path: string, words: Words): Promise<number> {
  if (!isAbsolute(path) || path.includes('\0')) throw new FileProblem(words.notAbsolute(path))
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new FileProblem(reasonOf(error, path, words))
  })
  if (found.isDirectory()) throw new FileProblem(words.isFolder(path))
  // A pipe or a device would never end, or never begin.
  if (!found.isFile()) throw new FileProblem(words.notRegular(path))
  return found.size
}

async function readRange({ path, size }: Grant, start: number, end: number, words: Words): Promise<Uint8Array> {
  await sizeOfFile(path, words)
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    throw new FileProblem(reasonOf(error, path, words))
  })
  try {
    const now = (await file.stat()).size
    if (now < size) throw new FileProblem(words.shrunk(path, size, now))
    const bytes = new Uint8Array(Math.max(0, Math.min(end, now) - start))
    let filled = 0
    while (filled < bytes.length) {
      const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, start + filled)
      if (bytesRead === 0) throw new FileProblem(words.shrunk(path, now, start + filled))
      filled += bytesRead
    }
    return bytes
  } finally {
    await file.close()
  }
}

function reasonOf(error: NodeJS.ErrnoException, path: string, words: Words): string {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return words.nothingAt(path)
  if (error.code === 'EACCES' || error.code === 'EPERM') return words.notYours(path)
  return words.unreadable(path, error.message)
}
