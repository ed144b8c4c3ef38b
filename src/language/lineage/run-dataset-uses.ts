import { resolveHook } from '../task/hooks.ts'
import { kindDefinition } from '../task/kinds/kind-registry.ts'
import { parseTask } from '../task/parse-task.ts'
import { resolveArguments } from '../task/resolve-arguments.ts'
import { createResolver } from '../task/resolver.ts'
import type { RunResultValues, RunValues } from '../task/task-scope.ts'
import { type DatasetUse, datasetUses } from './dataset-uses.ts'

/**
 * The datasets of one run: `orders_${{ args.day }}` is the table of that day. What only the work can tell, such as a cursor, stays a
 * pattern. null: the text or the arguments aren't accepted.
 */
export function runDatasetUses(
  yaml: string,
  given: Record<string, unknown>,
  run: RunValues | RunResultValues,
): DatasetUse[] | null {
  const { task } = parseTask(yaml)
  if (task === null) return null
  const args = resolveArguments(task.args, given, { run })
  if (args.problems.length > 0) return null
  const resolver = createResolver({ args: args.values, run }, run.logical_date, { partial: true })
  const resolved = kindDefinition(task.kind).resolve(task, resolver)
  const hooks = (list: 'before' | 'after') =>
    task.hooks[list].map((hook, index) => resolveHook(hook, resolver, `hooks.${list}[${index}]`))
  return datasetUses({ ...resolved, hooks: { ...task.hooks, before: hooks('before'), after: hooks('after') } })
}
