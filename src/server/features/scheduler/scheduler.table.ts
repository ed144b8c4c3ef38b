import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const scheduler = sqliteTable('scheduler', {
  only_one: integer().primaryKey(),
  paused: integer().$type<0 | 1>().notNull(),
  paused_at: text(),
  paused_by: text(),
  resumed_at: text(),
})
export type SchedulerRow = typeof scheduler.$inferSelect
