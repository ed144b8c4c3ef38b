import type { ScopeDescription } from '../expressions/references.ts'
import type { CatalogueVersion } from '../job/job.types.ts'
import { buildGraph, type JobGraph } from '../job/job-graph.ts'
import type { JobNodeSummary } from '../job/job-outline.ts'
import { defaultScope, nodeScope, parametersRoot, withEach } from '../job/job-scope.ts'
import { nameOfItem } from '../job/node-context.ts'
import type { parseJobTree } from '../job/parse-job.ts'
import { entryOf, type YamlNode } from '../yaml/yaml-tree.ts'
import type { Segment } from './schema-walk.ts'

/** What an editor of job templates knows besides the text. All of it may be missing, or be there in part. */
export interface JobWorld {
  /** The user's connectors, offered as connectors of the template. */
  connectors?: readonly { name: string; type: string }[]
  tasks?: readonly { name: string; description?: string | null }[]
  /** Slots and arguments of a task, of its current version for null; undefined where they are not known (yet). */
  version?: (task: string, version: number | null) => CatalogueVersion | undefined
  pools?: readonly string[]
  channels?: readonly string[]
}

type ParsedJobTree = ReturnType<typeof parseJobTree>

/** What is known at a place of a job template. */
export interface JobPlace {
  parsed: ParsedJobTree
  graph: JobGraph
  /** The task or gate that the place is in. */
  node: JobNodeSummary | null
  /** Of the task that is run there. */
  version: CatalogueVersion | undefined
  /** What `${{ }}` may refer to. */
  scope: ScopeDescription
}

export function jobPlace(parsed: ParsedJobTree, path: readonly Segment[], world: JobWorld): JobPlace {
  const graph = buildGraph(parsed.nodes)
  const [section, key, part] = path
  const node = section === 'tasks' ? (parsed.nodes.find((one) => one.key === key) ?? null) : null
  const version = node?.task ? world.version?.(node.task, node.version) : undefined
  const scope =
    section === 'tasks' && typeof key === 'string'
      ? nodeScope(parametersRoot(parsed.parameters), graph, key)
      : section === 'parameters'
        ? defaultScope
        : {}
  const as = part === 'args' ? itemNameAt(parsed.root, String(key)) : null
  return { parsed, graph, node, version, scope: as === null ? scope : withEach(scope, as) }
}

/** What the `for_each` of a task calls its item. */
function itemNameAt(root: YamlNode | null, key: string): string | null {
  const tasks = root?.kind === 'map' ? entryOf(root, 'tasks')?.value : undefined
  const node = tasks?.kind === 'map' ? entryOf(tasks, key)?.value : undefined
  return node ? nameOfItem(node) : null
}
