import { utf8Length } from '../yaml/text-limits.ts'
import { joinPath } from '../yaml/yaml-tree.ts'
import { createResolver, type ResolveProblem } from './resolver.ts'
import { sourceDefinition } from './sources/source-registry.ts'
import { stepDefinition } from './steps/step-registry.ts'
import type { ExpressionScope } from './task-scope.ts'
import { targetDefinition } from './targets/target-registry.ts'
import type { Json, TaskDocument } from './task.types.ts'

export interface ResolvedTask {
  /** Without expressions; only to be used when there are no problems. `outputs` keep theirs. */
  task: TaskDocument
  problems: ResolveProblem[]
}

/** Evaluates every `${{ }}` of a parsed task for one run. Never throws, ends within each expression's budget. */
export function resolveTask(task: TaskDocument, scope: ExpressionScope): ResolvedTask {
  const resolver = createResolver({ ...scope }, scope.run.logical_date)
  const source = sourceDefinition(task.source.kind).resolve(task.source, resolver, 'source')
  const steps = task.steps.map((step, index) =>
    stepDefinition(step.kind).resolve(step, resolver, joinPath('steps', index)),
  )
  const target = targetDefinition(task.target.kind).resolve(task.target, resolver, 'target')
  return { task: { ...task, source, steps, target }, problems: [...resolver.problems] }
}

/** As JSON in UTF-8. */
export const MAX_OUTPUT_BYTES = 65_536

/** Evaluates the outputs once the target has committed; `scope.run` then has `item_count` and the other results. */
export function evaluateOutputs(
  task: TaskDocument,
  scope: ExpressionScope,
): { outputs: Record<string, Json>; problems: ResolveProblem[] } {
  const resolver = createResolver({ ...scope }, scope.run.logical_date)
  const outputs = resolver.binds(task.outputs, 'outputs')
  const problems = [...resolver.problems]
  const bytes = utf8Length(JSON.stringify(outputs))
  if (bytes > MAX_OUTPUT_BYTES) {
    problems.push({
      path: 'outputs',
      message: `The outputs are ${bytes} bytes as JSON; at most ${MAX_OUTPUT_BYTES} are allowed. Write large results to the target instead.`,
    })
  }
  return { outputs, problems }
}
