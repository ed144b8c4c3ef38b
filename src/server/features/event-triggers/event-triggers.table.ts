import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { AfterJobConfig, FileArrivalConfig, eventTriggerTypes } from '../../../contract/event-triggers.ts'

/** With every default filled in. */
export type FileArrival = Required<FileArrivalConfig>
export type AfterJob = Required<AfterJobConfig>
export type EventConfig = FileArrival | AfterJob | Record<never, never>

export const eventTriggers = sqliteTable('event_triggers', {
  id: integer().primaryKey({ autoIncrement: true }),
  job_id: integer().notNull(),
  name: text().notNull(),
  type: text().$type<(typeof eventTriggerTypes)[number]>().notNull(),
  config: text({ mode: 'json' }).$type<EventConfig>().notNull(),
  task_key: text(),
  /** JSON, as answers have it. */
  arguments: text(),
  enabled: integer().$type<0 | 1>().notNull(),
  token_hash: text(),
  source_job_id: integer(),
  looked: integer().$type<0 | 1>().notNull(),
  last_triggered_at: text(),
  last_error: text(),
  last_error_params: text({ mode: 'json' }).$type<Record<string, unknown>>(),
  revision: integer().notNull(),
  created_by: integer(),
  created_at: text().notNull(),
  updated_at: text().notNull(),
})
export type EventTriggerRow = typeof eventTriggers.$inferSelect
