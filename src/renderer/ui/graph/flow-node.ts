import type { Node } from '@xyflow/react'
import { useMemo } from 'react'
import type { GraphLayout, GraphNode } from './graph.types.ts'

interface FlowData extends Record<string, unknown> {
  nodes: readonly GraphNode[]
  layout: GraphLayout
}
export type FlowNode = Node<FlowData, 'graph'>

/** To the library the whole graph is one node without looks: it moves the view and knows how large all is. */
export const flowNodeTypes = { graph: () => null }

export function useFlowNodes(nodes: readonly GraphNode[], layout: GraphLayout | null): FlowNode[] {
  return useMemo(() => {
    if (!layout || layout.ids.length === 0) return []
    const size = { width: layout.width, height: layout.height }
    return [
      {
        id: 'graph',
        type: 'graph',
        position: { x: 0, y: 0 },
        data: { nodes, layout },
        ...size,
        // Known beforehand: nothing has to be drawn in order to be measured.
        measured: size,
        handles: [],
      },
    ]
  }, [nodes, layout])
}
