import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { backupFiles, backupFolder, superfluous } from './backup-files.ts'
import type { Config } from './config.ts'
import { copyStoreAtRest } from './store-copy.ts'

/** Of those that upgrades and restores make. */
export const OTHERS_KEPT = 5

/** The store as an older Headgate has left it; nobody is served yet. Returns the path of the copy. */
export function backUpBeforeMigration(config: Config, database: string, at: Date): string {
  const folder = backupFolder(config)
  const name = copyStoreAtRest({ database, folder, reason: 'before_migration', at: at.getTime() })
  for (const { path } of superfluous(backupFiles(folder), 'before_migration', OTHERS_KEPT)) rmSync(path)
  return join(folder, name)
}
