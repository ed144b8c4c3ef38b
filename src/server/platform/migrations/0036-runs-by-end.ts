import type { Migration } from './migration.ts'

/** Lists of runs by when they ended: as metrics count them. */
export const runsByEnd: Migration = {
  version: 36,
  name: 'runs by end',
  up(sqlite) {
    sqlite.exec(`
      CREATE INDEX runs_by_end ON runs (completed_at, id, status, trigger_type, job_id, executor_id)
        WHERE completed_at IS NOT NULL;
      CREATE INDEX runs_by_task_end ON runs (task_id, completed_at, id) WHERE completed_at IS NOT NULL;
    `)
  },
}
