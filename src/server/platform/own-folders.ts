import { type OwnPlace, ownPlaces } from '../../process/own-places.ts'
import { backupFolder } from './backup-files.ts'
import type { Config } from './config.ts'

/** Folders that no connector may reach. Not cached: the backup folder is a setting that can change at any time. */
export const ownFolders = (config: Pick<Config, 'dataDir' | 'backup'>): OwnPlace[] =>
  ownPlaces([config.dataDir, backupFolder(config)])
