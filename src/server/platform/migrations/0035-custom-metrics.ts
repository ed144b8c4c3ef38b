import type { Migration } from './migration.ts'

/** Metrics that an installation defines, their values as sums, and deliveries about them. */
export const customMetrics: Migration = {
  version: 35,
  name: 'custom metrics',
  up(sqlite) {
    sqlite.exec(`
      CREATE TABLE custom_metrics (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL,
        kind TEXT NOT NULL,
        -- JSON, as the settings have it.
        definition TEXT NOT NULL,
        -- Whose runs give its values, or what is to be written.
        task_id INTEGER,
        job_id INTEGER,
        dataset TEXT,
        -- Its values are being removed; its name is free.
        removed INTEGER NOT NULL DEFAULT 0,
        created_at TEXT NOT NULL,
        -- The newest value. Freshness: no value, but when it was last written, or the rule was made.
        value REAL,
        value_at TEXT,
        run_id INTEGER,
        -- When its query last ran and why it gave no value, or when its age was last noted.
        checked_at TEXT,
        failures INTEGER NOT NULL DEFAULT 0,
        error_message TEXT,
        error_params TEXT,
        -- Since when its threshold or deadline is violated, and how.
        violated_at TEXT,
        violation TEXT
      ) STRICT;
      CREATE UNIQUE INDEX custom_metrics_by_name ON custom_metrics (name) WHERE removed = 0;
      CREATE INDEX custom_metrics_by_task ON custom_metrics (task_id) WHERE task_id IS NOT NULL AND removed = 0;
      CREATE INDEX custom_metrics_by_job ON custom_metrics (job_id) WHERE job_id IS NOT NULL AND removed = 0;
      CREATE INDEX custom_metrics_by_dataset ON custom_metrics (dataset) WHERE dataset IS NOT NULL AND removed = 0;

      -- grain 0: quarter hours, 1: hours, 2: days (UTC, since the epoch). last: the value at last_at, the newest.
      CREATE TABLE custom_metric_rollups (
        metric_id INTEGER NOT NULL,
        grain INTEGER NOT NULL,
        bucket INTEGER NOT NULL,
        n REAL NOT NULL,
        sum REAL NOT NULL,
        min REAL NOT NULL,
        max REAL NOT NULL,
        last REAL NOT NULL,
        last_at INTEGER NOT NULL,
        PRIMARY KEY (metric_id, grain, bucket)
      ) STRICT, WITHOUT ROWID;

      -- Without a list of events: it would have to be changed with each new one.
      CREATE TABLE notification_deliveries_next (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        notification_id INTEGER NOT NULL REFERENCES notifications (id) ON DELETE CASCADE,
        event TEXT NOT NULL,
        job_id INTEGER,
        job_run_id INTEGER,
        news TEXT NOT NULL,
        message_key TEXT NOT NULL,
        status TEXT NOT NULL CHECK (status IN ('pending', 'delivered', 'failed')),
        attempts INTEGER NOT NULL,
        next_attempt_at TEXT,
        delivered_at TEXT,
        error_message TEXT,
        error_params TEXT,
        created_at TEXT NOT NULL,
        updated_at TEXT NOT NULL
      ) STRICT;
      INSERT INTO notification_deliveries_next (id, notification_id, event, job_id, job_run_id, news, message_key, status, attempts,
          next_attempt_at, delivered_at, error_message, error_params, created_at, updated_at)
        SELECT id, notification_id, event, job_id, job_run_id, news, message_key, status, attempts, next_attempt_at, delivered_at,
          error_message, error_params, created_at, updated_at
        FROM notification_deliveries;
      -- Numbers of deliveries that are gone are not given again: receivers tell messages by them.
      INSERT OR REPLACE INTO sqlite_sequence (rowid, name, seq)
        SELECT (SELECT rowid FROM sqlite_sequence WHERE name = 'notification_deliveries_next'), 'notification_deliveries_next', seq
        FROM sqlite_sequence WHERE name = 'notification_deliveries';
      DROP TABLE notification_deliveries;
      ALTER TABLE notification_deliveries_next RENAME TO notification_deliveries;
      CREATE INDEX notification_deliveries_due ON notification_deliveries (next_attempt_at, id) WHERE next_attempt_at IS NOT NULL;
      CREATE INDEX notification_deliveries_by_channel ON notification_deliveries (notification_id, id);
      CREATE INDEX notification_deliveries_by_status ON notification_deliveries (notification_id, status, id);
    `)
  },
}
