import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const jobTemplates = sqliteTable('job_templates', {
  id: integer().primaryKey({ autoIncrement: true }),
  name: text().notNull(),
  description: text(),
  current_version: integer().notNull(),
  connector_refs: text(),
  task_count: integer().notNull(),
  tags: text({ mode: 'json' }).$type<string[]>().notNull(),
  archived: integer().$type<0 | 1>().notNull(),
  search_text: text().notNull(),
  revision: integer().notNull(),
  created_by: integer(),
  created_at: text().notNull(),
  updated_at: text().notNull(),
})

export const jobTemplateVersions = sqliteTable('job_template_versions', {
  id: integer().primaryKey({ autoIncrement: true }),
  job_template_id: integer().notNull(),
  version: integer().notNull(),
  yaml_content: text().notNull(),
  connector_refs: text(),
  change_summary: text(),
  created_by: integer(),
  created_at: text().notNull(),
})

export type JobTemplateRow = typeof jobTemplates.$inferSelect
export type JobTemplateVersionRow = typeof jobTemplateVersions.$inferSelect
