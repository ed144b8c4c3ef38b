import type { Migration } from './migration.ts'

/** The code of the text of an error and what it was made with, as JSON, beside its English: windows render it in the reader's language. */
export const errorParams: Migration = {
  version: 24,
  name: 'error params',
  up(sqlite) {
    sqlite.exec(
      ['runs', 'run_attempts', 'job_runs', 'job_run_tasks', 'job_run_items']
        .map((table) => `ALTER TABLE ${table} ADD COLUMN error_params TEXT;`)
        .join('\n'),
    )
  },
}
