import { useReactFlow } from '@xyflow/react'
import { type MouseEvent, memo, useMemo } from 'react'
import classes from './Graph.module.css'
import type { GraphLayout, GraphNode } from './graph.types.ts'
import { mapBlocks } from './map-blocks.ts'

/** Beyond so many in view each is a few pixels, and elements of their own would take seconds. */
export const mostButtons = 1_500

interface GraphBlocksProps {
  nodes: readonly GraphNode[]
  layout: GraphLayout
  onChoose(id: string): void
}

/** Thousands of nodes from afar: one path of each color. Keys reach each of them all the same. */
export const GraphBlocks = memo(function GraphBlocks({ nodes, layout, onChoose }: GraphBlocksProps) {
  const flow = useReactFlow()
  const blocks = useMemo(() => mapBlocks(nodes, layout), [nodes, layout])
  const choose = ({ clientX, clientY }: MouseEvent) => {
    const { x, y } = flow.screenToFlowPosition({ x: clientX, y: clientY }, { snapToGrid: false })
    const at = layout.nodes.findIndex(
      (place) => x >= place.x && x <= place.x + layout.size.width && y >= place.y && y <= place.y + layout.size.height,
    )
    const id = layout.ids[at]
    if (id !== undefined) onChoose(id)
  }
  return (
    <svg
      className={classes.blocks}
      width={layout.width}
      height={layout.height}
      aria-hidden
      focusable={false}
      onClick={choose}
    >
      {blocks.map(({ color, path }) => (
        <path key={color} d={path} fill={color} />
      ))}
    </svg>
  )
})
