import type { Migration } from './migration.ts'

/** Runs of which nobody knows whether they committed, and what they would have saved: the state of a task waits for the answer. */
export const unresolvedOutcomes: Migration = {
  version: 17,
  name: 'unresolved_outcomes',
  up(sqlite) {
    sqlite.exec(`
      -- JSON: what the attempt under way will save if it commits.
      ALTER TABLE runs ADD COLUMN commit_state TEXT;
      -- JSON list of runs with an unknown outcome.
      ALTER TABLE task_states ADD COLUMN unresolved TEXT NOT NULL DEFAULT '[]';
    `)
  },
}
