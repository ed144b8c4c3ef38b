import type { Database } from 'better-sqlite3'

/** Lets deliveries be of these events: SQLite changes no CHECK of a table that is there, so the table is made again. */
export function deliveriesOf(sqlite: Database, events: readonly string[]): void {
  sqlite.exec(`
CREATE TABLE notification_deliveries_next (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  notification_id INTEGER NOT NULL REFERENCES notifications (id) ON DELETE CASCADE,
  event TEXT NOT NULL CHECK (event IN (${events.map((event) => `'${event}'`).join(', ')})),
  job_id INTEGER,
  job_run_id INTEGER,
  news TEXT NOT NULL,
  message_key TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('pending', 'delivered', 'failed')),
  attempts INTEGER NOT NULL,
  next_attempt_at TEXT,
  delivered_at TEXT,
  error_message TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;
INSERT INTO notification_deliveries_next SELECT * FROM notification_deliveries;
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
}
