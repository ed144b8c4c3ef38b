import type { Migration } from './migration.ts'

/** Whether viewers may write queries for a connector, rather than use conditions and presets of these alone. */
export const viewerQueries: Migration = {
  version: 32,
  name: 'viewer queries',
  up(sqlite) {
    sqlite.exec('ALTER TABLE connectors ADD COLUMN viewer_raw INTEGER NOT NULL DEFAULT 0;')
  },
}
