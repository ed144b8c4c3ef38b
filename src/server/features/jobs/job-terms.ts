import type { ErrorDetail } from '../../../contract/errors.ts'
import type { CatalogueVersion, JobDocument } from '../../../language/job/job.types.ts'
import type { ParsedJob } from '../../../language/job/parse-job.ts'
import { resolveParameters } from '../../../language/job/resolve-job.ts'
import { errorsIn, problemsIn } from '../../platform/versioned-text.ts'
import type { ConnectorsService } from '../connectors/connectors.service.ts'
import type { TaskCatalogueService } from '../tasks/task-catalogue.service.ts'
import type { JobRecords } from './job-records.ts'
import { byKey, neededConnectors } from './jobs.rules.ts'
import type { PinnedTask } from './jobs.table.ts'

interface Dependencies {
  records: JobRecords
  tasks: TaskCatalogueService
  connectors: ConnectorsService
}
/** Whether a job can stand on a template with these bindings and parameters. */
export function createJobTerms({ records, tasks, connectors }: Dependencies) {
  /** Slots and arguments of what the job runs for a task. */
  function versionOf(pinned: Record<string, PinnedTask>, overrides: Record<string, string>) {
    return (key: string): CatalogueVersion | undefined => {
      const hash = own(overrides, key)
      const text = hash === undefined ? undefined : records.text(hash)
      if (text) return { connectors: text.parsed.connector_refs, arguments: text.parsed.arguments }
      const task = own(pinned, key)
      return task && tasks.version(task.task_id, task.version)
    }
  }

  return {
    /** The versions that a job made now holds. The template has been checked against the tasks that there are. */
    pin(document: JobDocument): Record<string, PinnedTask> {
      const pinned = byKey<PinnedTask>([])
      for (const node of Object.values(document.tasks)) {
        const task = node.kind === 'task' ? tasks.find(node.task) : undefined
        if (node.kind !== 'task' || !task) continue
        pinned[node.key] = { task_id: task.id, task_name: task.name, version: node.version ?? task.current_version }
      }
      return pinned
    },

    /** What keeps a template from being used as it is. */
    templateProblems: ({ diagnostics }: ParsedJob): ErrorDetail[] => errorsIn(diagnostics, 'template'),

    /** What the connectors of the template must be for what the job runs. */
    needed: (document: JobDocument, pinned: Record<string, PinnedTask>, overrides: Record<string, string>) =>
      neededConnectors(document, versionOf(pinned, overrides)),
    /** Why the connectors do not fit what the tasks do with them, each at its place in the body. */
    bindingProblems(
      document: JobDocument,
      pinned: Record<string, PinnedTask>,
      mapping: Record<string, number>,
      overrides: Record<string, string>,
    ): ErrorDetail[] {
      const needed = neededConnectors(document, versionOf(pinned, overrides))
      return connectors.problems(mapping, needed, 'The job template')
    },
    parameterProblems: (document: JobDocument, parameters: Record<string, unknown>): ErrorDetail[] =>
      problemsIn(resolveParameters(document.parameters, parameters).problems, 'body.parameters'),
  }
}
export type JobTerms = ReturnType<typeof createJobTerms>

const own = <T>(values: Record<string, T>, name: string): T | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined
