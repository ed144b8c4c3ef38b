/**
 * What no connector may open. This is state of the process rather than a parameter, so that no caller can forget to pass it on.
 */
import { type BigIntStats, fstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { OwnPlaces, entriesIn, identity, isBelow, type Look, type OwnPlace } from '../../process/own-places.ts'
import { EngineError } from './errors.ts'
import { runMessage } from '../../contract/run-messages.ts'

let places = new OwnPlaces()
const reaches = new Map<string, string[]>()

/** Called before each run or call with the places that are protected now. */
export function protect(reported: readonly OwnPlace[]): void {
  places = new OwnPlaces(reported)
  reaches.clear()
}

/** One for all files of one operation. */
export function lookAround(): Look {
  return places.look()
}

export function refuseProtected(path: string, connector: string, look: Look = lookAround()): void {
  if (look.holds(path)) throw refusal(path, connector)
}

/** The same for a file that was opened. */
export function refuseProtectedFile(
  { dev, ino, nlink }: BigIntStats,
  path: string,
  connector: string,
  look: Look,
): void {
  if (nlink > 1n && look.holdsFile(`${dev}:${ino}`)) throw refusal(path, connector)
}

export const protectedWords = 'the path leads to Headgate’s own files'

function refusal(path: string, connector: string): EngineError {
  return new EngineError('PATH_PROTECTED', runMessage('path_protected', { connector, path, cause: protectedWords }), {
    hint: runMessage('path_protected_fix'),
  })
}

/**
 * For libraries that open files by path: refuses protected paths, and returns a second check of what was really opened, to be called
 * before the first statement. A link may have changed in between.
 */
export function watchOpening(paths: readonly string[], connector: string): () => void {
  const look = lookAround()
  for (const path of paths) refuseProtected(path, connector, look)
  const before = openFiles()
  return () => {
    const now = lookAround()
    for (const path of paths) refuseProtected(path, connector, now)
    const expected = new Set(paths.map(identity))
    for (const [descriptor, id] of openFiles()) {
      if (before.get(descriptor) === id || expected.has(id)) continue
      if (now.holdsFile(id)) throw refusal(paths[0] ?? '', connector)
    }
  }
}

/** Device and inode of every open file of this process, by descriptor. Empty where the system doesn't list them. */
function openFiles(): Map<string, string> {
  const found = new Map<string, string>()
  for (const descriptor of descriptors()) {
    try {
      const { dev, ino } = fstatSync(Number(descriptor), { bigint: true })
      found.set(descriptor, `${dev}:${ino}`)
    } catch {
      // Already closed, such as the descriptor that was used for listing.
    }
  }
  return found
}

function descriptors(): string[] {
  try {
    return process.platform === 'win32' ? [] : readdirSync('/dev/fd')
  } catch {
    return []
  }
}

/**
 * The folders and files that SQL may open below a connector's folder: the folder itself, or, if it contains protected places, everything
 * else in it. Cached for one run or call, because an open session can't be given access to more.
 */
export function reachOf(folder: string): string[] {
  const known = reaches.get(folder)
  if (known) return known
  const closed = places.below(folder)
  const reach = closed.length === 0 ? [folder] : beside(folder, closed)
  reaches.set(folder, reach)
  return reach
}

function beside(folder: string, closed: readonly string[]): string[] {
  return entriesIn(folder).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (closed.includes(path) || !(entry.isFile() || entry.isDirectory())) return []
    return closed.some((place) => isBelow(path, place)) ? beside(path, closed) : [path]
  })
}

/** Whether SQL may open a file below a connector's folder, by its real path. */
export function isInReach(folder: string, path: string): boolean {
  return reachOf(folder).some((open) => isBelow(open, path))
}
