/**
 * What no connector may open. It is the process that must not, so it is the process that knows: nobody has to hand it on, and nobody can
 * forget to.
 */
import { fstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { OwnPlaces, identity, isBelow, type Look, type OwnPlace } from '../../process/own-places.ts'
import { EngineError } from './errors.ts'

let places = new OwnPlaces()
const reaches = new Map<string, string[]>()

/** Before each piece of work: what Headgate keeps for itself now. */
export function protect(told: readonly OwnPlace[]): void {
  places = new OwnPlaces(told)
  reaches.clear()
}

/** One look for all files of one operation. */
export function lookAround(): Look {
  return places.look()
}

export function refuseProtected(path: string, connector: string, look: Look = lookAround()): void {
  if (look.holds(path)) throw refusal(path, connector)
}

function refusal(path: string, connector: string): EngineError {
  return new EngineError(
    'PATH_PROTECTED',
    `Connector \`${connector}\` may not open \`${path}\`: it belongs to Headgate`,
    {
      hint: 'Headgate keeps its data folder, its backups and the temporary files of runs to itself, by whatever path. Use another folder.',
    },
  )
}

/**
 * For libraries that open files by themselves, by their paths: refuses what is protected, and gives a second look at what they have
 * really opened, which must come before they are asked for anything. A link may have been changed between the two.
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

/** Files that this process has open, by descriptor. Empty where the system does not list them. */
function openFiles(): Map<string, string> {
  const found = new Map<string, string>()
  for (const descriptor of descriptors()) {
    try {
      const { dev, ino } = fstatSync(Number(descriptor), { bigint: true })
      found.set(descriptor, `${dev}:${ino}`)
    } catch {
      // Closed meanwhile: the one that listed them was among them.
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
 * What SQL may open below a connector's folder: all of it; where Headgate's own places lie below it, everything beside those. It stays the
 * same for as long as a piece of work takes, as a session cannot be given more later.
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
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (closed.includes(path) || !(entry.isFile() || entry.isDirectory())) return []
    return closed.some((place) => isBelow(path, place)) ? beside(path, closed) : [path]
  })
}

/** Whether SQL may open a file, below a connector's folder, by its real path. */
export function isInReach(folder: string, path: string): boolean {
  return reachOf(folder).some((open) => isBelow(open, path))
}
