import type { ScopeDescription } from '../expressions/references.ts'
import type { ArgumentSpec } from './task.types.ts'

/** What a run knows of itself before it starts. */
const runFields = {
  id: 'Number of the run.',
  attempt: 'Number of the attempt, from 1.',
  logical_date: 'The run’s logical time, ISO 8601 in UTC: when it was due. A retry doesn’t change it.',
  trigger_type: '`manual`, `cron`, or `api`.',
  task_name: 'Name of the task.',
  job_run_id: 'Number of the job run it belongs to, or null.',
} as const

/** Values of `run` in expressions. */
export interface RunValues {
  id: number
  attempt: number
  /** ISO 8601 in UTC; `$now()` gives it, too. */
  logical_date: string
  trigger_type?: string
  task_name?: string
  job_run_id?: number | null
}
export interface RunResultValues extends RunValues {
  item_count: number | null
  read_count?: number
  rejected_count?: number
  duration_ms?: number
}

/** What the expressions of a task are evaluated with. */
export interface ExpressionScope {
  args: Record<string, unknown>
  run: RunValues | RunResultValues
  /** What the work gave, for outputs and hooks after it. */
  response?: unknown
  result?: unknown
  /** Why the run failed, for hooks after that. */
  error?: { code: string; message: string; step: string | null }
}

const runRoot = { description: 'The run.', fields: runFields }

/** Defaults of arguments. */
export const runScope: ScopeDescription = { run: runRoot }

/** Sources, steps and targets. */
export function taskScope(specs: Record<string, ArgumentSpec | null>): ScopeDescription {
  return { args: argsRoot(specs), run: runRoot }
}

/** Outputs, and hooks after the work: `results` is what the kind of task gives besides. */
export function outputScope(specs: Record<string, ArgumentSpec | null>, results: ScopeDescription): ScopeDescription {
  const run = { ...runRoot, fields: { ...runFields, ...results['run']?.fields } }
  return { ...taskScope(specs), ...results, run }
}

function argsRoot(specs: Record<string, ArgumentSpec | null>): ScopeDescription[string] {
  return {
    description: "The run's arguments.",
    fields: Object.fromEntries(
      Object.entries(specs).map(([name, spec]) => [
        name,
        spec?.description ?? `Argument of type ${spec?.type ?? 'unknown'}.`,
      ]),
    ),
  }
}
