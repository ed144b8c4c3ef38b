import { isRestorable } from '../../contract/backups.ts'
import type { Database } from 'better-sqlite3'
import { copyFileSync, existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type BackupFile, backupFiles, backupFolder } from './backup-files.ts'
import type { Config } from './config.ts'
import { type DataFolder, codeOf, openDataFolder } from './data-folder.ts'
import { migrations } from './migrations/index.ts'
import { beginEventsAnew, stagedStore, wantRestore } from './restore-journal.ts'
import { type RestoreOffer, StartupError } from './startup-error.ts'
import { type Loss, findLoss, readHead, removeHead } from './store-head.ts'
import { openDatabase } from './store.ts'
import { inspectBackup, stageBackup, structureProblem } from './store-copy.ts'

const schema = migrations.at(-1)!.version

export const isDamage = (error: unknown): boolean => /^SQLITE_(NOTADB|CORRUPT)/.test(codeOf(error))

/** Why a store cannot be opened, with the newest good backup as the remedy. The file is left as it is. */
export function damagedStore(config: Config, database: string, error: unknown): StartupError {
  const code = codeOf(error)
  if (!isDamage(error)) {
    const reason = code || String(error)
    return new StartupError(`${database} cannot be opened (${reason}). Look at its disk and its rights.`, error)
  }
  const { newest, remedy } = remedyFrom(config, 'replace it with your own copy, or move it away to start over')
  const message = `${database} is damaged or no Headgate database (${code}); it was left as it is. ${remedy}`
  return new StartupError(message, error, newest)
}

/**
 * An empty store beside the key, the note or the backups of another one is not a new installation: whoever came first could make
 * himself its superadmin.
 */
export function refuseLostStore(config: Config, folder: DataFolder): void {
  if (!isEmptyStore(folder.database)) return
  const files = [folder.secretKey, folder.keychainKey, folder.head].filter((file) => existsSync(file))
  const folderOfBackups = backupFolder(config)
  const left = [...files, ...(backupFiles(folderOfBackups).length > 0 ? [folderOfBackups] : [])]
  if (left.length === 0) return
  const state = existsSync(folder.database) ? 'is empty' : 'is missing'
  const { newest, remedy } = remedyFrom(
    config,
    `put a copy of your own in its place, or, to start anew, move ${left.join(' and ')} away`,
  )
  throw new StartupError(
    `${folder.database} ${state}, but this data folder has been used before: ${left.join(' and ')} ${left.length > 1 ? 'are' : 'is'} there. ${remedy}`,
    undefined,
    newest,
  )
}

/**
 * Changes that were saved are not in the store: its log was lost or damaged, or an older copy was put in its place. Runs would be done once
 * more, and keys that were revoked would work again, so nothing starts before somebody has decided.
 */
export function refuseLostChanges(config: Config, folder: DataFolder, sqlite: Database, now: Date): void {
  const loss = findLoss(sqlite, folder.head)
  if (!loss) return
  const log = `${folder.database}-wal`
  // SQLite removes it when the file is closed, with whatever of it can’t be read.
  if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) > 0) copyFileSync(log, `${aside(folder, now)}-wal`)
  sqlite.close()
  const { newest, remedy } = remedyFrom(config, 'put a copy of your own in its place')
  const accept = String(loss.kept)
  throw new StartupError(
    `${folder.database} lacks changes that were saved: ${described(loss)}. Its log (${log}) was lost or damaged, or an older copy was put in its place. If you have that log, put it back and start again. To continue without the lost changes, start once with \`--accept-loss ${accept}\`: runs since then may be repeated, and keys and sessions that were revoked since then work again. ${remedy}`,
    undefined,
    newest,
    accept,
  )
}

function described({ kept, lost, since, until }: Loss): string {
  if (lost === 0) return `audit records that were written by ${until} are missing or were replaced`
  const from = since === null ? '' : `, which is of ${since}`
  return `it ends with change ${kept}${from}, but ${lost} more were saved, the last one at ${until}`
}

/**
 * `--accept-loss`: goes on with what is left of the store, if that is what was named: an argument that stands in the file of a service accepts no
 * other loss. Returns what is to be logged; undefined when there is nothing to accept.
 */
export function acceptLossBeforeStart(config: Config, kept: number): Loss | undefined {
  const data = openDataFolder(config.dataDir)
  try {
    if (isEmptyStore(data.database)) return undefined
    const sqlite = openDatabase(data.database)
    try {
      const loss = findLoss(sqlite, data.head)
      if (loss?.kept !== kept) return undefined
      const seen = readHead(data.head)?.events ?? 0
      if (kept > 0) sqlite.transaction(() => beginEventsAnew(sqlite, Math.max(kept, seen)))()
      removeHead(data.head)
      return loss
    } finally {
      sqlite.close()
    }
  } finally {
    data.release()
  }
}

/** Whether changes that were saved are not in a store that is sound otherwise. */
function lacksChanges({ database, head }: DataFolder): boolean {
  const sqlite = openDatabase(database)
  try {
    return findLoss(sqlite, head) !== undefined
  } finally {
    sqlite.close()
  }
}

/** Where what can’t be used is kept. */
const aside = ({ path }: DataFolder, at: Date) => join(path, `damaged-${at.toISOString().replaceAll(/[:.]/g, '-')}.db`)

/** Not there, or of 0 bytes: SQLite would remove the log beside it, with whatever was committed to that alone. */
function isEmptyStore(database: string): boolean {
  return (statSync(database, { throwIfNoEntry: false })?.size ?? 0) === 0
}

function remedyFrom(config: Config, otherwise: string): { newest: RestoreOffer | undefined; remedy: string } {
  const folder = backupFolder(config)
  const newest = newestGood(folder)
  const remedy = newest
    ? `The newest good backup is ${newest.path}, of ${newest.created_at}: start once with \`--restore newest\` to go back to it (\`npm run serve -- --restore newest\`); the file as it is now is kept.`
    : `There is no good backup in ${folder}; ${otherwise}.`
  return { newest: newest && { name: newest.name, created_at: newest.created_at }, remedy }
}

function newestGood(folder: string): BackupFile | undefined {
  const usable = backupFiles(folder).flatMap((file) => {
    const found = inspectBackup({ path: file.path, reason: file.reason, schema })
    return isRestorable(found) ? [{ file, isVerified: found.status === 'verified' }] : []
  })
  // One whose content nobody vouches for comes after all others.
  return (usable.find(({ isVerified }) => isVerified) ?? usable[0])?.file
}

/**
 * `--restore`: for a store that cannot be used, or is not there. A sound one is never given up by an argument, which may
 * stand in the file of a service and would do it again at each start. Returns what is to be logged.
 */
export function restoreBeforeStart(config: Config, which: string, at: Date): { backup: string; kept: string | null } {
  const data = openDataFolder(config.dataDir)
  try {
    const there = existsSync(data.database)
    const sound = there && !isEmptyStore(data.database) && structureProblem(data.database, 'quick_check') === undefined
    if (sound && !lacksChanges(data)) {
      throw new StartupError(
        `--restore is for a store that is damaged or not there; ${data.database} is sound. Start without it and restore in the window (Settings, Backups), or move the store away first.`,
      )
    }
    const backup = choose(backupFolder(config), which)
    const staged = stageBackup({ ...backup, schema, target: stagedStore(config.dataDir) })
    if (!isRestorable(staged))
      throw new StartupError(`--restore: the backup ${backup.path} cannot be used: it is ${staged.status}.`)
    const kept = there ? aside(data, at) : null
    wantRestore(config.dataDir, { backup: backup.name, kept, damaged: there, at: at.toISOString(), by: '--restore' })
    return { backup: backup.path, kept }
  } finally {
    data.release()
  }
}

function choose(folder: string, which: string): BackupFile {
  const found = which === 'newest' ? newestGood(folder) : backupFiles(folder).find(({ name }) => name === which)
  if (found) return found
  const what = which === 'newest' ? 'there is no good backup' : `there is no backup ${which}`
  throw new StartupError(`--restore: ${what} in ${folder}.`)
}
