import { backupFoldersFile, usedBackupFolders } from '../../process/backup-folders.ts'
import { type OwnPlace, ownPlaces } from '../../process/own-places.ts'
import { backupFolder } from './backup-files.ts'
import type { Config } from './config.ts'
import { writeDurably } from './durable-file.ts'

/** Folders that no connector may reach. Not cached: the backup folder is a setting that can change at any time. */
export const ownFolders = (config: Pick<Config, 'dataDir' | 'backup'>): OwnPlace[] =>
  ownPlaces([...new Set([config.dataDir, backupFolder(config), ...usedBackupFolders(config.dataDir)])])

/** Before a folder is used for backups, so that it stays protected when another one takes its place. */
export function rememberBackupFolder(dataDir: string, folder: string | null): void {
  const known = usedBackupFolders(dataDir)
  if (folder === null || known.includes(folder)) return
  writeDurably(backupFoldersFile(dataDir), `${JSON.stringify([...known, folder], null, 2)}\n`)
}
