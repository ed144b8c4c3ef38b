import type { Migration } from './migration.ts'

/** Runs and job runs sorted by their duration, with those that have none apart. */
export const runsByDuration: Migration = {
  version: 41,
  name: 'runs by duration',
  up(sqlite) {
    sqlite.exec(`
      CREATE INDEX runs_by_duration ON runs (status, trigger_type, duration_ms, id, created_at) WHERE duration_ms IS NOT NULL;
      CREATE INDEX runs_by_task_duration ON runs (task_id, status, trigger_type, duration_ms, id, created_at)
        WHERE duration_ms IS NOT NULL;
      CREATE INDEX runs_without_duration ON runs (created_at, id, task_id, status, trigger_type) WHERE duration_ms IS NULL;

      DROP INDEX runs_by_end;
      CREATE INDEX runs_by_end ON runs (completed_at, id, status, trigger_type, job_id, executor_id, duration_ms)
        WHERE completed_at IS NOT NULL;

      CREATE INDEX job_runs_by_duration ON job_runs (duration_ms, id, status, trigger_type, job_id, created_at)
        WHERE duration_ms IS NOT NULL;
      CREATE INDEX job_runs_by_job_duration ON job_runs (job_id, duration_ms, id) WHERE duration_ms IS NOT NULL;
      CREATE INDEX job_runs_without_duration ON job_runs (created_at, id) WHERE duration_ms IS NULL;
    `)
  },
}
