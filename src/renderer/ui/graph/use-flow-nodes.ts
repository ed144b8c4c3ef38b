import type { Node } from '@xyflow/react'
import { useMemo } from 'react'
import { type GraphLayout, type GraphNode, nodeSize } from './graph.types.ts'

export interface NodeData extends Record<string, unknown> {
  node: GraphNode
}
export type FlowNode = Node<NodeData, 'step'>

/** The nodes for React Flow. One that the layout does not know yet waits for it. */
export function useFlowNodes(nodes: readonly GraphNode[], layout: GraphLayout | null): FlowNode[] {
  return useMemo(() => {
    const byId = new Map(nodes.map((node) => [node.id, node]))
    return (layout?.ids ?? []).flatMap((id, index): FlowNode[] => {
      const node = byId.get(id)
      const position = layout?.nodes[index]
      if (!node || !position) return []
      // The size is known beforehand: nothing has to be drawn in order to be measured.
      return [{ id, type: 'step', position, data: { node }, ...nodeSize, measured: nodeSize, handles: [] }]
    })
  }, [nodes, layout])
}

/** Whether two say the same; where they stand is not theirs to say. */
export const sameNode = (a: GraphNode, b: GraphNode) =>
  a === b ||
  (a.label === b.label &&
    a.sublabel === b.sublabel &&
    a.kind === b.kind &&
    a.status === b.status &&
    a.badge === b.badge &&
    a.dimmed === b.dimmed &&
    a.problem?.severity === b.problem?.severity &&
    a.problem?.message === b.problem?.message)
