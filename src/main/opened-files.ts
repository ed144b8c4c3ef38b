import { randomBytes } from 'node:crypto'
import { open, stat } from 'node:fs/promises'
import { basename, isAbsolute } from 'node:path'
import type { OpenedFile } from '../contract/desktop-bridge.ts'
import { kindOfFile } from './file-kinds.ts'
import type { FileRange } from './ipc-arguments.ts'

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
export function openedFiles(): OpenedFiles {
  const grants = new Map<number, Map<string, Grant>>()

  return {
    async open(owner, path) {
      const size = await sizeOfFile(path)
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
      if (!grant) throw new FileProblem('This page may not read that file any more; open it again.')
      return readRange(grant, start, end)
    },
    forget(owner, keep = []) {
      const own = grants.get(owner)
      for (const token of own?.keys() ?? []) if (!keep.includes(token)) own?.delete(token)
      if (own?.size === 0) grants.delete(owner)
    },
  }
}

async function sizeOfFile(path: string): Promise<number> {
  if (!isAbsolute(path) || path.includes('\0')) throw new FileProblem(`${path} is no whole path.`)
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new FileProblem(reasonOf(error, path))
  })
  if (found.isDirectory()) throw new FileProblem(`${path} is a folder; open the files in it.`)
  // A pipe or a device would never end, or never begin.
  if (!found.isFile()) throw new FileProblem(`${path} is no regular file.`)
  return found.size
}

async function readRange({ path, size }: Grant, start: number, end: number): Promise<Uint8Array> {
  await sizeOfFile(path)
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    throw new FileProblem(reasonOf(error, path))
  })
  try {
    const now = (await file.stat()).size
    if (now < size) throw new FileProblem(`${path} has shrunk from ${size} to ${now} bytes; open it again.`)
    const bytes = new Uint8Array(Math.max(0, Math.min(end, now) - start))
    let filled = 0
    while (filled < bytes.length) {
      const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, start + filled)
      if (bytesRead === 0) throw new FileProblem(`${path} has shrunk while it was read; open it again.`)
      filled += bytesRead
    }
    return bytes
  } finally {
    await file.close()
  }
}

function reasonOf(error: NodeJS.ErrnoException, path: string): string {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR')
    return `Nothing is at ${path}: it was moved or deleted, or lies on another machine.`
  if (error.code === 'EACCES' || error.code === 'EPERM') return `${path} may not be read by you.`
  return `${path} cannot be read: ${error.message}`
}
