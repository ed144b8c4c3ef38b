import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { NodeStatus } from '../../../contract/job-runs.ts'
import type { JobRunStatus } from '../../../contract/jobs.ts'
import type { OnOverlap } from '../../../language/job/job.types.ts'
import type { triggerTypes } from '../../../contract/runs.ts'

/** Texts that hold JSON are left as texts: hot statements read them without drizzle. */
export const jobRuns = sqliteTable('job_runs', {
  id: integer().primaryKey({ autoIncrement: true }),
  job_id: integer().notNull(),
  job_name: text().notNull(),
  snapshot_id: integer().notNull(),
  template_version: integer().notNull(),
  status: text().$type<JobRunStatus>().notNull(),
  trigger_type: text().$type<(typeof triggerTypes)[number]>().notNull(),
  trigger_id: integer(),
  event_trigger_id: integer(),
  logical_date: text().notNull(),
  timezone: text().notNull(),
  arguments: text(),
  parameters: text().notNull(),
  connector_mapping: text().notNull(),
  overrides: text(),
  selected_tasks: text(),
  skip_deps: integer().$type<0 | 1>(),
  full_refresh: integer().$type<0 | 1>().notNull().default(0),
  priority: integer().notNull().default(0),
  on_overlap: text().$type<OnOverlap>().notNull(),
  max_tasks: integer().notNull(),
  active: integer().notNull().default(0),
  pause_reason: text().$type<'asked' | 'gate'>(),
  cancel_requested: integer().$type<0 | 1>().notNull().default(0),
  stop_reason: text(),
  timeout_ms: integer(),
  ran_ms: integer().notNull().default(0),
  running_since: text(),
  timeout_at: text(),
  late_at: text(),
  was_failed: integer().$type<0 | 1>().notNull().default(0),
  success: integer().$type<0 | 1>().notNull().default(0),
  error_message: text(),
  error_params: text(),
  rerun_of: integer(),
  backfill_id: text(),
  backfill_parallel: integer(),
  started_at: text(),
  completed_at: text(),
  duration_ms: integer(),
  created_by: integer(),
  created_at: text().notNull(),
  updated_at: text().notNull(),
})
export type JobRunRow = typeof jobRuns.$inferSelect

export const jobRunTasks = sqliteTable(
  'job_run_tasks',
  {
    job_run_id: integer().notNull(),
    task_key: text().notNull(),
    position: integer().notNull(),
    kind: text().$type<'task' | 'gate'>().notNull(),
    status: text().$type<NodeStatus>().notNull(),
    reason: text(),
    item_total: integer(),
    message: text(),
    decided_by: integer(),
    note: text(),
    reused_from: integer(),
    error_message: text(),
    error_params: text(),
    started_at: text(),
    completed_at: text(),
    max_parallel: integer(),
    pool: text(),
    priority: integer().notNull().default(0),
    queued_at: text(),
    /** Its units of work by how they stand; active: those whose run has not ended. The database counts them itself. */
    n_queued: integer().notNull().default(0),
    n_active: integer().notNull().default(0),
    n_success: integer().notNull().default(0),
    n_completed: integer().notNull().default(0),
    n_failed: integer().notNull().default(0),
    n_cancelled: integer().notNull().default(0),
    n_skipped: integer().notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.job_run_id, table.task_key] })],
)
export type JobRunTaskRow = typeof jobRunTasks.$inferSelect

/**
 * A unit of work is never paused: a paused job run only starts none. `queued`: may start as soon as limits allow; `pending`: its
 * run waits for an executor.
 */
export type ItemStatus = Exclude<NodeStatus, 'paused'>
export const jobRunItems = sqliteTable(
  'job_run_items',
  {
    job_run_id: integer().notNull(),
    task_key: text().notNull(),
    item_index: integer().notNull(),
    item: text(),
    item_key: text().notNull(),
    status: text().$type<ItemStatus>().notNull(),
    run_id: integer(),
    outputs: text(),
    item_count: integer(),
    reject_count: integer(),
    error_message: text(),
    error_params: text(),
    pool: text(),
    priority: integer().notNull(),
    queued_at: text(),
    started_at: text(),
    completed_at: text(),
    /** 1: a pause stops its run, or has stopped it: it runs again, and has not begun to yet. */
    again: integer().$type<0 | 1>().notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.job_run_id, table.task_key, table.item_index] })],
)
export type JobRunItemRow = typeof jobRunItems.$inferSelect
