import type { Migration } from './migration.ts'

/** What is needed to run a query of the history again, and the code of why it failed. */
export const queryHistoryAgain: Migration = {
  version: 40,
  name: 'queries of the history can be run again',
  up(sqlite) {
    sqlite.exec(`
      ALTER TABLE query_history ADD COLUMN asked TEXT;
      ALTER TABLE query_history ADD COLUMN error_params TEXT;
    `)
  },
}
