import { keepNameUnique } from '../../platform/record-name.ts'
import { msg } from '../../../contract/messages.ts'
import type {
  JobTemplate,
  JobTemplateDetail,
  JobTemplateValidation,
  JobTemplateVersion,
  createJobTemplate,
  listJobTemplateVersions,
  listJobTemplates,
} from '../../../contract/job-templates.ts'
import type { BodyOf, QueryOf } from '../../../contract/operation.ts'
import type { JobCatalogue } from '../../../language/job/job.types.ts'
import { type ParsedJob, parseJob } from '../../../language/job/parse-job.ts'
import type { Caller } from '../../platform/caller.ts'
import type { Platform } from '../../platform/platform.ts'
import { invalid, notFound } from '../../platform/refusal.ts'
import { compare, errorsIn } from '../../platform/versioned-text.ts'
import type { TaskCatalogueService } from '../tasks/task-catalogue.service.ts'
import { type JobTemplateWithCount, createJobTemplatesStore } from './job-templates.store.ts'
import type { JobTemplateVersionRow } from './job-templates.table.ts'

interface Dependencies {
  tasks: TaskCatalogueService
  users: { usernames(ids: number[]): Map<number, string> }
  /** Names of the pools and of the notification channels that there are. */
  pools: () => string[]
  channels: () => string[]
}
type SaveBody = BodyOf<typeof createJobTemplate>

export function createJobTemplatesService(
  { store, events, clock }: Platform,
  { tasks, users, pools, channels }: Dependencies,
) {
  const templates = createJobTemplatesStore(store)

  const need = (id: number): JobTemplateWithCount => templates.get(id) ?? notFound()
  const detail = (row: JobTemplateWithCount): JobTemplateDetail => ({
    ...present(row),
    yaml_content: (templates.version(row.id, row.current_version) ?? notFound()).yaml_content,
  })
  /** Tells of the change, and gives the record as it is now. */
  function changed(id: number): JobTemplateWithCount {
    const row = need(id)
    events.append('job_template.changed', id, {
      name: row.name,
      current_version: row.current_version,
      archived: row.archived,
    })
    return row
  }

  const catalogue = (): JobCatalogue => ({
    task: tasks.find,
    version: (task, version) => tasks.version(task.id, version),
    taskNames: tasks.names,
    pools: pools(),
    channels: channels(),
  })
  /** Checked against the tasks, pools and channels that there are now. */
  const parse = (yaml: string): ParsedJob => parseJob(yaml, catalogue())

  /** What is kept of a text that may be saved, or a refusal with every finding. */
  function accept(yaml: string) {
    const { job, diagnostics, connector_refs, nodes } = parse(yaml)
    const details = errorsIn(diagnostics)
    if (!job || details.length > 0) invalid(details, msg('template_has_errors'))
    return {
      name: job.name,
      description: job.description,
      connector_refs: JSON.stringify(connector_refs),
      task_count: nodes.length,
    }
  }
  function addVersion(id: number, version: number, body: SaveBody, connector_refs: string, caller: Caller, at: string) {
    templates.insertVersion({
      job_template_id: id,
      version,
      yaml_content: body.yaml_content,
      connector_refs,
      change_summary: body.change_summary ?? null,
      created_by: caller.user_id,
      created_at: at,
    })
  }

  function save(row: JobTemplateWithCount, body: SaveBody, caller: Caller): JobTemplateWithCount {
    const current = templates.version(row.id, row.current_version) ?? notFound()
    const change = compare({ yaml_content: current.yaml_content, tags: row.tags }, body)
    if (change.kind === 'none') return row
    const at = clock.iso()
    if (change.kind === 'tags') {
      templates.update(row.id, { tags: body.tags, updated_at: at })
    } else {
      const values = accept(body.yaml_content)
      keepNameUnique('job template', values.name, templates.getByName(values.name), row.id)
      const version = templates.newestVersion(row.id) + 1
      addVersion(row.id, version, body, values.connector_refs, caller, at)
      const tags = body.tags ?? row.tags
      templates.update(row.id, { ...values, current_version: version, tags, updated_at: at }, values)
    }
    return changed(row.id)
  }

  return {
    list(query: QueryOf<typeof listJobTemplates>) {
      const { rows, ...page } = templates.list(query)
      return { result: rows.map(present), ...page }
    },
    get: (id: number): JobTemplateDetail => detail(need(id)),
    etag: (id: number) => etagOf(need(id)),

    /** Refuses text with errors (VALIDATION_ERROR) and a taken name (CONFLICT). */
    create: (body: SaveBody, caller: Caller): JobTemplateDetail =>
      store.transaction(() => {
        const values = accept(body.yaml_content)
        keepNameUnique('job template', values.name, templates.getByName(values.name))
        const at = clock.iso()
        const id = templates.insert({
          ...values,
          current_version: 1,
          tags: body.tags ?? [],
          created_by: caller.user_id,
          created_at: at,
          updated_at: at,
        })
        addVersion(id, 1, body, values.connector_refs, caller, at)
        return detail(changed(id))
      }),

    /** `guard` sees the ETag of the stored template before anything changes, and refuses a stale one. */
    update: (id: number, body: SaveBody, caller: Caller, guard: (etag: string) => void): JobTemplateDetail =>
      store.transaction(() => {
        const row = need(id)
        guard(etagOf(row))
        return detail(save(row, body, caller))
      }),

    setArchived: (id: number, archived: 0 | 1) =>
      store.transaction(() => {
        if (need(id).archived !== archived) {
          templates.update(id, { archived, updated_at: clock.iso() })
          changed(id)
        }
        return { success: true }
      }),

    listVersions(id: number, query: QueryOf<typeof listJobTemplateVersions>) {
      need(id)
      const { rows, ...page } = templates.listVersions(id, query)
      return { result: withAuthors(rows), ...page }
    },
    version(id: number, version: number): JobTemplateVersion {
      const [presented] = withAuthors([templates.version(id, version) ?? notFound()])
      return presented ?? notFound()
    },
    restoreVersion: (id: number, version: number, caller: Caller): JobTemplateDetail =>
      store.transaction(() => {
        const row = need(id)
        const { yaml_content } = templates.version(id, version) ?? notFound()
        return detail(save(row, { yaml_content, change_summary: `Restored version ${version}` }, caller))
      }),

    validate(yaml: string): JobTemplateValidation {
      const { diagnostics, connector_refs, parameters, nodes } = parse(yaml)
      return {
        valid: diagnostics.every(({ severity }) => severity !== 'error'),
        diagnostics,
        connector_refs: { ...connector_refs },
        parameters: { ...parameters },
        nodes: nodes.map((node) => ({
          ...node,
          task_id: node.task === null ? null : (tasks.find(node.task)?.id ?? null),
        })),
      }
    },

    parse,
    /** For making jobs: a version (the current one by default) with its text; undefined: the template has no such version. */
    forJob(id: number, version?: number) {
      const { name, current_version, archived } = need(id)
      const found = templates.version(id, version ?? current_version)
      return found && { id, name, archived: archived === 1, version: found.version, yaml_content: found.yaml_content }
    },
  }

  function withAuthors(rows: JobTemplateVersionRow[]): JobTemplateVersion[] {
    const names = users.usernames(rows.flatMap((row) => row.created_by ?? []))
    return rows.map((row) => ({ ...row, created_by_name: names.get(row.created_by ?? 0) ?? null }))
  }
}
export type JobTemplatesService = ReturnType<typeof createJobTemplatesService>

const etagOf = (row: JobTemplateWithCount) => `job-template-${row.id}-${row.revision}`

function present({ search_text: _, revision: __, ...template }: JobTemplateWithCount): JobTemplate {
  return template
}
