import { existsSync, lstatSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { backupReasons } from '../../contract/backups.ts'
import { codeOf } from './data-folder.ts'
import { newestFirst } from './file-page.ts'

export type BackupReason = (typeof backupReasons)[number]

/** A file in the folder of backups, by what its name and the disk say. */
export interface BackupFile {
  name: string
  path: string
  bytes: number
  created_at: string
  reason: BackupReason
  /** Has other names: a hard link could be to the key, whose content would be downloaded under a backup's name. */
  linked: boolean
  /** Changes whenever the file does. */
  stamp: string
}

/** Names that the contract can say: whatever else lies in the folder is not ours to offer. */
const sayable = /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}\.db$/
const ours =
  /^headgate-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z-(manual|scheduled|before_migration|before_restore)(?:-\d+)?\.db$/
/** What a copy is called until it is whole and verified. */
const partial = /^\.headgate-.*\.partial(-journal)?$/

/** Where backups lie: looked at when used, as the setting can be changed while the server runs. */
export function backupFolder(config: { dataDir: string; backup: { folder: string | null } }): string {
  return config.backup.folder ?? join(config.dataDir, 'backups')
}

/** A name that no file of the folder has. */
export function newBackupName(folder: string, at: Date, reason: Exclude<BackupReason, 'other'>): string {
  const stem = `headgate-${at.toISOString().replaceAll(/[:.]/g, '-')}-${reason}`
  for (let n = 1; ; n++) {
    const name = `${stem}${n > 1 ? `-${n}` : ''}.db`
    if (!existsSync(join(folder, name))) return name
  }
}

/** What the name tells; undefined for a file that was put into the folder by somebody. */
export function readBackupName(name: string): { reason: BackupReason; created_at: string } | undefined {
  const found = ours.exec(name)
  if (!found) return undefined
  const [, day, hour, minute, second, ms, reason] = found
  const created_at = `${day}T${hour}:${minute}:${second}.${ms}Z`
  // The pattern names no other reasons; a day such as 2026-02-31 is nobody's.
  return Number.isNaN(Date.parse(created_at)) ? undefined : { reason: reason as BackupReason, created_at }
}

/** Newest first. A folder that is not there yet has none. */
export function backupFiles(folder: string): BackupFile[] {
  return namesIn(folder)
    .filter((name) => sayable.test(name))
    .flatMap((name) => findBackup(folder, name) ?? [])
    .toSorted(newestFirst)
}

export function findBackup(folder: string, name: string): BackupFile | undefined {
  const path = join(folder, name)
  // A link could lead to the key, which would be downloaded under a backup's name.
  const file = lstatSync(path, { throwIfNoEntry: false })
  if (!file?.isFile()) return undefined
  const named = readBackupName(name) ?? { reason: 'other' as const, created_at: file.mtime.toISOString() }
  return {
    name,
    path,
    bytes: file.size,
    ...named,
    linked: file.nlink > 1,
    stamp: `${file.size} ${file.mtimeMs} ${file.ino}`,
  }
}

/** What copies that were cut off have left. */
export function removePartialCopies(folder: string): void {
  for (const name of namesIn(folder)) if (partial.test(name)) rmSync(join(folder, name), { force: true })
}

/** Of these files, all but the newest `keep` of a reason. Newest first comes in. */
export function superfluous(files: readonly BackupFile[], reason: BackupReason, keep: number): BackupFile[] {
  return files.filter((file) => file.reason === reason).slice(keep)
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return []
    throw error
  }
}
