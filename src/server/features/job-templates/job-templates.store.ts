import { sql } from 'drizzle-orm'
import { type DocumentValues, createDocumentsStore } from '../../platform/documents/documents.store.ts'
import type { DocumentRow } from '../../platform/documents/documents.table.ts'
import type { Store } from '../../platform/store.ts'
import { jobTemplateVersions, jobTemplates } from './job-templates.table.ts'

export interface TemplateValues extends DocumentValues {
  task_count: number
}
/** A template with how many active jobs were made from it. */
type TemplateRow = DocumentRow & { task_count: number; job_count: number }

// Column names are written out: inside of a selection they would otherwise lose the name of their table.
const jobCount = sql<number>`(SELECT count(*) FROM jobs WHERE jobs.job_template_id = job_templates.id AND jobs.status = 'active')`

export const createJobTemplatesStore = (store: Store) =>
  createDocumentsStore<TemplateValues, TemplateRow>(store, {
    table: jobTemplates,
    versions: jobTemplateVersions,
    computed: { job_count: jobCount.as('job_count') },
  })
