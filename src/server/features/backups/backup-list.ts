import type { Backup } from '../../../contract/backups.ts'
import type { BackupFile } from '../../platform/backup-files.ts'
import { codeOf } from '../../platform/data-folder.ts'
import { inStoreThread } from '../../platform/store-thread.ts'

type Checked = Pick<Backup, 'status' | 'version' | 'schema_version'>

/** What backups are worth. A check reads the whole file, so it is done once for each file as it is. */
export function createBackupChecks(schema: number, end: AbortSignal) {
  const known = new Map<string, Promise<Checked>>()
  const key = ({ path, stamp }: BackupFile) => `${path}\n${stamp}`

  /** Undefined for a file that went after the folder was read: retention and people remove them at any time. */
  async function look(file: BackupFile): Promise<Backup | undefined> {
    const { name, path, bytes, created_at, reason } = file
    if (file.linked) return { name, bytes, created_at, reason, status: 'foreign', version: null, schema_version: null }
    let checked = known.get(key(file))
    if (!checked) {
      checked = inStoreThread('inspect', { path, reason, schema }, end)
      known.set(key(file), checked)
      // One that could not be looked into is looked into again.
      checked.catch(() => known.delete(key(file)))
    }
    try {
      return { name, bytes, created_at, reason, ...(await checked) }
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined
      throw error
    }
  }

  return {
    look,
    /** It was verified when it was made. */
    note: (file: BackupFile, checked: Checked) => void known.set(key(file), Promise.resolve(checked)),
    /** One after the other: a disk is no faster for being asked twice at once. */
    async lookAll(files: readonly BackupFile[]): Promise<Backup[]> {
      const backups: Backup[] = []
      for (const file of files) {
        const backup = await look(file)
        if (backup) backups.push(backup)
      }
      return backups
    },
  }
}
