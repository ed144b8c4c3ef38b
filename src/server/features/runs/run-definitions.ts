import type { TaskDocument } from '../../../language/task/kinds/task-document.types.ts'
import type { ArgumentSpec, ConnectorSlot } from '../../../language/task/task.types.ts'

import type { ReadingsService } from '../readings/readings.service.ts'

/** What runs need of the tasks feature. */
export interface RunnableTasks {
  /** The current version by default. */
  textOf(
    id: number,
    version?: number,
  ): { id: number; name: string; version: number; yaml_content: string; archived: boolean } | undefined
}

/** A version of a task, parsed. */
export interface Definition {
  yaml_content: string
  /** Null when this server's language does not accept the text any more. */
  document: TaskDocument | null
  slots: Record<string, ConnectorSlot>
  arguments: Record<string, ArgumentSpec>
}

/** What a run says of the text that it runs: a version of its task, or one that stands in no version, by its hash. */
export interface RunText {
  task_id: number
  task_version: number
  override_hash: string | null
}

const kept = 500

/** Versions never change, so what was parsed once stays right; the least recently used ones are forgotten. */
export function createDefinitions(
  tasks: RunnableTasks,
  overrideText: (hash: string) => string | undefined,
  readings: ReadingsService,
) {
  const cache = new Map<string, Definition>()

  function parsed(key: string, yaml: () => string | undefined): Definition | undefined {
    const known = cache.get(key)
    if (known) {
      cache.delete(key)
      cache.set(key, known)
      return known
    }
    const yaml_content = yaml()
    if (yaml_content === undefined) return undefined
    const { task, connector_refs, arguments: args } = readings.now('task', yaml_content, undefined)
    const definition = { yaml_content, document: task, slots: connector_refs, arguments: args }
    cache.set(key, definition)
    if (cache.size > kept) cache.delete(cache.keys().next().value!)
    return definition
  }

  return {
    /** Reads the long text of a version that nobody has asked for yet, so that `of` needn't, until the answer is called; undefined: there is none to be read. */
    ahead(taskId: number, signal: () => AbortSignal): Promise<() => void> | undefined {
      const task = tasks.textOf(taskId)
      if (!task || cache.has(`${taskId}/${task.version}`)) return undefined
      return readings.ahead('task', task.yaml_content, undefined, signal())
    },
    get: ({ task_id, task_version, override_hash }: RunText) =>
      override_hash === null
        ? parsed(`${task_id}/${task_version}`, () => tasks.textOf(task_id, task_version)?.yaml_content)
        : parsed(override_hash, () => overrideText(override_hash)),
    /** As `get` of a version, for a caller who has the text at hand. */
    of: (taskId: number, version: number, yaml: string) => parsed(`${taskId}/${version}`, () => yaml)!,
  }
}
export type Definitions = ReturnType<typeof createDefinitions>
