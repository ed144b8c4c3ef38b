import type { ReadContext } from '../shape/shape.types.ts'
import { entryOf, type YamlEntry, type YamlNode } from '../yaml/yaml-tree.ts'
import { nodeScope, withEach } from './job-scope.ts'

/** The context in which one task or gate is read: what its expressions may refer to depends on where it stands. */
export function contextOfNode(context: ReadContext, { key, value }: YamlEntry): ReadContext {
  const { job } = context
  if (!job) return context
  const scope = nodeScope(job.parameters, job.graph, key)
  const as = nameOfItem(value)
  return { ...context, scope, job: { ...job, key, argsScope: as === null ? scope : withEach(scope, as) } }
}

/** What `for_each` calls its item; null without one. */
export function nameOfItem(node: YamlNode): string | null {
  const forEach = node.kind === 'map' ? entryOf(node, 'for_each')?.value : undefined
  if (!forEach) return null
  const as = forEach.kind === 'map' ? entryOf(forEach, 'as')?.value : undefined
  return as?.kind === 'scalar' && typeof as.value === 'string' ? as.value : 'item'
}
