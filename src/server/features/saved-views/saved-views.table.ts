import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { viewedLists } from '../../../contract/saved-views.ts'

export const savedViews = sqliteTable('saved_views', {
  id: integer().primaryKey({ autoIncrement: true }),
  user_id: integer().notNull(),
  list: text({ enum: [...viewedLists] }).notNull(),
  name: text().notNull(),
  address: text().notNull(),
  created_at: text().notNull(),
  updated_at: text(),
})
export type SavedViewRow = typeof savedViews.$inferSelect
