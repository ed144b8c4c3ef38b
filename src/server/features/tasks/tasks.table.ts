import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const tasks = sqliteTable('tasks', {
  id: integer().primaryKey({ autoIncrement: true }),
  name: text().notNull(),
  description: text(),
  current_version: integer().notNull(),
  connector_refs: text(),
  tags: text({ mode: 'json' }).$type<string[]>().notNull(),
  archived: integer().$type<0 | 1>().notNull(),
  search_text: text().notNull(),
  revision: integer().notNull(),
  created_by: integer(),
  created_at: text().notNull(),
  updated_at: text().notNull(),
})

export const taskVersions = sqliteTable('task_versions', {
  id: integer().primaryKey({ autoIncrement: true }),
  task_id: integer().notNull(),
  version: integer().notNull(),
  yaml_content: text().notNull(),
  connector_refs: text(),
  change_summary: text(),
  created_by: integer(),
  created_at: text().notNull(),
})

export type TaskRow = typeof tasks.$inferSelect
export type TaskVersionRow = typeof taskVersions.$inferSelect
