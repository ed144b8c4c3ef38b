import type { RunPlan } from '../../contract/executor-protocol.ts'
import { parseTask, type ParsedTask } from '../../language/task/parse-task.ts'
import { resolveArguments } from '../../language/task/resolve-arguments.ts'
import { resolveTask } from '../../language/task/resolve-task.ts'
import type { ExpressionScope, RunValues } from '../../language/task/task-scope.ts'
import type { CursorValue } from '../../language/task/cursor-value.ts'
import type { TaskDocument } from '../../language/task/kinds/task-document.types.ts'
import type { Diagnostic } from '../../language/diagnostics.ts'
import type { SqlPart } from '../../language/shape/shape.types.ts'
import { EngineError } from './errors.ts'
import { sqlMistakes } from './sql-mistakes.ts'
import { runMessage } from '../../contract/run-messages.ts'
import { asMessage, isMessage, plainMessage } from '../../language/message.ts'

export interface PreparedTask {
  /** Without expressions. */
  task: TaskDocument
  scope: ExpressionScope
  /** Where reading starts, of tasks with `state.cursor`. */
  cursor: CursorValue | null
}

/** Workers run the same tasks again and again; reading the YAML takes longer than running a small one. */
const parsed = new Map<string, Read>()
const mostParsed = 20

interface Read extends ParsedTask {
  /** Once DuckDB has been asked. */
  mistakes: Promise<Diagnostic[]> | null
  sqlParts: SqlPart[]
}

function parseOnce(yaml: string): Read {
  const known = parsed.get(yaml)
  if (known) return known
  const sqlParts: SqlPart[] = []
  const result: Read = { ...parseTask(yaml, sqlParts), sqlParts, mistakes: null }
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
  if (!task) throw refusal('TASK_INVALID', diagnostics)
  const args = resolveArguments(task.args, given, { run })
  const problem = args.problems[0]
  if (problem) {
    throw new EngineError(
      'ARGUMENT_INVALID',
      runMessage('argument_refused', { path: problem.path, cause: plainMessage(problem) }),
      {
        hint: runMessage('argument_refused_fix'),
      },
    )
  }
  return { task, scope: { args: args.values, run } }
}

/** What DuckDB cannot read of the task's SQL: asked once for each text. */
export function mistakesInSql(yaml: string): Promise<Diagnostic[]> {
  const read = parseOnce(yaml)
  return (read.mistakes ??= sqlMistakes(yaml, read.sqlParts))
}

/** Throws where it cannot be read. */
export async function checkSqlOf(yaml: string): Promise<void> {
  const mistakes = await mistakesInSql(yaml)
  if (mistakes.length > 0) throw refusal('SQL_INVALID', mistakes)
}

function refusal(code: 'TASK_INVALID' | 'SQL_INVALID', diagnostics: readonly Diagnostic[]): EngineError {
  const first = diagnostics.find((diagnostic) => diagnostic.severity === 'error')
  const fix = first?.params['fix']
  return new EngineError(
    code,
    first
      ? runMessage('finding_at', { line: first.line, column: first.column, cause: asMessage(first) })
      : runMessage('task_unreadable'),
    { hint: isMessage(fix) ? fix : runMessage('open_in_editor') },
  )
}

/** Evaluates the expressions. Throws what the user is to mend. */
export function prepareTask({ task, scope }: ReadTask, savedCursor: CursorValue | null = null): PreparedTask {
  const resolved = resolveTask(task, scope, savedCursor)
  const failed = resolved.problems[0]
  if (failed) {
    throw new EngineError(
      'EXPRESSION_FAILED',
      runMessage('at_path', { path: failed.path, cause: plainMessage(failed) }),
      {
        hint: runMessage('check_expression_arguments'),
      },
    )
  }
  return { task: resolved.task, scope, cursor: resolved.cursor }
}

export function runValuesOf(plan: RunPlan): RunValues {
  const { run_id: id, attempt, logical_date, trigger_type, job_run_id, task } = plan
  return { id, attempt, logical_date, trigger_type, job_run_id, task_name: task.name }
}
