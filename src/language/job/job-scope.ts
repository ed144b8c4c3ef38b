import type { ScopeDescription } from '../expressions/references.ts'
import type { ArgumentSpec, Json } from '../task/task.types.ts'
import type { JobGraph } from './job-graph.ts'
import { MAX_KEY_HINTS } from './limits.ts'
import type { Message } from '../message.ts'
import { msg } from '../messages.ts'
import type { ScopeRoot } from '../expressions/references.ts'

const runFields = {
  id: 'Number of the job run.',
  logical_date:
    'The job run’s logical time: when it was due. A retry doesn’t change it. ISO 8601 with the offset of the time zone of its trigger, backfill, or job template, so that `type: date` takes the day in that zone.',
  trigger_type: '`manual`, `cron`, or `api`.',
} as const
const jobFields = { id: 'Number of the job.', name: 'Name of the job.' } as const
const taskFields = {
  status: '`success`, `completed`, `failed`, `cancelled`, or `skipped`.',
  outputs: 'Outputs of the task; for a `for_each`, the list of its items’ outputs. null if there are none.',
  item_count: 'Rows written, for a `for_each` by all items; null if unknown.',
  items: 'Items of a `for_each` in order, each with `item`, `status`, and `item_count`; otherwise null.',
} as const

/** Values of `run` in the expressions of a job template. */
export interface JobRunValues {
  id: number
  /** ISO 8601 with an offset or `Z`; `$now()` gives the same moment in UTC. */
  logical_date: string
  trigger_type: string
}

/** How a task or gate ended: `tasks.<key>`. */
export interface TaskResult {
  status: string
  outputs: Json
  item_count: number | null
  items: { item: Json; status: string; item_count: number | null }[] | null
}

/** What the expressions of a task or gate are evaluated with. */
export interface JobScope {
  parameters: Record<string, unknown>
  run: JobRunValues
  job: { id: number; name: string }
  /** By key: everything upstream of the task or gate, through however many others. */
  tasks: Record<string, TaskResult>
  /** In `args` of a task with `for_each`, see `withItem`. */
  each?: Record<string, Json>
}

const runRoot = { description: 'The job run.', fields: runFields }

/** Defaults of parameters. */
export const defaultScope: ScopeDescription = { run: runRoot }

/** What `when`, `for_each.in` and a gate's text may refer to, of the task or gate under `key`. */
export function nodeScope(parameters: ScopeDescription[string], graph: JobGraph, key: string): ScopeDescription {
  return {
    parameters,
    run: runRoot,
    job: { description: 'The job.', fields: jobFields },
    tasks: {
      description: 'Tasks and gates upstream of this one.',
      get fields() {
        return Object.fromEntries(graph.upstream(key).map((name) => [name, 'Its status and results.']))
      },
      inner: taskFields,
      has: (name) => graph.isUpstream(name, key),
      missing: (name) => missingTask(name, graph, key),
    },
  }
}

function missingTask(name: string, graph: JobGraph, key: string): ReturnType<NonNullable<ScopeRoot['missing']>> {
  const known = graph.has(name)
  const upstream = graph.upstream(key).slice(0, MAX_KEY_HINTS)
  return known
    ? {
        code: 'not_upstream',
        message: msg('not_upstream', { name, key }),
        hint: hintForOther(name, graph, key),
      }
    : {
        code: 'unknown_reference',
        message: msg('no_task_or_gate', { key: name.slice(0, 60) }),
        hint: upstream.length === 0 ? msg('nothing_upstream', { key }) : msg('upstream_are', { key, upstream }),
      }
}

function hintForOther(name: string, graph: JobGraph, key: string): Message {
  if (name === key) return msg('not_itself')
  if (graph.isUpstream(key, name)) return msg('waits_for_this', { name, key })
  return msg('add_to_depends_on', { name })
}

export function parametersRoot(specs: Record<string, ArgumentSpec | null>): ScopeDescription[string] {
  return {
    description: 'Parameters of the job.',
    fields: Object.fromEntries(
      Object.entries(specs).map(([name, spec]) => [
        name,
        spec?.description ?? `Parameter of type ${spec?.type ?? 'unknown'}.`,
      ]),
    ),
  }
}

/** `args` of a task with `for_each` know the item, too. */
export function withEach(scope: ScopeDescription, as: string): ScopeDescription {
  const fields = { [as]: 'The current item.', index: 'Its position in the list, from 0.' }
  return { ...scope, each: { description: 'The current item of `for_each`.', fields } }
}

/** The scope of one item of a `for_each`. */
export function withItem(scope: JobScope, as: string, item: Json, index: number): JobScope {
  return { ...scope, each: { [as]: item, index } }
}

/** Names that only some places know, and what to say elsewhere. */
export const elsewhere: Readonly<Record<string, Message>> = {
  each: msg('each_only_in_args'),
  args: msg('parameters_not_args'),
  state: msg('state_only_in_tasks'),
}
