import { type OwnPlace, ownPlaces } from '../../process/own-places.ts'
import { backupFolder } from './backup-files.ts'
import type { Config } from './config.ts'

/** What no connector may reach. Looked at when it is asked for: the folder of backups is a setting that can be changed. */
export const ownFolders = (config: Pick<Config, 'dataDir' | 'backup'>): OwnPlace[] =>
  ownPlaces([config.dataDir, backupFolder(config)])
