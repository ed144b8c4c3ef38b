import type { DashboardDocument } from '../../../language/dashboard/dashboard.types.ts'
import type { DocumentKind } from '../../platform/documents/document-kind.ts'
import type { DashboardTemplateValues } from './dashboard-templates.store.ts'

export const dashboardTemplateKind = {
  name: 'dashboard_template',
  noun: 'dashboard template',
} as const satisfies DocumentKind

/** What is kept of a text beside the text. */
export function valuesOf({
  name,
  description,
  job_template,
  data,
  widgets,
}: DashboardDocument): DashboardTemplateValues {
  const connectors = Object.values(data).flatMap((one) => (one.kind === 'query' ? one.connector : []))
  return {
    name,
    description,
    job_template_name: job_template,
    widget_count: widgets.length,
    connector_refs: JSON.stringify(
      Object.fromEntries([...new Set(connectors)].map((connector) => [connector, { access: 'read' }])),
    ),
  }
}
