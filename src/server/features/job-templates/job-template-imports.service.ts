import { parseJob } from '../../../language/job/parse-job.ts'
import type { Platform } from '../../platform/platform.ts'
import type { RecordImports } from '../../platform/record-imports.ts'
import { createVersionedImports } from '../../platform/versioned-imports.ts'
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

/** Job templates as bundles bring them. */
export function createJobTemplateImportsService({
  store,
  events,
  clock,
}: Pick<Platform, 'store' | 'events' | 'clock'>): RecordImports<TemplateValues> {
  const templates = createJobTemplatesStore(store)
  const writes = createVersionedImports<TemplateValues>(clock, {
    ...templates,
    noun: 'Job template',
    update: (id, values, change) => templates.update(id, { ...values, ...change }, values),
    insertVersion: (id, version) => void templates.insertVersion({ ...version, job_template_id: id }),
    changed(id) {
      const row = templates.get(id)
      if (!row) throw new Error(`Job template ${id}, just written, is not there`)
      const { name, current_version, archived } = row
      events.append('job_template.changed', id, { name, current_version, archived })
    },
  })
  return {
    ...writes,
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
  }
}
