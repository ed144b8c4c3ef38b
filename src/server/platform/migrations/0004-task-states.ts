import type { Migration } from './migration.ts'

/** Where incremental runs have got to, and what a run must know to save it. */
export const taskStates: Migration = {
  version: 4,
  name: 'task-states',
  up(sqlite) {
    sqlite.exec(`
-- job_id and connector_id are 0, task_key and slot empty, where there is none: they are parts of the key.
CREATE TABLE task_states (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  task_id INTEGER NOT NULL REFERENCES tasks (id),
  job_id INTEGER NOT NULL DEFAULT 0,
  task_key TEXT NOT NULL DEFAULT '',
  slot TEXT NOT NULL,
  connector_id INTEGER NOT NULL,
  state TEXT NOT NULL,
  -- Drawn anew with each save: a run saves only over what it has read.
  revision TEXT NOT NULL,
  run_id INTEGER NOT NULL,
  updated_at TEXT NOT NULL,
  UNIQUE (task_id, job_id, task_key, slot, connector_id)
) STRICT;

ALTER TABLE runs ADD COLUMN full_refresh INTEGER NOT NULL DEFAULT 0;
-- When the attempt under way told that its target had committed: from then on it is not tried again.
ALTER TABLE runs ADD COLUMN committed_at TEXT;
-- The revision that the attempt under way was given; null: there was no state.
ALTER TABLE runs ADD COLUMN state_revision TEXT;
`)
  },
}
