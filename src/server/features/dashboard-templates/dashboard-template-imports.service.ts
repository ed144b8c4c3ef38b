import { asMessage } from '../../../language/message.ts'
import { parseDashboard } from '../../../language/dashboard/parse-dashboard.ts'
import { createDocumentImports } from '../../platform/documents/document-imports.ts'
import type { Platform } from '../../platform/platform.ts'
import type { RecordImports } from '../../platform/record-imports.ts'
import { catalogueOf, dashboardTemplateKind, valuesOf } from './dashboard-templates.rules.ts'
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
): RecordImports<DashboardTemplateValues> {
  const documents = createDashboardTemplatesStore(platform.store)
  return {
    ...createDocumentImports(platform, dashboardTemplateKind, documents),
    judge(yaml, archived) {
      const parsed = parseDashboard(yaml, archived ? undefined : catalogueOf(documents))
      const { diagnostics } = parsed
      const errors = diagnostics.filter(({ severity }) => severity === 'error')
      const bearable = errors.every(({ code }) => ofJobTemplate.has(code))
      const dashboard = parsed.dashboard ?? (bearable ? parseDashboard(yaml).dashboard : null)
      if (!dashboard) return { valid: false, diagnostics }
      const missing = errors.map(asMessage)
      const values = valuesOf(dashboard)
      return { valid: true, name: values.name, values, diagnostics, ...(missing.length > 0 && { missing }) }
    },
  }
}
