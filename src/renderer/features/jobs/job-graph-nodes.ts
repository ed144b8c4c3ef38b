import type { JobNode } from '../../../contract/job-templates.ts'
import type { GraphNode } from '../../ui/graph/graph.types.ts'

/** Tasks and gates of a snapshot for the graph. `approval`: the word for what a gate is; its question would be cut, and is in the text beside. */
export const graphNodes = (nodes: readonly JobNode[], approval: string): GraphNode[] =>
  nodes.map((node) => {
    const sublabel = node.kind === 'gate' ? approval : node.task === node.key ? null : node.task
    return {
      id: node.key,
      label: node.key,
      kind: node.kind,
      dependsOn: node.depends_on,
      ...(sublabel ? { sublabel } : {}),
      ...(node.for_each ? { badge: '× n' } : {}),
    }
  })
