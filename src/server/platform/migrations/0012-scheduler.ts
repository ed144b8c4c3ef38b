import type { Migration } from './migration.ts'

/** Whether triggers fire, and what the desktop is told of failures. */
export const scheduler: Migration = {
  version: 12,
  name: 'scheduler',
  up(sqlite) {
    sqlite.exec(`
      -- One row; none: it was never paused.
      CREATE TABLE scheduler (
        only_one INTEGER PRIMARY KEY CHECK (only_one = 1),
        paused INTEGER NOT NULL CHECK (paused IN (0, 1)),
        paused_at TEXT,
        paused_by TEXT,
        -- What came due before it was missed, however short the pause was.
        resumed_at TEXT
      ) STRICT;

      -- The newest failures, without a walk through all runs of the day.
      CREATE INDEX runs_failed_alone ON runs (completed_at) WHERE status = 'failed' AND job_run_id IS NULL;
      CREATE INDEX job_runs_failed ON job_runs (completed_at) WHERE status = 'failed';
    `)
  },
}
