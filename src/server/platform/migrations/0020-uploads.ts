import type { Migration } from './migration.ts'

/** Who uploaded which file. The file is the one that has this time: one that was put in its place later is nobody's. */
export const uploads: Migration = {
  version: 20,
  name: 'uploads',
  up(sqlite) {
    sqlite.exec(`
      CREATE TABLE uploads (
        path TEXT NOT NULL PRIMARY KEY,
        uploaded_at TEXT NOT NULL,
        uploaded_by INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
    `)
  },
}
