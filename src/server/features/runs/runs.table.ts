import { blob, integer, primaryKey, real, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { RunStatus, triggerTypes } from '../../../contract/runs.ts'
import type { RejectForm } from '../../../contract/run-rejects.ts'

export type TriggerType = (typeof triggerTypes)[number]

/** `repeatable`: writing the same rows again gives the same result. */
export type CommitPermit = 'once' | 'repeatable'

export const runs = sqliteTable('runs', {
  id: integer().primaryKey({ autoIncrement: true }),
  task_id: integer().notNull(),
  task_name: text().notNull(),
  task_version: integer().notNull(),
  job_run_id: integer(),
  trigger_type: text().$type<TriggerType>().notNull(),
  status: text().$type<RunStatus>().notNull(),
  arguments: text(),
  connector_mapping: text(),
  logical_date: text().notNull(),
  priority: integer().notNull().default(0),
  attempt: integer().notNull().default(1),
  max_attempts: integer().notNull().default(1),
  retry_delay_ms: integer().notNull().default(0),
  retry_backoff: real().notNull().default(1),
  timeout_ms: integer(),
  ready_at: text().notNull(),
  executor_id: integer(),
  executor_name: text(),
  lease_token: text(),
  cancel_requested: integer().$type<0 | 1>().notNull().default(0),
  started_at: text(),
  completed_at: text(),
  duration_ms: integer(),
  item_count: integer(),
  reject_count: integer(),
  error_message: text(),
  error_code: text(),
  error_params: text(),
  metrics_summary: text(),
  outputs: text(),
  log_lines: integer().notNull().default(0),
  log_seq: integer().notNull().default(0),
  reject_seq: integer().notNull().default(0),
  rejects_stored: integer().notNull().default(0),
  retried_from: integer(),
  created_by: integer(),
  created_at: text().notNull(),
  updated_at: text().notNull(),
  full_refresh: integer().$type<0 | 1>().notNull().default(0),
  committed_at: text(),
  /** The attempt under way may commit; whether it has is known only once it says so. Null: it has not asked. */
  commit_permit: text().$type<CommitPermit>(),
  /** What that attempt saves if it commits; null: nothing. */
  commit_state: text(),
  state_revision: text(),
  /** Of the job run that it belongs to. */
  job_id: integer(),
  task_key: text(),
  item_index: integer(),
  /** Names the item of a for_each in saved state. */
  state_key: text(),
  override_hash: text(),
  pool: text(),
  /** When its log and rejected rows were removed and it stayed. */
  log_removed_at: text(),
  /** The run whose rejected rows it reads. */
  rejects_of: integer(),
  /** Where they start: a `RejectsPlace` as JSON. */
  rejects_start: text(),
})
export type RunRow = typeof runs.$inferSelect

/** Attempts that ended and were followed by another one; the last attempt is told by the run itself. */
export const runAttempts = sqliteTable(
  'run_attempts',
  {
    run_id: integer().notNull(),
    attempt: integer().notNull(),
    /** Null when the attempt was given up: nobody may speak for it any more. */
    lease_token: text(),
    executor_id: integer(),
    executor_name: text(),
    started_at: text(),
    ended_at: text().notNull(),
    /** As its executor measured it; where it was given up, by the clock. */
    duration_ms: integer().notNull().default(0),
    error_code: text(),
    error_message: text(),
    error_params: text(),
    log_seq: integer().notNull(),
    reject_seq: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.run_id, table.attempt] })],
)
export type RunAttemptRow = typeof runAttempts.$inferSelect

export const runSteps = sqliteTable(
  'run_steps',
  {
    run_id: integer().notNull(),
    attempt: integer().notNull(),
    step_index: integer().notNull(),
    key: text().notNull(),
    label: text().notNull(),
    status: text().notNull(),
    rows_in: integer(),
    rows_out: integer(),
    rows_rejected: integer(),
    bytes: integer(),
    started_at: text(),
    duration_ms: real(),
    columns: text().notNull(),
    changes: text(),
    drift: text(),
    rows_inserted: integer(),
    rows_updated: integer(),
  },
  (table) => [primaryKey({ columns: [table.run_id, table.attempt, table.step_index] })],
)

export type RunStepRow = typeof runSteps.$inferSelect

export const runRejects = sqliteTable('run_rejects', {
  id: integer().primaryKey({ autoIncrement: true }),
  run_id: integer().notNull(),
  attempt: integer().notNull(),
  step: text().notNull(),
  reason: text().notNull(),
  code: text(),
  params: text({ mode: 'json' }).$type<Record<string, unknown>>(),
  row: text({ mode: 'json' }).$type<Record<string, unknown>>().notNull(),
  created_at: text().notNull(),
  form: text().$type<RejectForm>(),
  rerun_by: integer(),
})

/** Rows that a run reads instead of its source. @public for the comparison of code and schema. */
export const runRerunRows = sqliteTable(
  'run_rerun_rows',
  {
    run_id: integer().notNull(),
    reject_id: integer().notNull(),
    row: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.run_id, table.reject_id] })],
)

/** Hot statements name its columns themselves. @public for the comparison of code and schema. */
export const runLogChunks = sqliteTable('run_log_chunks', {
  id: integer().primaryKey({ autoIncrement: true }),
  run_id: integer().notNull(),
  attempt: integer().notNull(),
  seq: integer().notNull(),
  first_line: integer().notNull(),
  line_count: integer().notNull(),
  levels: integer().notNull(),
  encoding: integer().notNull(),
  content: blob({ mode: 'buffer' }).notNull(),
})

/** How many ended runs there are, by task (0: all), day (grain 0) or minute (grain 1) since the epoch, status and trigger. @public as above. */
export const runCounts = sqliteTable(
  'run_counts',
  {
    task_id: integer().notNull(),
    grain: integer().notNull(),
    bucket: integer().notNull(),
    status: text().$type<RunStatus>().notNull(),
    trigger_type: text().$type<TriggerType>().notNull(),
    n: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.task_id, table.grain, table.bucket, table.status, table.trigger_type] })],
)
