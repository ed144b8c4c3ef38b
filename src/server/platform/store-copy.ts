import Sqlite, { type Database } from 'better-sqlite3'
import {
  chmodSync,
  closeSync,
  copyFileSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { type Backup, isRestorable } from '../../contract/backups.ts'
import { type BackupReason, newBackupName } from './backup-files.ts'
import { checkSeal, hasSeal, removeSeal, sealFile } from './backup-seal.ts'
import { codeOf } from './data-folder.ts'
import { syncFolder } from './durable-file.ts'
import { migrations } from './migrations/index.ts'
import { migrate } from './migrations/migrate.ts'
import { openDatabase } from './store.ts'

// Runs in a thread of its own, or before the server serves anybody.

export interface Copying {
  database: string
  folder: string
  reason: Exclude<BackupReason, 'other'>
  /** ms since 1970: the time in its name. */
  at: number
}

/** What a look into a backup has found. */
export type Inspection = Pick<Backup, 'status' | 'version' | 'schema_version'>

export interface Inspecting {
  path: string
  reason: BackupReason
  /** Of this Headgate. */
  schema: number
}

/** What must stay free besides the copy: a full disk would stop the store itself. */
const SPARE_BYTES = 64 * 1024 * 1024
/** Copied at one go: 2 MiB. */
const STEP_PAGES = 512

/** The store as an older Headgate left it, while nobody is served. Otherwise as `copyStoreInUse`. */
export function copyStoreAtRest(copying: Copying): string {
  const { name, temporary } = begin(copying)
  try {
    const source = openSource(copying)
    try {
      source.prepare('VACUUM INTO ?').run(temporary)
    } finally {
      source.close()
    }
    return finish(copying.folder, name, temporary)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

/**
 * The store as it is at one moment, while others write to it, in a file that appears under its name only when it is whole,
 * verified and on disk. Page by page within one read transaction: what is committed meanwhile is neither seen nor held up,
 * and the thread can be ended between two steps.
 */
export async function copyStoreInUse(copying: Copying): Promise<string> {
  const { name, temporary } = begin(copying)
  try {
    const source = openSource(copying)
    try {
      source.exec('BEGIN')
      source.prepare('SELECT count(*) FROM sqlite_schema').get()
      await source.backup(temporary, { progress: () => STEP_PAGES })
    } finally {
      source.close()
    }
    return finish(copying.folder, name, temporary)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

function begin({ folder, reason, at }: Copying): { name: string; temporary: string } {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const name = newBackupName(folder, new Date(at), reason)
  const temporary = join(folder, `.${name}.partial`)
  rmSync(temporary, { force: true })
  // SQLite writes into an empty file as into none: so nobody else can ever read it.
  closeSync(openSync(temporary, 'wx', 0o600))
  return { name, temporary }
}

function openSource({ database, folder }: Copying): Database {
  const source = new Sqlite(database, { readonly: true, fileMustExist: true })
  try {
    leaveRoomFor(bytesOf(source), folder)
    return source
  } catch (error) {
    source.close()
    throw error
  }
}

/** Nothing is a backup before it was read back. */
function finish(folder: string, name: string, temporary: string): string {
  withoutLog(temporary)
  const problem = structureProblem(temporary, 'quick_check')
  if (problem) throw Object.assign(new Error(`The copy is damaged: ${problem}`), { code: 'SQLITE_CORRUPT' })
  sealFile(temporary)
  renameSync(temporary, join(folder, name))
  syncFolder(folder)
  return name
}

/** A backup is one file, wherever it is opened. */
function withoutLog(path: string): void {
  const sqlite = new Sqlite(path, { fileMustExist: true })
  try {
    sqlite.pragma('journal_mode = DELETE')
  } finally {
    sqlite.close()
  }
}

/** Bytes that a copy of it takes. */
function bytesOf(sqlite: Database): number {
  // Pragmas in `simple` form give their one value.
  const value = (name: string) => sqlite.pragma(name, { simple: true }) as number
  return value('page_count') * value('page_size')
}

function leaveRoomFor(bytes: number, folder: string): void {
  const { bavail, bsize } = statfsSync(folder)
  if (bavail * bsize >= bytes + SPARE_BYTES) return
  throw Object.assign(new Error(`Not enough room in ${folder}`), { code: 'ENOSPC' })
}

/** Whether a file is a backup that this Headgate can go back to. Our own carry a seal; others are checked page by page. */
export function inspectBackup({ path, reason, schema }: Inspecting): Inspection {
  const seal = checkSeal(path)
  // The store that a restore has replaced is sealed only after the new one runs.
  if (seal === 'broken' || (seal === 'missing' && reason !== 'other' && reason !== 'before_restore')) return damaged
  return inspectDatabase(path, schema, reason === 'other' ? 'foreign' : 'damaged', seal === 'missing')
}

const damaged: Inspection = { status: 'damaged', version: null, schema_version: null }

function inspectDatabase(path: string, schema: number, notOurs: 'foreign' | 'damaged', deep: boolean): Inspection {
  let sqlite: Database | undefined
  try {
    sqlite = new Sqlite(path, { readonly: true, fileMustExist: true })
    // Before anything is read by name: a view may go on for ever.
    const tables = sqlite
      .prepare(
        "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name IN ('store_meta', 'schema_migrations')",
      )
      .pluck()
      .get()
    if (tables !== 2) return { ...damaged, status: notOurs }
    const found = {
      schema_version: sqlite.pragma('user_version', { simple: true }) as number,
      version: sqlite.prepare<[], string>("SELECT value FROM store_meta WHERE key = 'version'").pluck().get() ?? null,
    }
    if (deep && sqlite.pragma('integrity_check(1)', { simple: true }) !== 'ok') return { ...found, status: 'damaged' }
    if (found.schema_version > schema) return { ...found, status: 'newer' }
    // Triggers, views, checks, defaults, and indexes would act as soon as the store is written to or read.
    if (schemaOf(sqlite) !== ownSchema(found.schema_version)) return { ...found, status: 'foreign' }
    return { ...found, status: deep ? 'unsealed' : 'verified' }
  } catch (error) {
    return { ...damaged, status: codeOf(error) === 'SQLITE_NOTADB' ? notOurs : 'damaged' }
  } finally {
    sqlite?.close()
  }
}

/** Everything that a store is made of, as text. */
const schemaOf = (sqlite: Database): string =>
  JSON.stringify(
    sqlite
      .prepare<[], [string, string, string | null]>('SELECT type, name, sql FROM sqlite_schema ORDER BY type, name')
      .raw()
      .all()
      .map(([type, name, text]) => [type, name, text?.replaceAll(/\s+/g, ' ')]),
  )

const schemas = new Map<number, string>()

/** That of a store of ours of this version. */
function ownSchema(version: number): string {
  let schema = schemas.get(version)
  if (schema === undefined) {
    const sqlite = openDatabase(':memory:')
    const steps = migrations.filter((step) => step.version <= version)
    migrate(sqlite, steps, { file: 'An empty store', iso: () => new Date(0).toISOString(), backup: () => '' })
    schema = schemaOf(sqlite)
    sqlite.close()
    schemas.set(version, schema)
  }
  return schema
}

/** Undefined when the structure of a database is sound. */
export function structureProblem(path: string, check: 'quick_check' | 'integrity_check'): string | undefined {
  let sqlite: Database | undefined
  try {
    sqlite = new Sqlite(path, { readonly: true, fileMustExist: true })
    const result = sqlite.pragma(`${check}(1)`, { simple: true })
    return result === 'ok' ? undefined : String(result)
  } catch (error) {
    return `${codeOf(error)} ${String(error)}`.trim()
  } finally {
    sqlite?.close()
  }
}

/**
 * Copies a backup to `target`, ready to become the store. What is judged is the copy: the backup itself may be changed or
 * go away meanwhile. Leaves nothing when it cannot be used.
 */
export function stageBackup({ target, ...backup }: Inspecting & { target: string }): Inspection {
  rmSync(target, { force: true })
  try {
    leaveRoomFor(statSync(backup.path).size, dirname(target))
    copyFileSync(backup.path, target)
    chmodSync(target, 0o600)
    const inspection = inspectBackup({ ...backup, path: target })
    if (isRestorable(inspection)) removeSeal(target)
    else rmSync(target, { force: true })
    return inspection
  } catch (error) {
    rmSync(target, { force: true })
    throw error
  } finally {
    // Looking at a store makes them.
    for (const beside of ['-wal', '-shm']) rmSync(`${target}${beside}`, { force: true })
  }
}

/** Seals the store that a restore has replaced, if it is sound and has no seal yet. */
export function sealKept({ path }: { path: string }): boolean {
  if (hasSeal(path) || structureProblem(path, 'quick_check')) return false
  sealFile(path)
  return true
}
