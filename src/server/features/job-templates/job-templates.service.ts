import { msg } from '../../../contract/messages.ts'
import type { JobTemplateValidation } from '../../../contract/job-templates.ts'
import type { JobCatalogue } from '../../../language/job/job.types.ts'
import type { ParsedJob } from '../../../language/job/parse-job.ts'
import { createDocumentsService } from '../../platform/documents/documents.service.ts'
import type { Platform } from '../../platform/platform.ts'
import { invalid } from '../../platform/refusal.ts'
import { errorsIn } from '../../platform/versioned-text.ts'
import type { ReadingsService } from '../readings/readings.service.ts'
import type { TaskCatalogueService } from '../tasks/task-catalogue.service.ts'
import { jobTemplateKind, valuesOf } from './job-templates.rules.ts'
import { createJobTemplatesStore } from './job-templates.store.ts'

interface Dependencies {
  tasks: TaskCatalogueService
  readings: ReadingsService
  users: { usernames(ids: number[]): Map<number, string> }
  /** Names of the pools and of the notification channels that there are. */
  pools: () => string[]
  channels: () => string[]
}

export function createJobTemplatesService(
  platform: Platform,
  { tasks, readings, users, pools, channels }: Dependencies,
) {
  const catalogue = (): JobCatalogue => ({
    task: tasks.find,
    version: (task, version) => tasks.version(task.id, version),
    taskNames: tasks.names,
    pools: pools(),
    channels: channels(),
  })
  /** Checked against the tasks, pools and channels that there are now. */
  const parse = (yaml: string): ParsedJob => readings.now('job', yaml, catalogue())

  function accept(yaml: string) {
    const parsed = parse(yaml)
    const details = errorsIn(parsed.diagnostics)
    if (!parsed.job || details.length > 0) invalid(details, msg('template_has_errors'))
    return valuesOf(parsed.job, parsed)
  }

  return {
    ...createDocumentsService(platform, {
      kind: jobTemplateKind,
      documents: createJobTemplatesStore(platform.store),
      accept,
      ahead: (yaml, signal) => readings.ahead('job', yaml, catalogue(), signal),
      users,
    }),

    async validate(yaml: string, signal: AbortSignal): Promise<JobTemplateValidation> {
      const { diagnostics, connector_refs, parameters, nodes } = await readings.read('job', yaml, catalogue(), signal)
      return {
        valid: diagnostics.every(({ severity }) => severity !== 'error'),
        diagnostics,
        connector_refs: { ...connector_refs },
        parameters: { ...parameters },
        nodes: nodes.map((node) => ({
          ...node,
          task_id: node.task === null ? null : (tasks.find(node.task)?.id ?? null),
        })),
      }
    },

    parse,
  }
}
export type JobTemplatesService = ReturnType<typeof createJobTemplatesService>
