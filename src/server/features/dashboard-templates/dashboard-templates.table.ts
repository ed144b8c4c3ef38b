import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { documentColumns, versionTable } from '../../platform/documents/documents.table.ts'

export const dashboardTemplates = sqliteTable('dashboard_templates', {
  ...documentColumns(),
  job_template_name: text().notNull(),
  widget_count: integer().notNull(),
})
export const dashboardTemplateVersions = versionTable('dashboard_template_versions', 'dashboard_template_id')
