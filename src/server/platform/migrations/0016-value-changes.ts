import type { Migration } from './migration.ts'

/** What a step has changed in values, as JSON; NULL: nothing. */
export const valueChanges: Migration = {
  version: 16,
  name: 'value_changes',
  up(sqlite) {
    sqlite.exec('ALTER TABLE run_steps ADD COLUMN changes TEXT')
  },
}
