import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { executorStatuses } from '../../../contract/executors.ts'

export type ExecutorStatus = (typeof executorStatuses)[number]

export const executors = sqliteTable('executors', {
  id: integer().primaryKey({ autoIncrement: true }),
  name: text().notNull(),
  version: text().notNull(),
  protocol: integer().notNull(),
  /** Random, one a process. */
  instance: text().notNull(),
  credential_hash: text().notNull(),
  status: text().$type<ExecutorStatus>().notNull(),
  drain_requested: integer().$type<0 | 1>().notNull().default(0),
  capabilities: text({ mode: 'json' }).$type<string[]>().notNull(),
  labels: text({ mode: 'json' }).$type<Record<string, string>>().notNull(),
  slots: integer().notNull(),
  address: text(),
  last_heartbeat_at: text(),
  created_at: text().notNull(),
  updated_at: text(),
})
export type ExecutorRow = typeof executors.$inferSelect
