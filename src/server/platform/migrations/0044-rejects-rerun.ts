import type { Migration } from './migration.ts'

/** Rejected rows that other runs have read: each keeps its rows until it is removed, whatever becomes of the run that rejected them. */
export const rejectsRerun: Migration = {
  version: 44,
  name: 'rejects rerun',
  up(sqlite) {
    sqlite.exec(`
      ALTER TABLE run_rejects ADD COLUMN form TEXT;
      ALTER TABLE run_rejects ADD COLUMN rerun_by INTEGER;
      ALTER TABLE runs ADD COLUMN rejects_of INTEGER;
      -- The stage where its rows start, and the columns that they have, as JSON.
      ALTER TABLE runs ADD COLUMN rejects_start TEXT;
      CREATE INDEX runs_by_rejects_of ON runs (rejects_of) WHERE rejects_of IS NOT NULL;
      CREATE TABLE run_rerun_rows (
        run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
        reject_id INTEGER NOT NULL,
        row TEXT NOT NULL,
        PRIMARY KEY (run_id, reject_id)
      ) STRICT, WITHOUT ROWID;
    `)
  },
}
