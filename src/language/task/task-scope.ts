import type { ScopeDescription } from '../expressions/references.ts'
import type { ArgumentSpec } from './task.types.ts'

/** What a run knows of itself before it starts. */
const runFields = {
  id: 'Number of the run.',
  attempt: 'Number of the attempt, from 1.',
  logical_date: "The run's logical time, ISO 8601 in UTC: when it was due, which a retry does not change.",
  trigger_type: '`manual`, `cron` or `api`.',
  task_name: 'Name of the task.',
  job_run_id: 'Number of the job run it belongs to, or null.',
} as const

/** What it knows once its target has committed. */
const resultFields = {
  ...runFields,
  item_count: 'Rows that were committed.',
  read_count: 'Rows that were read.',
  rejected_count: "Rows that went to the run's rejects.",
  duration_ms: 'How long it took, in milliseconds.',
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
  item_count: number
  read_count?: number
  rejected_count?: number
  duration_ms?: number
}

/** What the expressions of a task are evaluated with. */
export interface ExpressionScope {
  args: Record<string, unknown>
  run: RunValues | RunResultValues
}

const runRoot = { description: 'The run itself.', fields: runFields }

/** Defaults of arguments. */
export const runScope: ScopeDescription = { run: runRoot }

/** Sources, steps and targets. */
export function taskScope(specs: Record<string, ArgumentSpec | null>): ScopeDescription {
  return { args: argsRoot(specs), run: runRoot }
}

/** Outputs. */
export function outputScope(specs: Record<string, ArgumentSpec | null>): ScopeDescription {
  return { args: argsRoot(specs), run: { description: 'The run and what it did.', fields: resultFields } }
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
