import type { Migration } from './migration.ts'

/**
 * Sums over ended runs. grain 0 counts quarter hours, 1 hours, 2 days (UTC, since the epoch), 3 everything since the beginning; 4 and
 * 5 are, as quarter hours and in all, the part whose runs were removed. task_id 0 is all tasks. Histograms: see histogram.rules.ts.
 */
export const metrics: Migration = {
  version: 26,
  name: 'metrics',
  up(sqlite) {
    sqlite.exec(`
      CREATE TABLE metric_rollups (
        grain INTEGER NOT NULL,
        task_id INTEGER NOT NULL,
        bucket INTEGER NOT NULL,
        job_id INTEGER NOT NULL,
        executor_id INTEGER NOT NULL,
        trigger_type TEXT NOT NULL,
        status TEXT NOT NULL,
        error_code TEXT NOT NULL,
        runs REAL NOT NULL,
        items REAL NOT NULL,
        rejects REAL NOT NULL,
        bytes REAL NOT NULL,
        attempts REAL NOT NULL,
        duration_ms REAL NOT NULL,
        durations TEXT NOT NULL,
        delay_ms REAL NOT NULL,
        delays TEXT NOT NULL,
        PRIMARY KEY (grain, task_id, bucket, job_id, executor_id, trigger_type, status, error_code)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX metric_rollups_by_job ON metric_rollups (grain, job_id, bucket) WHERE job_id > 0;

      -- One row. rebuild_needed: runs that ended before there were roll-ups are counted at the next start.
      CREATE TABLE metric_settings (
        config TEXT NOT NULL,
        rebuild_needed INTEGER NOT NULL
      ) STRICT;
      INSERT INTO metric_settings (config, rebuild_needed) VALUES ('{}', 1);
    `)
  },
}
