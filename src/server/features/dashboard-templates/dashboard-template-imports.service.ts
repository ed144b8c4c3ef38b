import { asMessage } from '../../../language/message.ts'
import { createDocumentImports } from '../../platform/documents/document-imports.ts'
import type { Platform } from '../../platform/platform.ts'
import type { RecordImports } from '../../platform/record-imports.ts'
import type { ReadingsService } from '../readings/readings.service.ts'
import { dashboardTemplateKind, valuesOf } from './dashboard-templates.rules.ts'
import { type DashboardTemplateValues, createDashboardTemplatesStore } from './dashboard-templates.store.ts'

/** A copy of a store must not lose its templates because the job template has changed since, or was left out. */
const ofJobTemplate: ReadonlySet<string> = new Set([
  'unknown_job_template',
  'archived_job_template',
  'unknown_job_parameter',
  'unknown_task_key',
  'unknown_connector',
  'slot_type',
])

/** Dashboard templates as bundles bring them. */
export function createDashboardTemplateImportsService(
  platform: Pick<Platform, 'store' | 'events' | 'clock'>,
  { readings }: { readings: ReadingsService },
): RecordImports<DashboardTemplateValues> {
  const documents = createDashboardTemplatesStore(platform.store)
  return {
    ...createDocumentImports(platform, dashboardTemplateKind, documents),
    ahead: (yaml, _catalogue, signal) => readings.aheadOfBoth('dashboard', yaml, documents, signal),
    judge(yaml, archived) {
      const parsed = readings.now('dashboard', yaml, archived ? undefined : documents)
      const { diagnostics } = parsed
      const errors = diagnostics.filter(({ severity }) => severity === 'error')
      const bearable = errors.every(({ code }) => ofJobTemplate.has(code))
      const dashboard = parsed.dashboard ?? (bearable ? readings.now('dashboard', yaml, undefined).dashboard : null)
      if (!dashboard) return { valid: false, diagnostics }
      const missing = errors.map(asMessage)
      const values = valuesOf(dashboard)
      return { valid: true, name: values.name, values, diagnostics, ...(missing.length > 0 && { missing }) }
    },
  }
}
