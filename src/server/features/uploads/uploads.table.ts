import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const uploads = sqliteTable('uploads', {
  path: text().primaryKey(),
  uploaded_at: text().notNull(),
  uploaded_by: integer().notNull(),
})
export type UploadRow = typeof uploads.$inferSelect
