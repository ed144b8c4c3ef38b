import { readdirSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'

/** A folder that Headgate keeps for itself, as the process that told of it sees it. */
export interface OwnPlace {
  path: string
  /** Device and inode: on another machine the same path is another folder. */
  id: string
}

/** Those of these folders that are there. */
export function ownPlaces(paths: readonly string[]): OwnPlace[] {
  return paths.flatMap((path) => {
    const id = identity(path)
    return id === null ? [] : [{ path, id }]
  })
}

/** Device and inode of what the path leads to; null: nothing is there, or nobody may look. */
export function identity(path: string): string | null {
  return inspect(path)?.id ?? null
}

interface Found {
  id: string
  folder: boolean
  /** Names that it has. */
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

/** Every data folder has these, wherever it is mounted and whichever Headgate it belongs to. */
const ofDataFolders = ['headgate.db', 'lock.db']
/** What executors and the command line keep in the system's temporary folder: files of other runs. */
const temporary = /^headgate-(executor|cli)-\d+-/
/** Shows environments, memory and open files of every process of the same user. */
const processes = process.platform === 'linux' ? '/proc' : null
const mostLinks = 40

/** What Headgate keeps for itself on this machine: the places it was told of, and those that show what they are. */
export class OwnPlaces {
  readonly #told: readonly OwnPlace[]
  readonly #ids: ReadonlySet<string>

  constructor(told: readonly OwnPlace[] = []) {
    this.#told = [...told, ...ownPlaces(processes === null ? [] : [processes])].filter(
      ({ path, id }) => identity(path) === id,
    )
    this.#ids = new Set(this.#told.map(({ id }) => id))
  }

  /** A look around that remembers what it has seen: for one piece of work, not longer. */
  look(): Look {
    return new Look(
      (folder) => this.#isOwn(folder),
      () => this.#files(),
    )
  }

  /** Real paths of the places below a folder. */
  below(folder: string): string[] {
    const temporaries = namesIn(tmpdir()).filter((name) => temporary.test(name))
    const all = [...this.#told.map(({ path }) => path), ...temporaries.map((name) => join(tmpdir(), name))]
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

  /** Every file in the places: a file may have a second name elsewhere. */
  #files(): Set<string> {
    const found = new Set<string>()
    const folders = this.#told.map(({ path }) => path).filter((path) => path !== processes)
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

  /** Whether the path, wherever links lead it, is one of the places, lies in one, or would once it is made. Names a file of them, too. */
  holds(path: string): boolean {
    // Some libraries take `..` out of a path before the system sees it.
    return this.#leadsIn(path) || (path.includes('..') && this.#leadsIn(resolve(path)))
  }

  /** Whether this is a file of the places, under whatever name it was opened. */
  holdsFile(id: string): boolean {
    this.#known ??= this.#files()
    return this.#known.has(id)
  }

  #leadsIn(path: string): boolean {
    const real = follow(path)
    // Who cannot tell where it leads lets nobody go there.
    if (real === null || this.#folderHeld(dirname(real))) return true
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

/** Where a path leads, also when the end of the way is yet to be made; null: nobody can tell, as with processes that have another root. */
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

/** Links of `/proc` may say one thing and lead to another. A file that is being replaced just now is looked at again. */
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
    return null // no link, or nothing at all
  }
}

const namesIn = (folder: string): string[] => entriesIn(folder).map(({ name }) => name)

function entriesIn(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return [] // gone, or closed to us: then nothing in it can be opened either
  }
}

export function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}
