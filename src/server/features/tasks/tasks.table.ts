import { sqliteTable } from 'drizzle-orm/sqlite-core'
import { documentColumns, versionTable } from '../../platform/documents/documents.table.ts'

export const tasks = sqliteTable('tasks', documentColumns())
export const taskVersions = versionTable('task_versions', 'task_id')
