import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const pools = sqliteTable('pools', {
  id: integer().primaryKey({ autoIncrement: true }),
  name: text().notNull(),
  slots: integer().notNull(),
  description: text(),
  created_at: text().notNull(),
  updated_at: text(),
})
export type PoolRow = typeof pools.$inferSelect
