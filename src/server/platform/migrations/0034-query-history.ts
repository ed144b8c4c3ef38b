import type { Migration } from './migration.ts'

/** What users have asked and changed; each sees their own. */
export const queryHistory: Migration = {
  version: 34,
  name: 'query history',
  up(sqlite) {
    sqlite.exec(`
      CREATE TABLE query_history (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        user_id INTEGER NOT NULL,
        connector_id INTEGER NOT NULL REFERENCES connectors (id),
        kind TEXT NOT NULL CHECK (kind IN ('query', 'change')),
        text TEXT NOT NULL,
        search_text TEXT NOT NULL,
        at TEXT NOT NULL,
        duration_ms INTEGER NOT NULL,
        rows INTEGER,
        error TEXT
      ) STRICT;
      CREATE INDEX query_history_by_user ON query_history (user_id, connector_id, id);
      CREATE INDEX query_history_by_time ON query_history (at);
    `)
  },
}
