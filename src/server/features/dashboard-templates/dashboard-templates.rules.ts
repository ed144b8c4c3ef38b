import type { DashboardCatalogue, DashboardDocument } from '../../../language/dashboard/dashboard.types.ts'
import { parseJob } from '../../../language/job/parse-job.ts'
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

/** What a dashboard template is held against: the job templates that there are. */
export function catalogueOf(templates: {
  jobTemplateNames(): string[]
  jobTemplate(name: string): { archived: 0 | 1; yaml_content: string } | undefined
}): DashboardCatalogue {
  const read = new Map<string, ReturnType<DashboardCatalogue['template']>>()
  return {
    templateNames: () => templates.jobTemplateNames(),
    template(name) {
      if (!read.has(name)) {
        const found = templates.jobTemplate(name)
        const parsed = found && parseJob(found.yaml_content)
        read.set(
          name,
          found &&
            parsed && {
              archived: found.archived === 1,
              connectors: parsed.connector_refs,
              parameters: parsed.parameters,
              tasks: parsed.nodes.flatMap((node) => (node.kind === 'task' ? node.key : [])),
            },
        )
      }
      return read.get(name)
    },
  }
}
