import type { previewGenerateJobTemplate } from '../../../contract/ai.ts'
import { msg } from '../../../contract/messages.ts'
import type { BodyOf } from '../../../contract/operation.ts'
import type { ParsedJob } from '../../../language/job/parse-job.ts'
import { joinPath } from '../../../language/yaml/yaml-tree.ts'
import { invalid } from '../../platform/refusal.ts'
import type { JobTemplatesService } from '../job-templates/job-templates.service.ts'
import type { ReadingsService } from '../readings/readings.service.ts'
import type { TaskCatalogueService } from '../tasks/task-catalogue.service.ts'
import { asksFor } from './asked.rules.ts'
import { draftOf, finding } from './draft.rules.ts'
import { documentProposal } from './generate.ts'
import type { Plan } from './plan.types.ts'
import { jobTemplateText } from './prompt.rules.ts'

interface Features {
  catalogue: Pick<TaskCatalogueService, 'find' | 'version' | 'nameOf'>
  jobTemplates: Pick<JobTemplatesService, 'validate'>
  readings: Pick<ReadingsService, 'read'>
}

const tasksIn = ({ nodes }: ParsedJob) => nodes.flatMap(({ task }) => task ?? [])

/** Job templates over the chosen tasks, and those that the current text already runs. */
export function planJobTemplate({ catalogue, jobTemplates, readings }: Features) {
  /** Names and types of a task’s slots and arguments; undefined: there is no such task. */
  function known(name: string) {
    const task = catalogue.find(name)
    const version = task && !task.archived ? catalogue.version(task.id, task.current_version) : undefined
    if (!version) return undefined
    return {
      task: name,
      connectors: version.connectors,
      args: Object.fromEntries(
        Object.entries(version.arguments).map(([key, { type, required, description }]) => [
          key,
          { type, required, description },
        ]),
      ),
    }
  }
  return async (body: BodyOf<typeof previewGenerateJobTemplate>, signal: AbortSignal): Promise<Plan> => {
    const { prompt, base_yaml, task_ids = [] } = body
    const read = (yaml: string, until: AbortSignal) => readings.read('job', yaml, undefined, until)
    const before = base_yaml === undefined ? undefined : await read(base_yaml, signal)
    const chosen = task_ids.map(
      (id, index) =>
        catalogue.nameOf(id) ?? invalid([{ path: `body.task_ids[${index}]`, ...msg('ai_task_unknown', { id }) }]),
    )
    const names = new Set([...chosen, ...(before ? tasksIn(before) : [])])
    /** Tasks of the draft that was checked last that nobody chose. */
    let strangers: ParsedJob['nodes'] = []
    return {
      system: jobTemplateText,
      facts: () => ({ tasks: [...names].flatMap((name) => known(name) ?? []) }),
      drafts: {
        read: draftOf,
        proposal: documentProposal(),
        async check(yaml, until) {
          const { diagnostics } = await jobTemplates.validate(yaml, until)
          const parsed = await read(yaml, until)
          strangers = parsed.nodes.filter(({ task }) => task && !names.has(task))
          const strange = new Set(strangers.flatMap(({ task }) => task ?? []))
          const notifies = (parsed.job?.notify.length ?? 0) > 0 && !asksFor('notify', prompt)
          return [
            ...diagnostics.map(({ params, ...one }) => ({ ...one, params: { ...params } })),
            ...[...strange].map((task) => finding(msg('ai_task_not_chosen', { task }), 'tasks')),
            ...(notifies && (before?.job?.notify.length ?? 0) === 0
              ? [finding(msg('ai_not_asked', { key: 'notify' }), 'notify')]
              : []),
          ]
        },
        // Whether a task that nobody chose exists, and what it needs, stays here.
        told(findings) {
          const places = strangers.map(({ key }) => joinPath('tasks', key))
          const isAt = (path: string, place: string) => path === place || /^[.[]/.test(path.slice(place.length))
          return findings.filter(({ path }) => !places.some((place) => path.startsWith(place) && isAt(path, place)))
        },
      },
    }
  }
}
