/** The normalised form of a job template: what `parseJob` gives and everything else works on. */
import type { ArgumentSpec, ConnectorSlot, Json } from '../task/task.types.ts'

export interface JobDocument {
  name: string
  description: string | null
  /** IANA zone of the logical dates that no trigger or backfill gives one; UTC unless written. */
  timezone: string
  /** Values given when a job is made or started: `${{ parameters.x }}`. */
  parameters: Record<string, ArgumentSpec>
  /** The template's own connectors by name; a job binds each to a connector. */
  connectors: Record<string, ConnectorSlot>
  concurrency: Concurrency
  /** Of the whole job run, pauses not counted; null: none. */
  timeout_ms: number | null
  /** A job run that has not ended this long after it was created is late; null: never. */
  deadline_ms: number | null
  /** −100 … 100; greater goes first where executors or pools are short. */
  priority: number
  /** By task key, in the order of the text. */
  tasks: Record<string, JobTask>
  notify: NotifyRule[]
}

export interface Concurrency {
  /** Runs of one job run that may be under way at once. */
  tasks: number
  on_overlap: OnOverlap
}
/** What happens when the job is started while an earlier job run of it has not ended. */
export type OnOverlap = 'skip' | 'queue' | 'cancel_running'

export type JobTask = TaskNode | GateNode
/** Over the direct dependencies, once all of them have ended. */
export type RunIf = 'all_success' | 'none_failed' | 'all_done' | 'any_failed'

interface NodeBase {
  key: string
  description: string | null
  depends_on: string[]
  run_if: RunIf
  /** One expression that must be true (`${{ … }}`), looked at after `run_if`; null: always. */
  when: string | null
}

/** Waits for a person: `message` asks. */
export interface GateNode extends NodeBase {
  kind: 'gate'
  message: string
}

export interface TaskNode extends NodeBase {
  kind: 'task'
  /** Name of the task. */
  task: string
  /** null: its current version when the job is made. */
  version: number | null
  /** slot of the task → name in the template's `connectors` */
  connectors: Record<string, string>
  /** Arguments of the task; texts may hold expressions. */
  args: Record<string, Json>
  for_each: ForEach | null
  /** Instead of the task's own; null: the task's own. */
  retries: { max: number; delay_ms: number; backoff: number } | null
  /** Of each run; null: the task's own. */
  timeout_ms: number | null
  on_failure: OnFailure
  /** Name of a pool that its runs take a slot of. */
  pool: string | null
  priority: number
}
/**
 * `fail`: the job run fails in the end, other branches go on. `continue`: it does not make the job run fail.
 * `stop`: nothing new is started.
 */
export type OnFailure = 'fail' | 'continue' | 'stop'

export interface ForEach {
  /** A list, or one expression that gives one. */
  in: Json
  /** `${{ each.<as> }}`; `${{ each.index }}` counts from 0. */
  as: string
  max_parallel: number
  /** `fail`: after the first item that failed no new one starts, and the task has failed. `continue`: all run; the task is `completed` unless every one failed. */
  on_item_error: 'fail' | 'continue'
}

export type NotifyEvent =
  | 'failed'
  | 'recovered'
  | 'late'
  | 'finished'
  | 'completed_with_rejects'
  | 'schema_drift'
  | 'waiting_for_approval'
export interface NotifyRule {
  on: NotifyEvent[]
  /** Name of a notification channel. */
  channel: string
}

/** What the world outside the text says, where it is known: the control plane's tasks, pools and channels. */
export interface JobCatalogue {
  /** undefined: no such task. */
  task(name: string): CatalogueTask | undefined
  /** The slots and arguments of one version; undefined: no such version. */
  version(task: CatalogueTask, version: number): CatalogueVersion | undefined
  taskNames(): readonly string[]
  pools: readonly string[]
  channels: readonly string[]
}
export interface CatalogueTask {
  id: number
  name: string
  current_version: number
  archived: boolean
}
export interface CatalogueVersion {
  connectors: Record<string, ConnectorSlot>
  arguments: Record<string, ArgumentSpec>
}
