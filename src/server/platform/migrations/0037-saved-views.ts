import type { Migration } from './migration.ts'

/** Filters, order, and columns of lists under a name; and job runs by state, newest first. */
export const savedViews: Migration = {
  version: 37,
  name: 'saved views',
  up(sqlite) {
    sqlite.exec(`
      CREATE TABLE saved_views (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        user_id INTEGER NOT NULL,
        list TEXT NOT NULL,
        name TEXT NOT NULL,
        address TEXT NOT NULL,
        created_at TEXT NOT NULL,
        updated_at TEXT
      ) STRICT;
      CREATE UNIQUE INDEX saved_views_by_user ON saved_views (user_id, list, name COLLATE NOCASE);
    `)
  },
}
