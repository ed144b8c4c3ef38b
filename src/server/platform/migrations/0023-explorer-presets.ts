import type { Migration } from './migration.ts'

/** Queries that a team keeps. */
export const explorerPresets: Migration = {
  version: 23,
  name: 'explorer presets',
  up(sqlite) {
    sqlite.exec(`
      CREATE TABLE explorer_presets (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL,
        description TEXT,
        -- Both null: for all connectors.
        connector_id INTEGER REFERENCES connectors (id),
        resource TEXT CHECK (resource IS NULL OR connector_id IS NOT NULL),
        definition TEXT NOT NULL,
        search_text TEXT NOT NULL,
        revision INTEGER NOT NULL,
        created_by INTEGER NOT NULL,
        created_at TEXT NOT NULL,
        updated_at TEXT
      ) STRICT;
      CREATE INDEX explorer_presets_by_connector ON explorer_presets (connector_id, resource, id);
    `)
  },
}
