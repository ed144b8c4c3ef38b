import type { DashboardTemplateValidation } from '../../../contract/dashboard-templates.ts'
import { msg } from '../../../contract/messages.ts'
import { viewOf } from '../../../language/dashboard/dashboard-view.ts'
import { parseDashboard } from '../../../language/dashboard/parse-dashboard.ts'
import { createDocumentsService } from '../../platform/documents/documents.service.ts'
import type { Platform } from '../../platform/platform.ts'
import { invalid } from '../../platform/refusal.ts'
import { errorsIn } from '../../platform/versioned-text.ts'
import { catalogueOf, dashboardTemplateKind, valuesOf } from './dashboard-templates.rules.ts'
import { createDashboardTemplatesStore } from './dashboard-templates.store.ts'

interface Dependencies {
  users: { usernames(ids: number[]): Map<number, string> }
}

export function createDashboardTemplatesService(platform: Platform, { users }: Dependencies) {
  const documents = createDashboardTemplatesStore(platform.store)
  /** Checked against the job templates that there are now. */
  const parse = (yaml: string) => parseDashboard(yaml, catalogueOf(documents))

  function accept(yaml: string) {
    const { dashboard, diagnostics } = parse(yaml)
    const details = errorsIn(diagnostics)
    if (!dashboard || details.length > 0) invalid(details, msg('dashboard_template_has_errors'))
    return valuesOf(dashboard)
  }

  return {
    ...createDocumentsService(platform, { kind: dashboardTemplateKind, documents, accept, users }),

    validate(yaml: string): DashboardTemplateValidation {
      const { dashboard, diagnostics, widgets } = parse(yaml)
      return { valid: dashboard !== null, diagnostics, widgets, view: dashboard && viewOf(dashboard) }
    },

    /** What a dashboard can show of a job template; undefined: there is none of that name. */
    jobTemplate: (name: string) => catalogueOf(documents).template(name),
    /** What a job that is made of the job template gets. */
    currentOf: documents.currentOf,
  }
}
export type DashboardTemplatesService = ReturnType<typeof createDashboardTemplatesService>
