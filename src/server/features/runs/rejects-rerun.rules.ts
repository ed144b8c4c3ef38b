import { type Message, msg } from '../../../contract/messages.ts'
import type { Column } from '../../../contract/common.ts'
import type { RunStep } from '../../../contract/runs.ts'
import { declaredTypeOf } from '../../../language/task/column-types.ts'
import type { PipelineTask } from '../../../language/task/kinds/task-document.types.ts'
import { stepKeys } from '../../../language/task/step-keys.ts'
import type { TaskStep } from '../../../language/task/steps/step.types.ts'

/** Where rejected rows enter the task once more. */
export interface RejectsPlace {
  /** 0: the source. */
  stage: number
  /** Columns that each stage gave. */
  columns: Column[][]
}

/** Why no rejected row of the run can be rerun; null: its rows may, depending on where they start. */
export function runRefusal(task: PipelineTask, run: { id: number; status: string }): Message | null {
  const { id, status } = run
  if (status !== 'completed') return msg('rerun_not_completed', { id, status })
  const { target, hooks } = task
  if (target.kind === 'file') return msg('rerun_writes_file', { id })
  if (target.kind !== 'http' && (target.mode === 'replace' || target.mode === 'delete_insert'))
    return msg('rerun_replaces', { mode: target.mode, id })
  return hooks.before.length > 0 ? msg('rerun_before_hooks', { id }) : null
}

export function placeOf(steps: readonly RunStep[], step: string): RejectsPlace {
  const stage = steps.findIndex(({ key }) => key === step)
  return { stage, columns: steps.map(({ columns }) => columns) }
}

/** Why rows can't start there: a step behind needs all rows, or their values can't be restored. */
export function startRefusal(task: PipelineTask, { stage, columns }: RejectsPlace, step: string): Message | null {
  const entering = columns[Math.max(0, stage - 1)] ?? []
  if (stage < 0 || entering.length === 0) return msg('rerun_columns_unknown', { step })
  const keys = stepKeys(task.steps)
  for (const [at, later] of task.steps.entries()) {
    const refusal = at + 1 >= stage ? stepRefusal(later, keys[at] ?? later.kind) : null
    if (refusal) return refusal
  }
  const odd = entering.find(({ type }) => (stage === 0 ? declaredTypeOf(type) === null : !isRestored(type)))
  return odd ? msg('rerun_column_type', { column: odd.name, type: odd.type }) : null
}

function stepRefusal(step: TaskStep, key: string): Message | null {
  switch (step.kind) {
    case 'sql':
    case 'dedupe':
      return msg('rerun_needs_all_rows', { step: key, kind: step.kind })
    case 'expect': {
      const over = step.expectations.find(({ rule }) => rule.kind === 'unique' || rule.kind === 'rows')
      if (over) return msg('rerun_expects_over_rows', { name: over.name, step: key })
      const checks = step.expectations.flatMap(({ rule }) => (rule.kind === 'check' ? [rule.check] : []))
      return checks.some(mayLookAtRows) ? msg('rerun_sql_over_rows', { step: key }) : null
    }
    case 'filter':
      return mayLookAtRows(step.where) ? msg('rerun_sql_over_rows', { step: key }) : null
    case 'derive':
      return Object.values(step.columns).some(mayLookAtRows) ? msg('rerun_sql_over_rows', { step: key }) : null
    case 'select':
    case 'rename':
    case 'drop':
    case 'cast':
    case 'map':
    case 'flatten':
    case 'explode':
    case 'lookup':
      return null
  }
}

/** Windows and subqueries: their words, wherever they stand. One too many is refused rather than one too few. */
const mayLookAtRows = (sql: string): boolean => /\bover\b|\bselect\b|\(\s*from\b/i.test(sql)

/** Nested values are JSON in a rejected row: not all that is in them has a form there from which it comes back exactly. */
function isRestored(type: string): boolean {
  const isNested = type.endsWith(']') || /^(STRUCT|MAP|UNION)\(/.test(type)
  return !isNested || !/\b(MAP|UNION|BLOB|BIT|INTERVAL|JSON)\b/.test(type)
}
