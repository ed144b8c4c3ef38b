import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { deliveryStatuses, notificationTypes } from '../../../contract/notifications.ts'
import type { NotifyEvent } from '../../../language/job/job.types.ts'
import type { NotificationContent } from './notifications.rules.ts'

export const notifications = sqliteTable('notifications', {
  id: integer().primaryKey({ autoIncrement: true }),
  name: text().notNull(),
  type: text().$type<(typeof notificationTypes)[number]>().notNull(),
  config: text({ mode: 'json' }).$type<Record<string, unknown>>().notNull(),
  /** The secrets as one sealed JSON object; null when there are none. */
  sealed_secrets: text(),
  secret_names: text({ mode: 'json' }).$type<string[]>().notNull(),
  on: text({ mode: 'json' }).$type<NotifyEvent[]>().notNull(),
  job_ids: text({ mode: 'json' }).$type<number[]>(),
  enabled: integer().$type<0 | 1>().notNull(),
  created_by: integer(),
  created_at: text().notNull(),
  updated_at: text(),
})
export type ChannelRow = typeof notifications.$inferSelect

export const deliveries = sqliteTable('notification_deliveries', {
  id: integer().primaryKey({ autoIncrement: true }),
  notification_id: integer().notNull(),
  event: text().$type<NotifyEvent | 'test'>().notNull(),
  job_id: integer(),
  job_run_id: integer(),
  content: text('news', { mode: 'json' }).$type<NotificationContent>().notNull(),
  message_key: text().notNull(),
  status: text().$type<(typeof deliveryStatuses)[number]>().notNull(),
  attempts: integer().notNull(),
  next_attempt_at: text(),
  delivered_at: text(),
  error_message: text(),
  error_params: text(),
  created_at: text().notNull(),
  updated_at: text().notNull(),
})
export type DeliveryRow = typeof deliveries.$inferSelect
