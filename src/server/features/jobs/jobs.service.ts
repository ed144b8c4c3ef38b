import { keepNameUnique } from '../../platform/record-name.ts'
import { msg } from '../../../contract/messages.ts'
import type {
  Job,
  JobDetail,
  JobRunStatus,
  createJob,
  listJobTemplateJobs,
  listJobs,
  updateJob,
} from '../../../contract/jobs.ts'
import type { BodyOf, QueryOf } from '../../../contract/operation.ts'
import type { Caller } from '../../platform/caller.ts'
import type { Platform } from '../../platform/platform.ts'
import { recordName } from '../../platform/record-name.ts'
import { invalid, invalidState } from '../../platform/refusal.ts'
import type { ConnectorsService } from '../connectors/connectors.service.ts'
import type { JobTemplatesService } from '../job-templates/job-templates.service.ts'
import type { ReadingsService } from '../readings/readings.service.ts'
import type { TaskCatalogueService } from '../tasks/task-catalogue.service.ts'
import type { JobDashboards } from './job-dashboards.ts'
import { createJobOverrides } from './job-overrides.ts'
import { createJobRecords, etagOf, mappingOf, parametersOf, presentJob } from './job-records.ts'
import { presentSnapshot } from './job-snapshot-presentation.ts'
import { createJobTerms } from './job-terms.ts'
import { createJobUpgrades } from './job-upgrades.ts'
import { keptParameters } from './jobs.rules.ts'

interface Dependencies {
  templates: JobTemplatesService
  tasks: TaskCatalogueService
  connectors: ConnectorsService
  readings: ReadingsService
  dashboards: JobDashboards
}
/** Called in the transaction that archives or restores a job. */
type ArchiveListener = (jobId: number, archived: boolean) => void

export function createJobsService(
  platform: Platform,
  { templates, tasks, connectors, readings, dashboards }: Dependencies,
) {
  const { store, clock } = platform
  const records = createJobRecords(platform)
  const { jobs, snapshots, held, need, changed, detail } = records
  const terms = createJobTerms({ records, tasks, connectors })
  const overrides = createJobOverrides(platform, { records, connectors, readings })
  const upgrades = createJobUpgrades(platform, { records, terms, overrides, templates, tasks, dashboards })
  const archiveListeners: ArchiveListener[] = []

  function refuse(details: Parameters<typeof invalid>[0]) {
    if (details.length > 0) invalid(details)
  }
  /** The version of the template that a job is to be made from, and what it is when read against the tasks as they are. */
  function templateFor(id: number, version: number | undefined) {
    const { name, archived } = templates.get(id)
    const template =
      templates.textOf(id, version) ??
      invalid([{ path: 'body.template_version', ...msg('template_no_version', { version: version ?? 0 }) }])
    if (archived) invalidState(msg('template_archived_make', { name }))
    const parsed = templates.parse(template.yaml_content)
    const details = terms.templateProblems(parsed)
    if (!parsed.job || details.length > 0) {
      invalid(details, msg('template_version_has_errors', { version: template.version, name }))
    }
    return { template, document: parsed.job }
  }

  return {
    list(query: QueryOf<typeof listJobs>) {
      const { rows, ...page } = jobs.list(query)
      return { result: rows.map(presentJob), ...page }
    },
    listOfTemplate(templateId: number, query: QueryOf<typeof listJobTemplateJobs>) {
      templates.get(templateId)
      const { rows, ...page } = jobs.list({ ...query, job_template_id: templateId })
      return { result: rows.map((row): Job => presentJob(row)), ...page }
    },
    get: (id: number): JobDetail => detail(need(id)),
    etag: (id: number) => etagOf(need(id)),

    /** Checks everything, then writes job and snapshot; nothing of it stays when anything is refused. */
    create: (templateId: number, body: BodyOf<typeof createJob>, caller: Caller): JobDetail =>
      store.transaction(() => {
        const { template, document } = templateFor(templateId, body.template_version)
        const name = recordName(body.name)
        const pinned = terms.pin(document)
        const connector_mapping = body.connector_mapping ?? {}
        const parameters = keptParameters(body.parameters ?? {})
        refuse([
          ...terms.bindingProblems(document, pinned, connector_mapping, {}),
          ...terms.parameterProblems(document, parameters),
        ])
        keepNameUnique('job', name, jobs.getByName(name))
        const at = clock.iso()
        const id = jobs.insert({
          job_template_id: templateId,
          name,
          description: body.description ?? null,
          connector_mapping: JSON.stringify(connector_mapping),
          parameters: JSON.stringify(parameters),
          status: 'active',
          snapshot_id: null,
          template_version: template.version,
          created_by: caller.user_id,
          created_at: at,
          updated_at: at,
        })
        const shown = dashboards.templatesOf(template.name)
        const snapshot = {
          job_id: id,
          job_template_id: templateId,
          template_version: template.version,
          yaml_content: template.yaml_content,
          tasks: pinned,
          dashboard_templates: shown,
          created_at: at,
        }
        jobs.setSnapshot(id, snapshots.insert(snapshot))
        dashboards.write(id, shown)
        return detail(changed(id))
      }),

    /** Fields that are left out stay. `guard` sees the ETag of the stored job before anything changes. */
    update: (id: number, body: BodyOf<typeof updateJob>, guard: (etag: string) => void): JobDetail =>
      store.transaction(() => {
        const row = need(id)
        guard(etagOf(row))
        const name = body.name === undefined ? row.name : recordName(body.name, { before: row.name })
        const description = body.description === undefined ? row.description : body.description
        const { connector_mapping: bound, parameters: given } = body
        const connector_mapping = bound ? JSON.stringify(bound) : row.connector_mapping
        const parameters = given ? JSON.stringify(keptParameters(given)) : row.parameters
        const same = name === row.name && description === row.description
        if (same && connector_mapping === row.connector_mapping && parameters === row.parameters) return detail(row)
        // What is not sent is not looked at: a connector that was archived since keeps nobody from changing a parameter.
        if (bound || given) {
          const { document, tasks: pinned } = held.get(records.snapshotId(row))
          refuse([
            ...(bound ? terms.bindingProblems(document, pinned, bound, records.overrides(id)) : []),
            ...(given ? terms.parameterProblems(document, given) : []),
          ])
        }
        keepNameUnique('job', name, jobs.getByName(name), id)
        const text = { name, description }
        jobs.update(id, { ...text, connector_mapping, parameters, updated_at: clock.iso() }, text)
        return detail(changed(id))
      }),

    setArchived: (id: number, archived: boolean) =>
      store.transaction(() => {
        const status = archived ? 'archived' : 'active'
        if (need(id).status !== status) {
          jobs.update(id, { status, updated_at: clock.iso() })
          changed(id)
          for (const listener of archiveListeners) listener(id, archived)
        }
        return { success: true }
      }),

    snapshot(id: number) {
      const row = need(id)
      return presentSnapshot(held.read(records.snapshotId(row)), { records, terms, tasks })
    },
    setOverride: overrides.set,
    removeOverride: overrides.remove,
    upgrade: upgrades.upgrade,

    /** For starting job runs: what a start copies. */
    forRun(jobId: number) {
      const row = need(jobId)
      return {
        id: row.id,
        name: row.name,
        status: row.status,
        created_at: row.created_at,
        snapshot_id: records.snapshotId(row),
        connector_mapping: mappingOf(row),
        parameters: parametersOf(row),
        overrides: records.overrides(jobId),
      }
    },
    /** Never changes; read and parsed once. */
    heldSnapshot: held.get,
    overrideText: (hash: string): string | undefined => records.text(hash)?.yaml_content,
    keepOverrideText: records.keepText,
    /** Refuses (VALIDATION_ERROR at `path`, with line and column) YAML that does not fit the task of the snapshot. */
    checkOverride: overrides.check,
    overridesAhead: overrides.ahead,
    noteRun: (jobId: number, run: { id: number; status: JobRunStatus; at: string }) => jobs.noteRun(jobId, run),
    noteNextFire: (jobId: number, at: string | null) => void jobs.noteNextFire(jobId, at),
    onArchived: (listener: ArchiveListener) => void archiveListeners.push(listener),
  }
}
export type JobsService = ReturnType<typeof createJobsService>
