import { type Message, msg } from '../../../contract/messages.ts'
import { closeSync, constants, createReadStream, existsSync, fstatSync, openSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Backup, type Restored, isRestorable } from '../../../contract/backups.ts'
import type { Paginated } from '../../../contract/common.ts'
import { OTHERS_KEPT } from '../../platform/backup-before-migration.ts'
import {
  type BackupFile,
  type BackupReason,
  backupFiles,
  backupFolder,
  findBackup,
  newBackupName,
  removePartialCopies,
  superfluous,
} from '../../platform/backup-files.ts'
import { codeOf } from '../../platform/data-folder.ts'
import { filePage } from '../../platform/file-page.ts'
import type { Platform } from '../../platform/platform.ts'
import { removeWithRecord } from '../../platform/remove-with-record.ts'
import { Refusal, conflict, invalidState, notFound, unavailable } from '../../platform/refusal.ts'
import { stagedStore, wantRestore } from '../../platform/restore-journal.ts'
import { inStoreThread } from '../../platform/store-thread.ts'
import { version } from '../../platform/version.ts'
import { createBackupChecks } from './backup-list.ts'
import { nextBackupAt, whyNotRestored, whyNotWritten } from './backups.rules.ts'
import { storeSince } from './backups.store.ts'

/** How often the schedule is looked at. */
const TICK_MS = 20_000

export type BackupsService = ReturnType<typeof createBackupsService>

export function createBackupsService(platform: Platform) {
  const { config, store, events, audit, clock, logger, draining, schemaVersion: schema, databaseFile } = platform
  const checks = createBackupChecks(schema, draining)
  const since = storeSince(store)
  /** What is being done; one thing at a time. */
  let busy: Message | null = null
  let failedAt: Date | null = null
  let working: Promise<unknown> = Promise.resolve()

  const folder = () => backupFolder(config)
  const changed = () => store.transaction(() => events.append('server.changed', 1, { what: 'backups' }))

  async function alone<T>(what: Message, work: () => Promise<T>): Promise<T> {
    if (busy !== null) conflict(busy)
    busy = what
    const done = work().finally(() => (busy = null))
    working = done.catch(() => {})
    return done
  }

  async function copy(reason: 'manual' | 'scheduled'): Promise<Backup> {
    const into = folder()
    const copying = { database: databaseFile, folder: into, reason, at: clock.now().getTime() }
    const name = await inStoreThread('copy', copying, draining).catch((error: unknown) => explain(error, into))
    const file = findBackup(into, name) ?? notFound()
    checks.note(file, { status: 'verified', version, schema_version: schema })
    changed()
    return (await checks.look(file)) ?? notFound()
  }

  function explain(error: unknown, into: string, isRestore = false): never {
    if (error instanceof Refusal) throw error
    const why = whyNotWritten(codeOf(error), into, isRestore)
    logger.error(
      { err: error, folder: into },
      isRestore ? 'A backup could not be restored' : 'A backup could not be made',
    )
    if (why) unavailable(why)
    throw error
  }

  function removeOld(reason: BackupReason, keep: number): void {
    const old = superfluous(backupFiles(folder()), reason, keep)
    for (const { path } of old) removeBackup(path)
    if (old.length > 0) changed()
  }

  const lastScheduled = () => backupFiles(folder()).find(({ reason }) => reason === 'scheduled')

  function nextAt(last = lastScheduled()): Date | null {
    const lastAt = last ? new Date(last.created_at) : null
    const { startedAt } = platform
    return nextBackupAt({ everyMs: config.backup.everyMs, lastAt, storeSince: since, startedAt, failedAt })
  }

  /** Makes the scheduled backup if it is due. A timer asks every now and then. */
  async function tick(): Promise<void> {
    const due = nextAt()
    if (due === null || due > clock.now() || busy !== null || draining.aborted) return
    try {
      const { name } = await alone(msg('scheduled_backup_under_way'), () => copy('scheduled'))
      failedAt = null
      removeOld('scheduled', config.backup.keep)
      audit.system({ operation: 'scheduledBackup', entity: 'backup', entity_name: name })
    } catch (error) {
      if (draining.aborted) return
      failedAt = clock.now()
      logger.error({ err: error }, 'The scheduled backup failed; it is tried again in a quarter of an hour')
      audit.system({ operation: 'scheduledBackup', entity: 'backup', error: 'UNAVAILABLE' })
    }
  }

  function tickSafely(): void {
    tick().catch((error: unknown) => logger.error({ err: error }, 'The schedule of backups could not be looked at'))
  }

  /** After a restore: who did it stands in the store that is no more, so it is told in the new one. */
  async function afterRestore(): Promise<void> {
    const { restored } = platform
    if (restored) {
      logger.info({ ...restored }, 'The store is the one of a backup now')
      const entity_name = `${restored.backup} (${restored.by})`
      audit.system({ operation: 'restoredBackup', entity: 'backup', entity_name })
      removeOld('before_restore', OTHERS_KEPT)
    }
    // Also those that a server left without a seal because it was killed before it came to this.
    const replaced = backupFiles(folder()).filter(({ reason, linked }) => reason === 'before_restore' && !linked)
    const paths = new Set([...(restored?.kept ? [restored.kept] : []), ...replaced.map(({ path }) => path)])
    for (const path of paths) {
      if (existsSync(path) && (await inStoreThread('seal', { path }, draining))) changed()
    }
  }

  async function restore(name: string, dryRun: boolean, by: string): Promise<Restored> {
    const file = find(name)
    const backup = (await checks.look(file)) ?? noBackup(name)
    const why = whyNotRestored(backup)
    if (why) invalidState(why)
    const restarter = platform.restarter.current ?? unavailable(msg('cannot_restart'))
    await restarter.check().catch((error: Error) => invalidState(msg('would_not_start', { reason: error.message })))
    if (dryRun) return { success: true, backup, kept_as: null }
    const { path, reason } = file
    const { dataDir } = config
    const staged = await inStoreThread('stage', { path, reason, schema, target: stagedStore(dataDir) }, draining).catch(
      (error: unknown) => explain(error, dataDir, true),
    )
    // It was changed since it was looked at.
    if (!isRestorable(staged)) invalidState(whyNotRestored({ ...backup, ...staged }) ?? msg('backup_unusable'))
    const at = clock.now()
    const kept_as = newBackupName(folder(), at, 'before_restore')
    wantRestore(dataDir, { backup: name, kept: join(folder(), kept_as), damaged: false, at: at.toISOString(), by })
    restarter.restart(`The backup ${name} is restored`)
    return { success: true, backup, kept_as }
  }

  function find(name: string): BackupFile {
    return findBackup(folder(), name) ?? noBackup(name)
  }

  const timer = setInterval(tickSafely, TICK_MS)
  timer.unref()
  draining.addEventListener('abort', () => clearInterval(timer), { once: true })

  return {
    async list(query: { cursor?: string; limit?: number }): Promise<Paginated<Backup>> {
      const { page, ...places } = filePage('backups', backupFiles(folder()), store.cursors, query)
      return { result: await checks.lookAll(page), ...places }
    },

    create: (): Promise<Backup> => alone(msg('backup_under_way'), () => copy('manual')),

    /** The file as it lies there, with its seal. */
    download(name: string) {
      const { path, bytes } = find(name)
      // Not what was put in its place since.
      const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW)
      if (fstatSync(fd).nlink > 1) {
        closeSync(fd)
        invalidState(msg('backup_linked', { name }))
      }
      const file = createReadStream(path, { fd, end: Math.max(0, bytes - 1) })
      return { bytes, content: asLong(file, bytes), abandon: () => void file.destroy() }
    },

    async remove(name: string) {
      const { path } = find(name)
      if (busy !== null) conflict(busy)
      const hidden = join(folder(), `.headgate-deleted-${name}.partial`)
      await removeWithRecord(path, hidden, store, changed).catch((error: unknown) => {
        if (codeOf(error) === 'ENOENT') noBackup(name)
        throw error
      })
      removeBackup(path)
      return { success: true }
    },

    restore: (name: string, dryRun: boolean, by: string) =>
      alone(msg('restore_under_way'), () => restore(name, dryRun, by)),

    /** Where backups lie, and when the schedule makes them. */
    schedule() {
      const last = lastScheduled()
      return { folder: folder(), last_at: last?.created_at ?? null, next_at: nextAt(last)?.toISOString() ?? null }
    },

    tick,

    start(): void {
      try {
        removePartialCopies(folder())
      } catch (error) {
        logger.warn({ err: error, folder: folder() }, 'The folder of backups cannot be read')
      }
      working = afterRestore().catch((error: unknown) =>
        logger.error({ err: error }, 'What a restore has replaced could not be looked after'),
      )
    },

    /** Resolves when nothing is being done any more. */
    ended: () => working,
  }
}

const noBackup = (name: string): never => notFound(msg('no_backup', { name }))

/** With what SQLite may have left beside a store that was damaged. */
function removeBackup(path: string): void {
  for (const end of ['', '-wal', '-shm', '-journal']) rmSync(path + end, { force: true })
}

/** A client that is promised more bytes than come waits for them, so a file that becomes shorter is an error. */
async function* asLong(file: AsyncIterable<Uint8Array>, bytes: number): AsyncGenerator<Uint8Array> {
  let sent = 0
  for await (const chunk of file) {
    sent += chunk.length
    yield chunk
  }
  if (sent < bytes) throw new Error(`The file of the backup had ${bytes} bytes and ended after ${sent}`)
}
