import type { Migration } from './migration.ts'

/** Of an upsert: how many rows were new, and how many were changed. */
export const upsertedRows: Migration = {
  version: 21,
  name: 'upserted rows',
  up(sqlite) {
    sqlite.exec(`
      ALTER TABLE run_steps ADD COLUMN rows_inserted INTEGER;
      ALTER TABLE run_steps ADD COLUMN rows_updated INTEGER;
    `)
  },
}
