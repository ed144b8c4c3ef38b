import type { Migration } from './migration.ts'

/** Runs are counted anew in pieces, while the server works. */
export const countRunsInPieces: Migration = {
  version: 39,
  name: 'count-runs-in-pieces',
  up(sqlite) {
    sqlite.exec(`
      -- Ended runs with a higher id are not in the roll-ups yet; 0: none is, and what is there is to be cleared. NULL: all are.
      ALTER TABLE metric_settings ADD COLUMN uncounted_after INTEGER;
      UPDATE metric_settings SET uncounted_after = 0 WHERE rebuild_needed = 1 AND EXISTS (SELECT 1 FROM runs);
      ALTER TABLE metric_settings DROP COLUMN rebuild_needed;
    `)
  },
}
