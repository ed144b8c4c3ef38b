import type { previewGenerateDashboardTemplate } from '../../../contract/ai.ts'
import type { JobDetail } from '../../../contract/jobs.ts'
import { msg } from '../../../contract/messages.ts'
import type { BodyOf } from '../../../contract/operation.ts'
import { sqlDatabases } from '../../../language/task/connector-slots.ts'
import { Refusal, invalid } from '../../platform/refusal.ts'
import type { DashboardTemplatesService } from '../dashboard-templates/dashboard-templates.service.ts'
import type { JobTemplatesService } from '../job-templates/job-templates.service.ts'
import type { JobsService } from '../jobs/jobs.service.ts'
import type { ReadingsService } from '../readings/readings.service.ts'
import { draftOf, finding } from './draft.rules.ts'
import { documentProposal } from './generate.ts'
import { type Connectors, knowledgeOf } from './knowledge.ts'
import type { Plan } from './plan.types.ts'
import { dashboardTemplateText } from './prompt.rules.ts'

interface Features {
  connectors: Connectors
  jobTemplates: Pick<JobTemplatesService, 'textOf'>
  dashboardTemplates: Pick<DashboardTemplatesService, 'validate' | 'jobTemplate'>
  jobs: Pick<JobsService, 'get'>
  readings: Pick<ReadingsService, 'work'>
}
type Body = BodyOf<typeof previewGenerateDashboardTemplate>

/** Dashboards of one job template; with a job of it, over what its databases hold. */
export function planDashboardTemplate({ connectors, jobTemplates, dashboardTemplates, jobs, readings }: Features) {
  const jobTemplateOf = (yaml: string, signal: AbortSignal) => readings.work('jobTemplateIn', [yaml], signal)
  async function chosenTemplate({ job_template_id: id, base_yaml }: Body, signal: AbortSignal) {
    if (id === undefined) return base_yaml === undefined ? undefined : jobTemplateOf(base_yaml, signal)
    return (
      jobTemplates.textOf(id)?.name ??
      invalid([{ path: 'body.job_template_id', ...msg('ai_template_unknown', { id }) }])
    )
  }
  function chosenJob({ job_id: id }: Body, template: string | undefined): JobDetail | undefined {
    if (id === undefined) return undefined
    try {
      const job = jobs.get(id)
      if (job.job_template_name === template) return job
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
    }
    return invalid([{ path: 'body.job_id', ...msg('ai_job_unknown', { id }) }])
  }

  return async (body: Body, signal: AbortSignal): Promise<Plan> => {
    const { prompt, base_yaml } = body
    const name = await chosenTemplate(body, signal)
    const template = name === undefined ? undefined : await dashboardTemplates.jobTemplate(name, signal)
    const job = chosenJob(body, name)
    // Written by the server, name by name.
    const bound = JSON.parse(job?.connector_mapping ?? '{}') as Record<string, number>
    const databases = Object.entries(template?.connectors ?? {}).filter(([, { types }]) =>
      types.some((type) => sqlDatabases.some((database) => database === type)),
    )
    const slots = new Map(databases.flatMap(([slot]) => (bound[slot] === undefined ? [] : [[slot, bound[slot]]])))
    const known = await knowledgeOf(connectors, slots, [prompt, base_yaml ?? ''], signal)
    return {
      system: dashboardTemplateText,
      facts: () => ({
        job_template: template && {
          name,
          tasks: template.tasks,
          parameters: Object.fromEntries(Object.entries(template.parameters).map(([key, { type }]) => [key, type])),
          databases: databases.map(([slot, { types }]) => ({ connector: slot, types })),
        },
        connectors: known,
      }),
      drafts: {
        read: draftOf,
        proposal: documentProposal(),
        async check(yaml, until) {
          const written = await jobTemplateOf(yaml, until)
          const { diagnostics } = await dashboardTemplates.validate(yaml, until)
          return [
            ...diagnostics.map(({ params, ...one }) => ({ ...one, params: { ...params } })),
            ...(name === undefined || written === undefined || written === name
              ? []
              : [finding(msg('ai_template_other', { template: name }), 'job_template')]),
          ]
        },
        // What other job templates consist of stays here.
        told(findings) {
          const other = findings.filter(({ code }) => code === 'ai_template_other')
          if (other.length > 0) return other
          return name === undefined ? findings.map(({ hint: _, ...one }) => one) : [...findings]
        },
      },
    }
  }
}
