import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { ReferenceKind } from '../../../contract/ai-references.ts'

export const aiReferences = sqliteTable('ai_references', {
  id: integer().primaryKey({ autoIncrement: true }),
  title: text().notNull(),
  kind: text().$type<ReferenceKind>().notNull(),
  tags: text({ mode: 'json' }).$type<string[]>().notNull(),
  size: integer().notNull(),
  search_text: text().notNull(),
  revision: integer().notNull(),
  created_by: integer().notNull(),
  created_at: text().notNull(),
  updated_at: text(),
  indexed: integer({ mode: 'boolean' }).notNull(),
  parts_from: integer().notNull(),
  /** Deleted for everyone; here until its parts are removed. */
  removed: integer({ mode: 'boolean' }).notNull().default(false),
})
export type AiReferenceRow = typeof aiReferences.$inferSelect
