import { utf8Length } from '../yaml/text-limits.ts'
import { cursorStart, type CursorValue } from './cursor-value.ts'
import { resolveHook } from './hooks.ts'
import { kindDefinition } from './kinds/kind-registry.ts'
import { sourceDefinition } from './sources/source-registry.ts'
import { createResolver, type ResolveProblem } from './resolver.ts'
import type { ExpressionScope } from './task-scope.ts'
import type { PipelineTask, TaskDocument } from './kinds/task-document.types.ts'
import type { Hook, Json } from './task.types.ts'
import { msg } from '../messages.ts'

export interface ResolvedTask<T extends TaskDocument = TaskDocument> {
  /** Without expressions; only to be used when there are no problems. `outputs`, `hooks` and `success` keep theirs. */
  task: T
  /** Where reading starts, of tasks with `state.cursor`; null: at the beginning. */
  cursor: CursorValue | null
  problems: ResolveProblem[]
}

/** Evaluates every `${{ }}` of a parsed task for one run. Never throws, ends within each expression's budget. */
export function resolveTask<T extends TaskDocument>(
  task: T,
  scope: ExpressionScope,
  savedCursor: CursorValue | null = null,
): ResolvedTask<T> {
  const first = createResolver({ ...scope }, scope.run.logical_date)
  const spec = task.kind === 'pipeline' ? task.state.cursor : null
  const cursor = spec === null ? null : cursorStart(spec, savedCursor, first)
  const state = task.kind === 'pipeline' ? stateFor(task, cursor) : {}
  const resolver = createResolver({ ...scope, ...state }, scope.run.logical_date)
  const resolved = kindDefinition(task.kind).resolve(task, resolver) as T // a definition keeps the kind
  return { task: resolved, cursor, problems: [...first.problems, ...resolver.problems, ...laterProblems(task, scope)] }
}

/**
 * What is evaluated after the work, as far as it can be evaluated before it: nothing is to be written for an output or hook
 * that can only fail.
 */
function laterProblems(task: TaskDocument, scope: ExpressionScope): ResolveProblem[] {
  const resolver = createResolver({ ...scope }, scope.run.logical_date, { partial: true })
  resolver.binds(task.outputs, 'outputs')
  for (const list of ['before', 'after', 'on_error'] as const) {
    task.hooks[list].forEach((hook, index) => resolveHook(hook, resolver, `hooks.${list}[${index}]`))
  }
  return [...resolver.problems]
}

/** What expressions know of earlier runs. */
function stateFor(task: PipelineTask, cursor: CursorValue | null): { state?: { cursor: Json } } {
  const spec = task.state.cursor
  if (spec === null) return {}
  const shown = sourceDefinition(task.source.kind).cursor
  return { state: { cursor: cursor === null || shown === undefined ? cursor : shown(spec.type, cursor) } }
}

/** Evaluates a hook when its turn comes; `path` is like `hooks.after[0]`. */
export function evaluateHook(
  hook: Hook,
  scope: ExpressionScope,
  path: string,
): { hook: Hook; problems: ResolveProblem[] } {
  const resolver = createResolver({ ...scope }, scope.run.logical_date)
  return { hook: resolveHook(hook, resolver, path), problems: [...resolver.problems] }
}

/** As JSON in UTF-8. */
export const MAX_OUTPUT_BYTES = 65_536

/** Evaluates the outputs once the work is done; `scope` then has the results. */
export function evaluateOutputs(
  task: Pick<TaskDocument, 'outputs'>,
  scope: ExpressionScope,
): { outputs: Record<string, Json>; problems: ResolveProblem[] } {
  const resolver = createResolver({ ...scope }, scope.run.logical_date)
  const outputs = resolver.binds(task.outputs, 'outputs')
  const problems = [...resolver.problems]
  const bytes = utf8Length(JSON.stringify(outputs))
  if (bytes > MAX_OUTPUT_BYTES) {
    problems.push({
      path: 'outputs',
      ...msg('outputs_too_large', { bytes, limit: MAX_OUTPUT_BYTES }),
    })
  }
  return { outputs, problems }
}
