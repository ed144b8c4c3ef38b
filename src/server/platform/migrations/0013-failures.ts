import type { Migration } from './migration.ts'

/** The newest failure of each job and task, without a walk through all failures: one job may fail every minute. */
export const failures: Migration = {
  version: 13,
  name: 'failures',
  up(sqlite) {
    sqlite.exec(`
      -- Nobody asks for the newest failures of all any more.
      DROP INDEX runs_failed_alone;
      DROP INDEX job_runs_failed;
      -- The last column is a term of each question: with it the index alone answers.
      CREATE INDEX runs_failed_by_task ON runs (task_id, completed_at, job_run_id)
        WHERE status = 'failed' AND job_run_id IS NULL;
      CREATE INDEX job_runs_failed_by_job ON job_runs (job_id, completed_at, removed_at)
        WHERE status = 'failed' AND removed_at IS NULL;
      -- The newest run of a task, without those that jobs made since.
      CREATE INDEX runs_alone_by_task ON runs (task_id, created_at) WHERE job_run_id IS NULL;
    `)
  },
}
