import { and, asc, eq, sql } from 'drizzle-orm'
import { type DocumentValues, createDocumentsStore } from '../../platform/documents/documents.store.ts'
import type { DocumentRow } from '../../platform/documents/documents.table.ts'
import type { Store } from '../../platform/store.ts'
import { dashboardTemplateVersions, dashboardTemplates } from './dashboard-templates.table.ts'

export interface DashboardTemplateValues extends DocumentValues {
  job_template_name: string
  widget_count: number
}
type Row = DocumentRow & { job_template_name: string; widget_count: number; job_template_id: number | null }

// Column names are written out: inside of a selection they would otherwise lose the name of their table.
const jobTemplateId = sql<
  number | null
>`(SELECT id FROM job_templates WHERE job_templates.name = dashboard_templates.job_template_name)`

export function createDashboardTemplatesStore(store: Store) {
  return {
    ...createDocumentsStore<DashboardTemplateValues, Row>(store, {
      table: dashboardTemplates,
      versions: dashboardTemplateVersions,
      computed: { job_template_id: jobTemplateId.as('job_template_id') },
    }),
    /** Of a job template, by name: their current versions, without archived ones. */
    currentOf: (jobTemplate: string) =>
      store.db
        .select({
          id: dashboardTemplates.id,
          name: dashboardTemplates.name,
          version: dashboardTemplates.current_version,
          yaml_content: dashboardTemplateVersions.yaml_content,
        })
        .from(dashboardTemplates)
        .innerJoin(
          dashboardTemplateVersions,
          and(
            eq(dashboardTemplateVersions.owner_id, dashboardTemplates.id),
            eq(dashboardTemplateVersions.version, dashboardTemplates.current_version),
          ),
        )
        .where(and(eq(dashboardTemplates.job_template_name, jobTemplate), eq(dashboardTemplates.archived, 0)))
        .orderBy(asc(dashboardTemplates.name))
        .all(),
    /** Names of the job templates that there are, and one of them. */
    jobTemplateNames: (): string[] =>
      store.sqlite
        .prepare<[], { name: string }>('SELECT name FROM job_templates WHERE archived = 0 ORDER BY name LIMIT 2000')
        .all()
        .map(({ name }) => name),
    jobTemplate: (name: string): { archived: 0 | 1; yaml_content: string } | undefined =>
      store.sqlite
        .prepare<[string], { archived: 0 | 1; yaml_content: string }>(
          `SELECT archived, yaml_content FROM job_templates
           JOIN job_template_versions ON job_template_id = job_templates.id AND version = current_version
           WHERE job_templates.name = ?`,
        )
        .get(name),
  }
}
