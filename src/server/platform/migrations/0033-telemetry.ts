import type { Migration } from './migration.ts'

/** What other systems are still to be told of runs. */
export const telemetry: Migration = {
  version: 33,
  name: 'telemetry',
  up(sqlite) {
    sqlite.exec(`
CREATE TABLE telemetry_outbox (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  sink TEXT NOT NULL CHECK (sink IN ('openlineage_url', 'openlineage_folder', 'otlp')),
  -- JSON: what has happened, as it was then.
  fact TEXT NOT NULL
) STRICT;
CREATE INDEX telemetry_outbox_by_sink ON telemetry_outbox (sink, id);
`)
  },
}
