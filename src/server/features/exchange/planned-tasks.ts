import type { CatalogueTask, CatalogueVersion, JobCatalogue } from '../../../language/job/job.types.ts'
import { parseTask } from '../../../language/task/parse-task.ts'
import { createRecent } from '../../platform/recent.ts'
import type { TaskCatalogueService } from '../tasks/task-catalogue.service.ts'

/** A task as an import that applies nothing would leave it. */
export interface PlannedTask {
  name: string
  current_version: number
  archived: boolean
  /** Number here → number in the bundle, of the versions that it would bring. */
  brings: ReadonlyMap<number, number>
  /** Of a version of the bundle. */
  text(version: number): string
}

const kept = 500

/** The tasks that job templates are held against: those that are here, and over them those that are only planned. */
export function createPlannedTasks(tasks: TaskCatalogueService, names: { pools(): string[]; channels(): string[] }) {
  const planned = new Map<string, PlannedTask & { id: number }>()
  const byId = new Map<number, PlannedTask>()
  const versions = createRecent<CatalogueVersion>(kept)
  let taskNames: string[] | undefined

  function find(name: string): CatalogueTask | undefined {
    const { id, current_version, archived } = planned.get(name) ?? {}
    if (id === undefined || current_version === undefined) return tasks.find(name)
    return { id, name, current_version, archived: archived === true }
  }
  function version(task: CatalogueTask, number: number): CatalogueVersion | undefined {
    const plan = byId.get(task.id)
    if (!plan) return tasks.version(task.id, number)
    const source = plan.brings.get(number)
    if (source === undefined) {
      const here = tasks.find(task.name)
      return here && tasks.version(here.id, number)
    }
    return versions.get(`${task.id}/${number}`, () => {
      const { connector_refs, arguments: args } = parseTask(plan.text(source))
      return { connectors: connector_refs, arguments: args }
    })
  }
  function namesOfAll(): string[] {
    const all = new Set(tasks.names())
    for (const [name, { archived }] of planned) {
      if (archived) all.delete(name)
      else all.add(name)
    }
    // In the order of the store, so that hints are the same.
    return [...all].toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
  }

  const catalogue: JobCatalogue = {
    task: find,
    version,
    taskNames: () => (taskNames ??= namesOfAll()),
    get pools() {
      return names.pools()
    },
    get channels() {
      return names.channels()
    },
  }
  return {
    catalogue,
    add(task: PlannedTask): void {
      // Ids of tasks are positive.
      const id = -1 - planned.size
      planned.set(task.name, { ...task, id })
      byId.set(id, task)
    },
  }
}
export type PlannedTasks = ReturnType<typeof createPlannedTasks>
