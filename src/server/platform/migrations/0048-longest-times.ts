import type { Migration } from './migration.ts'

/** The largest value of each histogram, so that no percentile is above it. 0 in roll-ups from before: theirs is not known. */
export const longestTimes: Migration = {
  version: 48,
  name: 'longest times',
  up(sqlite) {
    sqlite.exec(`
      ALTER TABLE metric_rollups ADD COLUMN durations_max REAL NOT NULL DEFAULT 0;
      ALTER TABLE metric_rollups ADD COLUMN delays_max REAL NOT NULL DEFAULT 0;
    `)
  },
}
