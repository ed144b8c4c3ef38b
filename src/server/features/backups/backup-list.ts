import type { Backup } from '../../../contract/backups.ts'
import { listLimit } from '../../../contract/common.ts'
import { type BackupFile, backupFiles } from '../../platform/backup-files.ts'
import type { CursorCodec } from '../../platform/cursor.ts'
import { inStoreThread } from '../../platform/store-thread.ts'

type Checked = Pick<Backup, 'status' | 'version' | 'schema_version'>

/** What backups are worth. A check reads the whole file, so it is done once for each file as it is. */
export function createBackupChecks(schema: number, end: AbortSignal) {
  const known = new Map<string, Promise<Checked>>()
  const key = ({ path, stamp }: BackupFile) => `${path}\n${stamp}`

  async function look(file: BackupFile): Promise<Backup> {
    const { name, path, bytes, created_at, reason } = file
    let checked = known.get(key(file))
    if (!checked) {
      checked = inStoreThread('inspect', { path, reason, schema }, end)
      known.set(key(file), checked)
      // One that could not be looked into is looked into again.
      checked.catch(() => known.delete(key(file)))
    }
    return { name, bytes, created_at, reason, ...(await checked) }
  }

  return {
    look,
    /** It was verified when it was made. */
    note: (file: BackupFile, checked: Checked) => void known.set(key(file), Promise.resolve(checked)),
    /** One after the other: a disk is no faster for being asked twice at once. */
    async lookAll(files: readonly BackupFile[]): Promise<Backup[]> {
      const backups: Backup[] = []
      for (const file of files) backups.push(await look(file))
      return backups
    },
  }
}

const SORT = 'backups created_at desc, name desc'

/** One page of the files, newest first, by the place of its first or last file. */
export function backupPage(folder: string, cursors: CursorCodec, query: { cursor?: string; limit?: number }) {
  const files = backupFiles(folder)
  const limit = query.limit ?? listLimit.default
  const cursor = query.cursor === undefined ? undefined : cursors.decode(query.cursor, SORT)
  // Signed by us with two texts.
  const [at, name] = (cursor?.values ?? []) as [string?, string?]
  const isAfter = (file: BackupFile) =>
    at === undefined || file.created_at < at || (file.created_at === at && file.name < name!)
  const isSame = (file: BackupFile) => file.created_at === at && file.name === name
  let [from, to] = [0, limit]
  if (cursor?.direction === 'next') {
    const first = files.findIndex(isAfter)
    from = first < 0 ? files.length : first
    to = from + limit
  } else if (cursor?.direction === 'prev') {
    const end = files.findIndex((file) => isSame(file) || isAfter(file))
    to = end < 0 ? files.length : end
    from = Math.max(0, to - limit)
  }
  const page = files.slice(from, to)
  const encode = (direction: 'next' | 'prev', file: BackupFile | undefined) =>
    file ? cursors.encode({ direction, values: [file.created_at, file.name] }, SORT) : null
  return {
    page,
    nextCursor: to < files.length ? encode('next', page.at(-1)) : null,
    prevCursor: from > 0 ? encode('prev', page[0]) : null,
    total: files.length,
  }
}
