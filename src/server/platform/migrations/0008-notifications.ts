import type { Migration } from './migration.ts'

/** Where notifications about job runs go, and what was sent. */
export const notifications: Migration = {
  version: 8,
  name: 'notifications',
  up(sqlite) {
    sqlite.exec(`
CREATE TABLE notifications (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE,
  type TEXT NOT NULL CHECK (type IN ('webhook', 'email', 'desktop')),
  config TEXT NOT NULL,
  sealed_secrets TEXT,
  secret_names TEXT NOT NULL,
  -- JSON: list of events.
  "on" TEXT NOT NULL,
  -- JSON: list of ids; null: all jobs.
  job_ids TEXT,
  enabled INTEGER NOT NULL,
  created_by INTEGER,
  created_at TEXT NOT NULL,
  updated_at TEXT
) STRICT;

CREATE TABLE notification_deliveries (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  notification_id INTEGER NOT NULL REFERENCES notifications (id) ON DELETE CASCADE,
  event TEXT NOT NULL CHECK (event IN ('failed', 'recovered', 'late', 'finished', 'test')),
  job_id INTEGER,
  job_run_id INTEGER,
  -- JSON: what is told, as it was when it happened.
  news TEXT NOT NULL,
  -- The same in every attempt; part of an e-mail's Message-ID.
  message_key TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('pending', 'delivered', 'failed')),
  -- Attempts that have ended.
  attempts INTEGER NOT NULL,
  -- Of a pending one; null: it is sent by the request that made it (a test).
  next_attempt_at TEXT,
  delivered_at TEXT,
  error_message TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;
CREATE INDEX notification_deliveries_due ON notification_deliveries (next_attempt_at, id) WHERE next_attempt_at IS NOT NULL;
CREATE INDEX notification_deliveries_by_channel ON notification_deliveries (notification_id, id);
CREATE INDEX notification_deliveries_by_status ON notification_deliveries (notification_id, status, id);
`)
  },
}
