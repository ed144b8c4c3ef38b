import type { Database } from 'better-sqlite3'

export const benchTasks = 400
const days = 120
const numbers = 'RECURSIVE numbers (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM numbers WHERE value < @last)'

/**
 * Ended runs over 120 days and 400 tasks, one task with a tenth of them, most of them good; some waiting and running ones
 * at the end. Written by SQL in one transaction; ids and times rise together.
 */
export function insertRuns(sqlite: Database, runs: number, until = Date.now()): void {
  const from = until - days * 86_400_000
  sqlite.exec('BEGIN')
  sqlite
    .prepare(
      `WITH ${numbers} INSERT INTO tasks (name, current_version, search_text, created_at, updated_at)
       SELECT 'bench.' || value, 1, 'bench', @at, @at FROM numbers WHERE value <= @last`,
    )
    .run({ at: new Date(from).toISOString(), last: benchTasks })
  sqlite
    .prepare(
      `WITH ${numbers} INSERT INTO runs (task_id, task_name, task_version, job_run_id, trigger_type, status, logical_date, ready_at,
         started_at, completed_at, duration_ms, item_count, reject_count, log_lines, created_at, updated_at, executor_name)
       SELECT task, 'bench.' || task, 1, CASE WHEN value % 5 = 0 THEN value / 50 + 1 END,
         CASE WHEN value % 3 = 0 THEN 'cron' WHEN value % 50 = 1 THEN 'api' ELSE 'manual' END,
         CASE WHEN value > @last - 500 THEN 'pending' WHEN value % 40 = 0 THEN 'failed' WHEN value % 30 = 0 THEN 'completed'
           WHEN value % 997 = 0 THEN 'cancelled' ELSE 'success' END,
         at, at, at, at, value % 5000, value % 100000, 0, 0, at, at, 'local'
       FROM (
         SELECT value, CASE WHEN value % 10 = 0 THEN 1 ELSE abs(value * 2654435761) % @tasks + 1 END AS task,
           strftime('%Y-%m-%dT%H:%M:%fZ', (@from + value * @step) / 1000.0, 'unixepoch') AS at
         FROM numbers)`,
    )
    .run({ last: runs, tasks: benchTasks, from, step: (until - from) / runs })
  sqlite.exec('COMMIT')
  sqlite.exec('PRAGMA wal_checkpoint(TRUNCATE)')
}
