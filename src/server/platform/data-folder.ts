import Sqlite, { type Database } from 'better-sqlite3'
import { chmodSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '../../process/data-dir.ts'
import { StartupError } from './startup-error.ts'

/** What stands in the data folder, by path. */
export interface DataFolder {
  readonly path: string
  readonly database: string
  readonly secretKey: string
  /** What the keychain of the system encrypted: keys of the desktop app. */
  readonly keychainKey: string
  readonly endpoint: string
  /** How far the store has got. */
  readonly head: string
  /** Lets another server have the folder. */
  release(): void
}

/** Where a running server is: `endpoint.json`, for command line and executors. */
export interface Endpoint {
  url: string
  pid: number
  version: string
  started_at: string
}

/** Beside the store, for whoever reads the folder without taking it. */
export const headFile = (dataDir: string): string => join(dataDir, 'headgate.head')

/** Takes rights away from others, gives none to ourselves: a folder that was made read-only is meant to be. */
function keepOthersOut(path: string): void {
  const { mode } = statSync(path)
  if ((mode & 0o077) !== 0) chmodSync(path, mode & 0o700)
}

/** Makes the folder (0700) where needed and takes it for this process, which one process can at a time. */
export function openDataFolder(path: string): DataFolder {
  try {
    makeFolder(path)
    keepOthersOut(path)
    const probe = join(path, `.write-${process.pid}`)
    writeFileSync(probe, '')
    rmSync(probe)
  } catch (error) {
    throw new StartupError(
      `The data folder ${path} cannot be written (${reasonOf(error)}). Correct its rights, or name another with --data-dir.`,
      error,
    )
  }
  const endpoint = join(path, 'endpoint.json')
  const lock = lockFolder(path, endpoint)
  // What a server that was killed has left.
  removeEndpoint(endpoint)
  return {
    path,
    database: join(path, 'headgate.db'),
    secretKey: join(path, 'secret.key'),
    keychainKey: join(path, 'secret.key.keychain'),
    endpoint,
    head: headFile(path),
    release: () => void lock.close(),
  }
}

/**
 * SQLite's own file lock, held for as long as the process lives: the system lets go of it even after kill -9, and no stale
 * file has to be judged.
 */
function lockFolder(path: string, endpoint: string): Database {
  const file = join(path, 'lock.db')
  let lock: Database | undefined
  try {
    lock = new Sqlite(file, { timeout: 0 })
    lock.pragma('locking_mode = EXCLUSIVE')
    lock.exec('BEGIN EXCLUSIVE')
    return lock
  } catch (error) {
    lock?.close()
    if (codeOf(error).startsWith('SQLITE_BUSY')) throw inUse(path, endpoint)
    throw new StartupError(`The data folder ${path} cannot be locked by ${file} (${reasonOf(error)}).`, error)
  }
}

function inUse(path: string, endpoint: string): StartupError {
  const other = readEndpoint(endpoint)
  const who = other ? `pid ${other.pid}, ${other.url}` : 'just starting'
  return new StartupError(
    `Another Headgate (${who}) is using the data folder ${path}. Use that one, end it, or name another folder with --data-dir.`,
  )
}

export function readEndpoint(file: string): Endpoint | undefined {
  try {
    // Written by writeEndpoint of this or another version; only pid and url are shown.
    return JSON.parse(readFileSync(file, 'utf8')) as Endpoint
  } catch {
    // Not there: the other server has not said yet where it listens.
    return undefined
  }
}

/** Whoever reads sees the old or the new content, never a part. */
export function writeEndpoint(file: string, endpoint: Endpoint): void {
  const temporary = `${file}.${process.pid}`
  writeFileSync(temporary, `${JSON.stringify(endpoint, null, 2)}\n`, { mode: 0o600 })
  renameSync(temporary, file)
}

export function removeEndpoint(file: string): void {
  rmSync(file, { force: true })
}

export function codeOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : ''
}

const reasonOf = (error: unknown) => codeOf(error) || String(error)
