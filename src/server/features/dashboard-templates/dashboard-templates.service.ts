import type { DashboardTemplateValidation } from '../../../contract/dashboard-templates.ts'
import { msg } from '../../../contract/messages.ts'
import { viewOf } from '../../../language/dashboard/dashboard-view.ts'
import { templateOf } from '../../../language/dashboard/job-template-catalogue.ts'
import { createDocumentsService } from '../../platform/documents/documents.service.ts'
import type { Platform } from '../../platform/platform.ts'
import { invalid } from '../../platform/refusal.ts'
import { errorsIn } from '../../platform/versioned-text.ts'
import type { ReadingsService } from '../readings/readings.service.ts'
import { dashboardTemplateKind, valuesOf } from './dashboard-templates.rules.ts'
import { createDashboardTemplatesStore } from './dashboard-templates.store.ts'

interface Dependencies {
  readings: ReadingsService
  users: { usernames(ids: number[]): Map<number, string> }
}

export function createDashboardTemplatesService(platform: Platform, { readings, users }: Dependencies) {
  const documents = createDashboardTemplatesStore(platform.store)
  /** Checked against the job templates that there are now. */
  const parse = (yaml: string) => readings.now('dashboard', yaml, documents)

  function accept(yaml: string) {
    const { dashboard, diagnostics } = parse(yaml)
    const details = errorsIn(diagnostics)
    if (!dashboard || details.length > 0) invalid(details, msg('dashboard_template_has_errors'))
    return valuesOf(dashboard)
  }

  const ahead = (yaml: string, signal: AbortSignal) => readings.ahead('dashboard', yaml, documents, signal)

  return {
    ...createDocumentsService(platform, { kind: dashboardTemplateKind, documents, accept, ahead, users }),

    async validate(yaml: string, signal: AbortSignal): Promise<DashboardTemplateValidation> {
      const { dashboard, diagnostics, widgets } = await readings.read('dashboard', yaml, documents, signal)
      return { valid: dashboard !== null, diagnostics, widgets, view: dashboard && viewOf(dashboard) }
    },

    /** What a dashboard can show of a job template; undefined: there is none of that name. */
    async jobTemplate(name: string, signal: AbortSignal) {
      const found = documents.jobTemplate(name)
      return (
        found && templateOf(await readings.read('job', found.yaml_content, undefined, signal), found.archived === 1)
      )
    },
    /** What a job that is made of the job template gets. */
    currentOf: documents.currentOf,
  }
}
export type DashboardTemplatesService = ReturnType<typeof createDashboardTemplatesService>
