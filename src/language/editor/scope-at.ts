import type { ScopeDescription } from '../expressions/references.ts'
import { onErrorScope } from '../task/hooks.ts'
import { kindDefinition } from '../task/kinds/kind-registry.ts'
import type { ParsedTask } from '../task/parse-task.ts'
import { stateScope } from '../task/task-state.ts'
import { outputScope, runScope, taskScope } from '../task/task-scope.ts'
import type { Segment } from './schema-walk.ts'

/** What `${{ }}` may refer to at a place of a task. */
export function scopeAt(
  path: readonly Segment[],
  parsed: Pick<ParsedTask, 'kind' | 'arguments'>,
  hasCursor: boolean,
): ScopeDescription {
  const [first, second] = path
  const specs = parsed.arguments
  if (first === 'args') return runScope
  const { results } = kindDefinition(parsed.kind ?? 'pipeline')
  if (first === 'outputs' || (first === 'hooks' && second === 'after')) return outputScope(specs, results)
  if (first === 'hooks' && second === 'on_error') return { ...taskScope(specs), ...onErrorScope }
  if (first === 'http' && second === 'success') return { ...taskScope(specs), ...results }
  if (first === 'source' && hasCursor) return { ...taskScope(specs), ...stateScope }
  return taskScope(specs)
}
