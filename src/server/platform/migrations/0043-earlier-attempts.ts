import type { Migration } from './migration.ts'

/** What attempts took that another one followed: the time that executors were busy. */
export const earlierAttempts: Migration = {
  version: 43,
  name: 'earlier attempts',
  up(sqlite) {
    sqlite.exec(`
      ALTER TABLE run_attempts ADD COLUMN duration_ms INTEGER NOT NULL DEFAULT 0;
      UPDATE run_attempts SET duration_ms = max(0, CAST(round((julianday(ended_at) - julianday(started_at)) * 86400000) AS INTEGER))
        WHERE started_at IS NOT NULL;
      ALTER TABLE metric_rollups ADD COLUMN earlier_ms REAL NOT NULL DEFAULT 0;
      -- Only then is anything missing. Counting that is under way goes on from where it was, so it starts again, too.
      UPDATE metric_settings SET uncounted_after = 0 WHERE EXISTS (SELECT 1 FROM run_attempts);
    `)
  },
}
