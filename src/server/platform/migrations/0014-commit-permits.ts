import type { Migration } from './migration.ts'

/** Whether the attempt under way was allowed to commit: then nobody else may write its rows before its end is known. */
export const commitPermits: Migration = {
  version: 14,
  name: 'commit_permits',
  up(sqlite) {
    sqlite.exec('ALTER TABLE runs ADD COLUMN commit_permit TEXT')
  },
}
