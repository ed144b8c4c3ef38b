import { type Message, msg } from '../../../contract/messages.ts'
import type { Backup } from '../../../contract/backups.ts'

/** A start is left alone for so long: everything else is warming up, too. */
export const QUIET_MS = 60_000
/** After a scheduled backup that failed; a full disk is not empty a minute later. */
export const RETRY_MS = 15 * 60_000

export interface ScheduleState {
  /** 0: none are wanted. */
  everyMs: number
  /** Of the last scheduled one; null when there is none. */
  lastAt: Date | null
  /** From when the first one is counted: when the store was made. */
  storeSince: Date
  startedAt: Date
  /** When the last try failed, if it did. */
  failedAt: Date | null
}

/** When the next scheduled backup is due: one that came due while the server was away is made soon after its start. */
export function nextBackupAt({ everyMs, lastAt, storeSince, startedAt, failedAt }: ScheduleState): Date | null {
  if (everyMs === 0) return null
  const due = (lastAt ?? storeSince).getTime() + everyMs
  return new Date(Math.max(due, startedAt.getTime() + QUIET_MS, failedAt === null ? 0 : failedAt.getTime() + RETRY_MS))
}

/** Why a backup cannot be gone back to; undefined when it can. */
export function whyNotRestored({ name, status, schema_version }: Backup): Message | undefined {
  if (status === 'damaged') return msg('backup_damaged', { name })
  if (status === 'foreign') return msg('backup_foreign', { name })
  if (status === 'newer') {
    return msg('backup_newer', { name, schema: schema_version ?? 0 })
  }
  return undefined
}

/** What a failure to write a backup, or the store of one, means for whoever asked for it; undefined for one that nobody expected. */
export function whyNotWritten(code: string, folder: string, isRestore = false): Message | undefined {
  if (code === 'ENOSPC' || code.startsWith('SQLITE_FULL')) {
    return isRestore ? msg('restore_no_room', { folder }) : msg('backup_no_room', { folder })
  }
  if (/^(E(ACCES|PERM|ROFS|NOTDIR|EXIST|IO|NOENT|DQUOT|FBIG)|SQLITE_(IOERR|CANTOPEN|READONLY))/.test(code)) {
    return msg('backup_folder_unwritable', { folder, code })
  }
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(code)) {
    return msg('store_damaged')
  }
  return undefined
}
