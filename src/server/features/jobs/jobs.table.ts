import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { JobRunStatus, jobStatuses } from '../../../contract/jobs.ts'

export const jobs = sqliteTable('jobs', {
  id: integer().primaryKey({ autoIncrement: true }),
  job_template_id: integer().notNull(),
  name: text().notNull(),
  description: text(),
  /** JSON, as answers have it. */
  connector_mapping: text().notNull(),
  parameters: text().notNull(),
  status: text().$type<(typeof jobStatuses)[number]>().notNull(),
  /** Null only within the transaction that makes the job. */
  snapshot_id: integer(),
  template_version: integer().notNull(),
  search_text: text().notNull(),
  revision: integer().notNull(),
  last_run_id: integer(),
  last_run_status: text().$type<JobRunStatus>(),
  last_run_at: text(),
  next_fire_at: text(),
  created_by: integer(),
  created_at: text().notNull(),
  updated_at: text().notNull(),
})

/** A task of a snapshot: which version of which task. */
export interface PinnedTask {
  task_id: number
  task_name: string
  version: number
}

export const jobSnapshots = sqliteTable('job_snapshots', {
  id: integer().primaryKey({ autoIncrement: true }),
  job_id: integer().notNull(),
  job_template_id: integer().notNull(),
  template_version: integer().notNull(),
  yaml_content: text().notNull(),
  /** JSON; drizzle takes no objects without a prototype, as the rows have them. */
  tasks: text().notNull(),
  dashboard_templates: text({ mode: 'json' })
    .$type<{ id: number; name: string; version: number; yaml_content: string }[]>()
    .notNull(),
  created_at: text().notNull(),
})

export const overrideTexts = sqliteTable('override_texts', {
  hash: text().primaryKey(),
  yaml_content: text().notNull(),
  created_at: text().notNull(),
})

export const jobTaskOverrides = sqliteTable('job_task_overrides', {
  job_id: integer().notNull(),
  task_key: text().notNull(),
  hash: text().notNull(),
  created_by: integer(),
  created_at: text().notNull(),
})

export type JobRow = typeof jobs.$inferSelect
export type JobSnapshotRow = Omit<typeof jobSnapshots.$inferSelect, 'tasks'> & { tasks: Record<string, PinnedTask> }
