import type { ScopeDescription } from '../expressions/references.ts'
import type { CatalogueVersion } from '../job/job.types.ts'
import { buildGraph, type JobGraph } from '../job/job-graph.ts'
import type { JobNodeSummary } from '../job/job-outline.ts'
import { defaultScope, nodeScope, parametersRoot, withEach } from '../job/job-scope.ts'
import { parseJob, type ParsedJob } from '../job/parse-job.ts'
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

/** What is known at a place of a job template. */
export interface JobPlace {
  parsed: ParsedJob
  graph: JobGraph
  /** The task or gate that the place is in. */
  node: JobNodeSummary | null
  /** Of the task that is run there. */
  version: CatalogueVersion | undefined
  /** What `${{ }}` may refer to. */
  scope: ScopeDescription
}

/** `nameOfItem`: what the `for_each` of the task at the place calls its item; null without one. */
export function jobPlace(text: string, path: readonly Segment[], world: JobWorld, nameOfItem: string | null): JobPlace {
  const parsed = parseJob(text)
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
  const each = part === 'args' && nameOfItem !== null
  return { parsed, graph, node, version, scope: each ? withEach(scope, nameOfItem) : scope }
}
