import type { JobNode } from '../../../contract/job-templates.ts'
import type { GraphNode } from '../../ui/graph/graph.types.ts'

/** Tasks and gates of a snapshot for the graph. */
export const graphNodes = (nodes: readonly JobNode[]): GraphNode[] =>
  nodes.map((node) => {
    const sublabel = node.kind === 'gate' ? node.message : node.task === node.key ? null : node.task
    return {
      id: node.key,
      label: node.key,
      kind: node.kind,
      dependsOn: node.depends_on,
      ...(sublabel ? { sublabel } : {}),
      ...(node.for_each ? { badge: '× n' } : {}),
    }
  })
