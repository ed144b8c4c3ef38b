import { readdirSync, readlinkSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { defaultDataDir } from '../process/data-dir.ts'
import { usedBackupFolders } from '../process/backup-folders.ts'
import { ownPlaces } from '../process/own-places.ts'

/** Protects the data folders and backup folders of servers on this machine from the engine in this process. */
export async function protectDataFolder(): Promise<void> {
  const { protect } = await import('../executor/engine/protected.ts')
  const { env, platform } = process
  const own = resolve(env.SVC_DATA_DIR || defaultDataDir(env, platform, homedir()))
  const folders = [...new Set([own, ...foldersInUse()])]
  protect(ownPlaces([...folders, ...folders.flatMap(usedBackupFolders)]))
}

/**
 * Data folders of servers of this user that run, wherever they lie: a hard link to a file in one is known only to who knows the folder.
 * Empty where the system doesn't list open files.
 */
function foldersInUse(): string[] {
  return namesIn('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((process) => {
      const files = join('/proc', process, 'fd')
      return namesIn(files).map((descriptor) => linkOf(join(files, descriptor)))
    })
    .filter((path) => basename(path) === 'headgate.db')
    .map((path) => dirname(path))
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return [] // of another user, or gone
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}
