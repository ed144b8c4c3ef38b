import { readdirSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'

/** A folder of Headgate's own, as seen by the process that reported it. */
export interface OwnPlace {
  path: string
  /** Device and inode: the same path on another machine is a different folder. */
  id: string
}

/** The places for these paths. Paths that don't exist are skipped. */
export function ownPlaces(paths: readonly string[]): OwnPlace[] {
  return paths.flatMap((path) => {
    const id = identity(path)
    return id === null ? [] : [{ path, id }]
  })
}

/** Device and inode of what the path leads to. null: nothing exists there, or it can't be read. */
export function identity(path: string): string | null {
  return inspect(path)?.id ?? null
}

interface Found {
  id: string
  folder: boolean
  /** Number of hard links. */
  links: bigint
}

function inspect(path: string): Found | null {
  try {
    const stats = statSync(path, { bigint: true })
    return { id: `${stats.dev}:${stats.ino}`, folder: stats.isDirectory(), links: stats.nlink }
  } catch {
    return null
  }
}

/** Every data folder contains these files, wherever it is mounted and whichever Headgate owns it. */
const storeName = 'headgate.db'
const ofDataFolders = [storeName, 'lock.db']
/** Temporary folders of executors and the command line, which hold files of other runs. */
const temporary = /^headgate-(executor|cli)-\d+-/
/** Exposes the environment, memory and open files of every process of the same user. */
const processes = process.platform === 'linux' ? '/proc' : null
const mostLinks = 40

/** Headgate's own places on this machine: the reported ones, and those that can be recognized by themselves. */
export class OwnPlaces {
  readonly #known: readonly OwnPlace[]
  readonly #ids: ReadonlySet<string>

  constructor(given: readonly OwnPlace[] = []) {
    this.#known = [...given, ...ownPlaces(processes === null ? [] : [processes])].filter(
      ({ path, id }) => identity(path) === id,
    )
    this.#ids = new Set(this.#known.map(({ id }) => id))
  }

  /** Caches what it finds out, so use a new one for each operation. */
  look(): Look {
    return new Look(
      (folder) => this.#isOwn(folder),
      () => this.#files(),
    )
  }

  /** Real paths of the places below a folder. */
  below(folder: string): string[] {
    const temporaries = namesIn(tmpdir()).filter((name) => temporary.test(name))
    const all = [...this.#known.map(({ path }) => path), ...temporaries.map((name) => join(tmpdir(), name))]
    return all
      .map((path) => follow(path))
      .filter((path): path is string => path !== null && path !== folder && isBelow(folder, path))
  }

  #isOwn(folder: string): boolean {
    const id = identity(folder)
    if (id === null) return false
    if (this.#ids.has(id) || ofDataFolders.every((name) => identity(join(folder, name)) !== null)) return true
    return temporary.test(basename(folder)) && identity(dirname(folder)) === identity(tmpdir())
  }

  /** Every file in the reported places: any of them may have a hard link elsewhere. */
  #files(): Set<string> {
    const found = new Set<string>()
    const folders = this.#known.map(({ path }) => path).filter((path) => path !== processes)
    for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
      for (const entry of entriesIn(folder)) {
        const path = join(folder, entry.name)
        if (entry.isDirectory()) folders.push(path)
        else if (entry.isFile()) found.add(identity(path) ?? '')
      }
    }
    return found
  }
}

export class Look {
  readonly #isOwn: (folder: string) => boolean
  readonly #files: () => Set<string>
  readonly #folders = new Map<string, boolean>()
  #known: Set<string> | null = null

  constructor(isOwn: (folder: string) => boolean, files: () => Set<string>) {
    this.#isOwn = isOwn
    this.#files = files
  }

  /**
   * Whether the path, after following links, is one of the places or lies inside one, or would if it were created. Also true for a hard
   * link to a file inside.
   */
  holds(path: string): boolean {
    // Some libraries resolve `..` in the text of a path before the system sees it.
    return this.#leadsIn(path) || (path.includes('..') && this.#leadsIn(resolve(path)))
  }

  /** Whether this device and inode is a file in one of the places. */
  holdsFile(id: string): boolean {
    this.#known ??= this.#files()
    return this.#known.has(id)
  }

  #leadsIn(path: string): boolean {
    const real = follow(path)
    // A path that can't be resolved for certain is refused.
    if (real === null || this.#folderHeld(dirname(real))) return true
    // A file of this name would make its folder a data folder, which nothing may open any more.
    if (basename(real).toLowerCase() === storeName) return true
    const found = inspect(real)
    if (found === null) return false
    return found.folder ? this.#folderHeld(real) : found.links > 1n && this.holdsFile(found.id)
  }

  #folderHeld(folder: string): boolean {
    const known = this.#folders.get(folder)
    if (known !== undefined) return known
    const above = dirname(folder)
    const held = this.#isOwn(folder) || (above !== folder && this.#folderHeld(above))
    this.#folders.set(folder, held)
    return held
  }
}

/** The real path, also if its last parts don't exist yet. null: it can't be resolved for certain, such as the root of another process. */
function follow(path: string, links = mostLinks): string | null {
  try {
    return realPath(path)
  } catch {
    const above = dirname(path)
    if (above === path) return path
    const folder = follow(above, links)
    if (folder === null) return null
    const whole = join(folder, basename(path))
    const target = linkTarget(whole)
    if (target === null) return whole
    return links === 0 ? null : follow(isAbsolute(target) ? target : `${folder}${sep}${target}`, links - 1)
  }
}

/** Links in `/proc` can lead somewhere other than their text says. Retries, as a file may be replaced between the two looks. */
function realPath(path: string): string | null {
  for (let tries = 0; tries < 5; tries++) {
    const real = realpathSync.native(path)
    if (real === path || identity(real) === identity(path)) return real
  }
  return null
}

function linkTarget(path: string): string | null {
  try {
    return readlinkSync(path)
  } catch {
    return null // not a link, or nothing exists
  }
}

const namesIn = (folder: string): string[] => entriesIn(folder).map(({ name }) => name)

export function entriesIn(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return [] // gone or unreadable: nothing inside can be opened either
  }
}

export function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}
