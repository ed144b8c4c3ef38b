import { parseJob } from '../../../language/job/parse-job.ts'
import type { Platform } from '../../platform/platform.ts'
import type { ImportedVersion, RecordImports } from '../../platform/record-imports.ts'
import { createJobTemplatesStore } from './job-templates.store.ts'

interface TemplateValues {
  name: string
  description: string | null
  connector_refs: string
  task_count: number
}

/**
 * Bundles carry no pools and no channels, and a task may have been archived after the template was saved: a copy of a store
 * must not lose its templates for that. No job can be made from such a one until they are there.
 */
const notInBundles: ReadonlySet<string> = new Set(['archived_task', 'unknown_pool', 'unknown_channel'])

/** Job templates as bundles bring them: with their history, which is taken as it stands. */
export function createJobTemplateImportsService({
  store,
  events,
  clock,
}: Pick<Platform, 'store' | 'events' | 'clock'>): RecordImports<TemplateValues> {
  const templates = createJobTemplatesStore(store)

  function changed(id: number): void {
    const row = templates.get(id)
    if (!row) throw new Error(`Job template ${id}, just written, is not there`)
    const { name, current_version, archived } = row
    events.append('job_template.changed', id, { name, current_version, archived })
  }
  function addVersions(id: number, versions: readonly ImportedVersion[], current: [number, string] | null, by: number) {
    for (const { created_at, ...version } of versions) {
      templates.insertVersion({
        ...version,
        job_template_id: id,
        connector_refs: version.version === current?.[0] ? current[1] : null,
        created_by: by,
        created_at: created_at ?? clock.iso(),
      })
    }
  }

  return {
    find(name, history) {
      const row = templates.getByName(name)
      if (!row) return undefined
      const { id, current_version, archived, tags } = row
      const texts = history ? templates.texts(id) : new Map([[current_version, textOf(id, current_version)]])
      const newest = history ? Math.max(...texts.keys()) : templates.newestVersion(id)
      return { id, current_version, archived: archived === 1, tags, texts, newest }
    },
    judge(yaml, archived, catalogue) {
      const parsed = parseJob(yaml, archived ? undefined : catalogue)
      const { diagnostics, connector_refs, nodes } = parsed
      const errors = diagnostics.filter(({ severity }) => severity === 'error')
      const bearable = errors.every(({ code }) => notInBundles.has(code))
      const job = parsed.job ?? (bearable ? parseJob(yaml).job : null)
      if (!job) return { valid: false, diagnostics }
      const { name, description } = job
      const values = { name, description, connector_refs: JSON.stringify(connector_refs), task_count: nodes.length }
      const missing = errors.map(({ message }) => message).join(' ')
      return { valid: true, name, values, diagnostics, ...(missing && { missing }) }
    },
    create({ values, versions, current_version, tags, archived }, by) {
      const at = clock.iso()
      const id = templates.insert(
        { ...values, current_version, tags, created_by: by, created_at: at, updated_at: at },
        archived ? 1 : 0,
      )
      addVersions(id, versions, [current_version, values.connector_refs], by)
      changed(id)
    },
    change(id, { values, add, current_version, tags, unarchive }, by) {
      addVersions(id, add, values ? [current_version, values.connector_refs] : null, by)
      const archived = unarchive ? { archived: 0 as const } : {}
      templates.update(id, { ...values, current_version, tags, ...archived, updated_at: clock.iso() }, values)
      changed(id)
    },
  }

  function textOf(id: number, version: number): string {
    const row = templates.version(id, version)
    if (!row) throw new Error(`Job template ${id} has no version ${version}, which is its current one`)
    return row.yaml_content
  }
}
