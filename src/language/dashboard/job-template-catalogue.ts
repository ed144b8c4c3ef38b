import { parseJob } from '../job/parse-job.ts'
import type { DashboardCatalogue } from './dashboard.types.ts'

/** Job templates as they are kept. */
export interface JobTemplateTexts {
  jobTemplateNames(): readonly string[]
  jobTemplate(name: string): { archived: 0 | 1; yaml_content: string } | undefined
}

/** What a dashboard template is held against: the job templates that there are. */
export function catalogueOf(templates: JobTemplateTexts): DashboardCatalogue {
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
