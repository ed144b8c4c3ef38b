import { integer, sqliteTable } from 'drizzle-orm/sqlite-core'
import { documentColumns, versionTable } from '../../platform/documents/documents.table.ts'

export const jobTemplates = sqliteTable('job_templates', { ...documentColumns(), task_count: integer().notNull() })
export const jobTemplateVersions = versionTable('job_template_versions', 'job_template_id')
