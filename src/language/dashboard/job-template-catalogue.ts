import { type ParsedJob, parseJob } from '../job/parse-job.ts'
import type { DashboardCatalogue } from './dashboard.types.ts'

/** Job templates as they are kept. */
export interface JobTemplateTexts {
  jobTemplateNames(): readonly string[]
  jobTemplate(name: string): { archived: 0 | 1; yaml_content: string } | undefined
}

/** What a dashboard can show of a job template. */
export const templateOf = (parsed: ParsedJob, archived: boolean) => ({
  archived,
  connectors: parsed.connector_refs,
  parameters: parsed.parameters,
  tasks: parsed.nodes.flatMap((node) => (node.kind === 'task' ? node.key : [])),
})

/** What a dashboard template is held against: the job templates that there are. */
export function catalogueOf(templates: JobTemplateTexts): DashboardCatalogue {
  const read = new Map<string, ReturnType<DashboardCatalogue['template']>>()
  return {
    templateNames: () => templates.jobTemplateNames(),
    template(name) {
      if (!read.has(name)) {
        const found = templates.jobTemplate(name)
        read.set(name, found && templateOf(parseJob(found.yaml_content), found.archived === 1))
      }
      return read.get(name)
    },
  }
}
