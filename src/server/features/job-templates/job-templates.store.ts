import { and, desc, eq, getTableColumns, sql } from 'drizzle-orm'
import type { listJobTemplateVersions, listJobTemplates } from '../../../contract/job-templates.ts'
import type { QueryOf } from '../../../contract/operation.ts'
import { keysetPage } from '../../platform/keyset.ts'
import { searched, startsWith, tagged } from '../../platform/list-filters.ts'
import { holdsText } from '../../platform/text-search.ts'
import type { Store } from '../../platform/store.ts'
import {
  type JobTemplateRow,
  type JobTemplateVersionRow,
  jobTemplateVersions,
  jobTemplates,
} from './job-templates.table.ts'

/** A template with how many active jobs were made from it. */
export type JobTemplateWithCount = JobTemplateRow & { job_count: number }
type NewTemplate = Omit<typeof jobTemplates.$inferInsert, 'id' | 'search_text' | 'revision' | 'archived'>

type NewVersion = Required<Omit<typeof jobTemplateVersions.$inferInsert, 'id'>>

const searchText = (template: { name: string; description?: string | null }) =>
  `${template.name}\n${template.description ?? ''}`.toLowerCase()

const currentYamlHolds = (words: string) => sql`EXISTS (
  SELECT 1 FROM ${jobTemplateVersions} WHERE ${jobTemplateVersions.job_template_id} = ${jobTemplates.id} AND ${jobTemplateVersions.version} = ${jobTemplates.current_version}
    AND ${holdsText(jobTemplateVersions.yaml_content, words)})`

export function createJobTemplatesStore(store: Store) {
  const { db } = store
  // Column names are written out: inside of a selection they would otherwise lose the name of their table.
  const jobCount = sql<number>`(SELECT count(*) FROM jobs WHERE jobs.job_template_id = job_templates.id AND jobs.status = 'active')`
  const fields = { ...getTableColumns(jobTemplates), job_count: jobCount.as('job_count') }
  // An import asks and adds tens of thousands.
  const one = db
    .select(fields)
    .from(jobTemplates)
    .where(eq(jobTemplates.id, sql.placeholder('id')))
    .prepare()
  const byName = db
    .select()
    .from(jobTemplates)
    .where(eq(jobTemplates.name, sql.placeholder('name')))
    .prepare()
  const newTemplate = db
    .insert(jobTemplates)
    .values({
      name: sql.placeholder('name'),
      description: sql.placeholder('description'),
      current_version: sql.placeholder('current_version'),
      connector_refs: sql.placeholder('connector_refs'),
      task_count: sql.placeholder('task_count'),
      tags: sql.placeholder('tags'),
      archived: sql.placeholder('archived'),
      search_text: sql.placeholder('search_text'),
      revision: 1,
      created_by: sql.placeholder('created_by'),
      created_at: sql.placeholder('created_at'),
      updated_at: sql.placeholder('updated_at'),
    })
    .returning({ id: jobTemplates.id })
    .prepare()
  const newVersion = db
    .insert(jobTemplateVersions)
    .values({
      job_template_id: sql.placeholder('job_template_id'),
      version: sql.placeholder('version'),
      yaml_content: sql.placeholder('yaml_content'),
      connector_refs: sql.placeholder('connector_refs'),
      change_summary: sql.placeholder('change_summary'),
      created_by: sql.placeholder('created_by'),
      created_at: sql.placeholder('created_at'),
    })
    .prepare()
  const allTexts = db
    .select({ version: jobTemplateVersions.version, yaml_content: jobTemplateVersions.yaml_content })
    .from(jobTemplateVersions)
    .where(eq(jobTemplateVersions.job_template_id, sql.placeholder('templateId')))
    .prepare()
  const newest = db
    .select({ version: jobTemplateVersions.version })
    .from(jobTemplateVersions)
    .where(eq(jobTemplateVersions.job_template_id, sql.placeholder('templateId')))
    .orderBy(desc(jobTemplateVersions.version))
    .limit(1)
    .prepare()
  const sortColumns = {
    created_at: jobTemplates.id,
    name: jobTemplates.name,
    updated_at: jobTemplates.updated_at,
  } as const

  return {
    list(query: QueryOf<typeof listJobTemplates>) {
      const where = and(
        eq(jobTemplates.archived, query.archived ? 1 : 0),
        searched(jobTemplates.search_text, query.q),
        query.yaml ? currentYamlHolds(query.yaml) : undefined,
        startsWith(jobTemplates.search_text, query.starts_with),
        tagged(jobTemplates.tags, query.tag),
      )
      const sort = query.sort ?? 'created_at'
      const direction = query.order ?? (sort === 'name' ? 'asc' : 'desc')
      const byId = { column: jobTemplates.id, direction }
      return keysetPage<JobTemplateWithCount>({
        store,
        table: jobTemplates,
        select: fields,
        where,
        sort: sort === 'created_at' ? [byId] : [{ column: sortColumns[sort], direction }, byId],
        cursor: query.cursor,
        limit: query.limit,
      })
    },

    get: (id: number): JobTemplateWithCount | undefined => one.get({ id }),
    getByName: (name: string) => byName.get({ name }),

    insert: (template: NewTemplate, archived: 0 | 1 = 0): number =>
      newTemplate.get({ description: null, ...template, search_text: searchText(template), archived }).id,

    update(
      id: number,
      change: Partial<Omit<NewTemplate, 'created_at'>> & { archived?: 0 | 1 },
      text?: { name: string; description: string | null },
    ): void {
      db.update(jobTemplates)
        .set({ ...change, ...(text && { search_text: searchText(text) }), revision: sql`${jobTemplates.revision} + 1` })
        .where(eq(jobTemplates.id, id))
        .run()
    },

    insertVersion: (version: NewVersion) => newVersion.run({ ...version }),

    /** Number → text of every version. */
    texts: (templateId: number): Map<number, string> =>
      new Map(allTexts.all({ templateId }).map((row) => [row.version, row.yaml_content])),

    version: (templateId: number, version: number): JobTemplateVersionRow | undefined =>
      db
        .select()
        .from(jobTemplateVersions)
        .where(and(eq(jobTemplateVersions.job_template_id, templateId), eq(jobTemplateVersions.version, version)))
        .get(),

    listVersions(templateId: number, query: QueryOf<typeof listJobTemplateVersions>) {
      const where = eq(jobTemplateVersions.job_template_id, templateId)
      return keysetPage<JobTemplateVersionRow>({
        store,
        table: jobTemplateVersions,
        where,
        sort: [{ column: jobTemplateVersions.version, direction: 'desc' }],
        cursor: query.cursor,
        limit: query.limit,
      })
    },

    /** Newest version number ever made, which is not the current one after an import that keeps history. */
    newestVersion: (templateId: number) => newest.get({ templateId })?.version ?? 0,
  }
}
