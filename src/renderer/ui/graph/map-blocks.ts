import { statusColor } from '../status.ts'
import type { GraphLayout, GraphNode, NodeSize, Point } from './graph.types.ts'
import { sizeAt } from './node-size.ts'

const corner = 8
const arc = (x: number, y: number) => `a${corner} ${corner} 0 0 1 ${x} ${y}`
const block = ({ x, y }: Point, { width, height }: NodeSize) =>
  `M${x + corner} ${y}h${width - 2 * corner}${arc(corner, corner)}v${height - 2 * corner}${arc(-corner, corner)}` +
  `h${2 * corner - width}${arc(-corner, -corner)}v${2 * corner - height}${arc(corner, -corner)}Z`

/** All nodes as the map draws them: one path of each colour. */
export function mapBlocks(nodes: readonly GraphNode[], layout: GraphLayout): { color: string; path: string }[] {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const places = layout.ids.flatMap((id, at) => {
    const [node, place] = [byId.get(id), layout.nodes[at]]
    return node && place
      ? [{ place, size: sizeAt(layout, at), color: node.status ? statusColor(node.status) : 'var(--hg-line-strong)' }]
      : []
  })
  return [...Map.groupBy(places, ({ color }) => color)].map(([color, of]) => ({
    color,
    path: of.map(({ place, size }) => block(place, size)).join(''),
  }))
}
