import type { JobNode } from '../../../contract/job-templates.ts'
import type { GraphNode } from '../../ui/graph/graph.types.ts'
import { gateLine } from '../job-templates/template-graph.ts'

/** Tasks and gates of a snapshot for the graph. `approval`: the word for what a gate is that asks nothing. */
export const graphNodes = (nodes: readonly JobNode[], approval: string): GraphNode[] =>
  nodes.map((node) => {
    const named = node.task === node.key ? null : node.task
    const second = node.kind === 'gate' ? gateLine(node.message, approval) : named && { sublabel: named }
    return {
      id: node.key,
      label: node.key,
      kind: node.kind,
      dependsOn: node.depends_on,
      ...second,
      ...(node.for_each ? { badge: '× n' } : {}),
    }
  })
