import type { ReadContext } from '../shape/shape.types.ts'
import { entryOf, joinPath, type Span, type YamlMap } from '../yaml/yaml-tree.ts'
import type { JobGraph } from './job-graph.ts'
import { msg } from '../messages.ts'

const MAX_NAMED = 200

/** One finding for each group of tasks that wait for each other, where the first of them in the text names the next. */
export function reportCycles(root: YamlMap, graph: JobGraph, { report }: ReadContext): void {
  const tasks = entryOf(root, 'tasks')?.value
  const nodes = new Map(tasks?.kind === 'map' ? tasks.entries.map((entry) => [entry.key, entry]) : [])
  for (const cycle of graph.cycles) {
    const [first = '', second = first] = cycle
    const entry = nodes.get(first)
    if (!entry) continue
    const named = [...cycle.slice(0, MAX_NAMED), ...(cycle.length > MAX_NAMED ? ['…'] : []), first]
    report({
      code: 'dependency_cycle',
      message: msg('dependency_cycle', { keys: named }),
      hint: msg('break_cycle'),
      path: joinPath(joinPath('tasks', first), 'depends_on'),
      at: placeOf(entry.value.kind === 'map' ? entry.value : null, second) ?? entry.keySpan,
    })
  }
}

function placeOf(node: YamlMap | null, key: string): Span | undefined {
  const list = node ? entryOf(node, 'depends_on')?.value : undefined
  if (list?.kind !== 'list') return list?.mark
  return list.items.find((item) => item.kind === 'scalar' && item.value === key)?.mark
}
