import { sql } from 'drizzle-orm'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { firingOutcomes, misfirePolicies, overlapPolicies, triggerKinds } from '../../../contract/triggers.ts'

export const triggers = sqliteTable('triggers', {
  id: integer().primaryKey({ autoIncrement: true }),
  job_id: integer().notNull(),
  task_key: text(),
  type: text().$type<(typeof triggerKinds)[number]>().notNull(),
  cron_expression: text().notNull(),
  timezone: text().notNull(),
  /** JSON, as answers have it. */
  arguments: text(),
  enabled: integer().$type<0 | 1>().notNull(),
  misfire_policy: text().$type<(typeof misfirePolicies)[number]>().notNull(),
  jitter_seconds: integer().notNull(),
  on_overlap: text().$type<(typeof overlapPolicies)[number]>(),
  next_fire_at: text(),
  due_at: text(),
  /** next_fire_at, or what comes after all times. */
  fire_order: text()
    .notNull()
    .generatedAlwaysAs(sql`coalesce(next_fire_at, '~')`),
  last_triggered_at: text(),
  revision: integer().notNull(),
  created_by: integer(),
  created_at: text().notNull(),
  updated_at: text().notNull(),
})
export type TriggerRow = typeof triggers.$inferSelect

export const triggerFirings = sqliteTable('trigger_firings', {
  id: integer().primaryKey({ autoIncrement: true }),
  trigger_id: integer().notNull(),
  job_id: integer().notNull(),
  task_key: text(),
  scheduled_at: text().notNull(),
  fired_at: text().notNull(),
  outcome: text().$type<(typeof firingOutcomes)[number]>().notNull(),
  job_run_id: integer(),
  message: text(),
  message_params: text({ mode: 'json' }).$type<Record<string, unknown>>(),
})
export type TriggerFiringRow = typeof triggerFirings.$inferSelect
