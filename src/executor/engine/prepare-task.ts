import type { RunPlan } from '../../contract/executor-protocol.ts'
import { parseTask, type ParsedTask } from '../../language/task/parse-task.ts'
import { resolveArguments } from '../../language/task/resolve-arguments.ts'
import { resolveTask } from '../../language/task/resolve-task.ts'
import type { ExpressionScope, RunValues } from '../../language/task/task-scope.ts'
import type { CursorValue } from '../../language/task/cursor-value.ts'
import type { TaskDocument } from '../../language/task/kinds/task-document.types.ts'
import { EngineError } from './errors.ts'

export interface PreparedTask {
  /** Without expressions. */
  task: TaskDocument
  scope: ExpressionScope
  /** Where reading starts, of tasks with `state.cursor`. */
  cursor: CursorValue | null
}

/** Workers run the same tasks again and again; reading the YAML takes longer than running a small one. */
const parsed = new Map<string, ParsedTask>()
const mostParsed = 20

function parseOnce(yaml: string): ParsedTask {
  const known = parsed.get(yaml)
  if (known) return known
  const result = parseTask(yaml)
  const oldest = parsed.keys().next()
  if (parsed.size >= mostParsed && !oldest.done) parsed.delete(oldest.value)
  parsed.set(yaml, result)
  return result
}

export interface ReadTask {
  /** With its expressions. */
  task: TaskDocument
  scope: ExpressionScope
}

/** Reads the YAML and checks the arguments. Throws what the user is to mend. */
export function readTask(yaml: string, given: Record<string, unknown>, run: RunValues): ReadTask {
  const { task, diagnostics } = parseOnce(yaml)
  if (!task) {
    const first = diagnostics.find((diagnostic) => diagnostic.severity === 'error')
    throw new EngineError(
      'TASK_INVALID',
      `Line ${first?.line ?? 1}, column ${first?.column ?? 1}: ${first?.message ?? 'the task does not read'}`,
      {
        hint: first?.hint ?? 'Open the task in the editor; it marks the place.',
      },
    )
  }
  const args = resolveArguments(task.args, given, { run })
  const problem = args.problems[0]
  if (problem) {
    throw new EngineError('ARGUMENT_INVALID', `Argument \`${problem.path}\`: ${problem.message}`, {
      hint: 'Start the run with other arguments.',
    })
  }
  return { task, scope: { args: args.values, run } }
}

/** Evaluates the expressions. Throws what the user is to mend. */
export function prepareTask({ task, scope }: ReadTask, savedCursor: CursorValue | null = null): PreparedTask {
  const resolved = resolveTask(task, scope, savedCursor)
  const failed = resolved.problems[0]
  if (failed) {
    throw new EngineError('EXPRESSION_FAILED', `${failed.path}: ${failed.message}`, {
      hint: 'Check the expression, and the arguments it uses.',
    })
  }
  return { task: resolved.task, scope, cursor: resolved.cursor }
}

export function runValuesOf(plan: RunPlan): RunValues {
  const { run_id: id, attempt, logical_date, trigger_type, job_run_id, task } = plan
  return { id, attempt, logical_date, trigger_type, job_run_id, task_name: task.name }
}
