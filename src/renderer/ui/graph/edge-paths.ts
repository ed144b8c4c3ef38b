import type { GraphDirection, GraphLayout, NodeSize, Point } from './graph.types.ts'
import { sizeAt } from './node-size.ts'

const round = (value: number) => Math.round(value * 10) / 10
const headLength = 7
const headWidth = 3.5

/** From the middle of a side to the middle of the opposite side of the next node. */
function ends(from: Point & NodeSize, to: Point & NodeSize, direction: GraphDirection): [Point, Point] {
  return direction === 'right'
    ? [
        { x: from.x + from.width, y: from.y + from.height / 2 },
        { x: to.x - headLength, y: to.y + to.height / 2 },
      ]
    : [
        { x: from.x + from.width / 2, y: from.y + from.height },
        { x: to.x + to.width / 2, y: to.y - headLength },
      ]
}

/** One curve that leaves and reaches every point along the direction of the graph, so that long edges pass between nodes. */
function curve(points: readonly Point[], direction: GraphDirection): string {
  const [first, ...others] = points
  if (!first) return ''
  let path = `M${round(first.x)} ${round(first.y)}`
  let before = first
  for (const point of others) {
    const along = direction === 'right' ? point.x - before.x : point.y - before.y
    // Forwards the two halves meet in the middle; an edge that leads back goes round.
    const reach = along > 0 ? along / 2 : Math.max(12, -along / 2)
    const [a, b] =
      direction === 'right'
        ? [
            { x: before.x + reach, y: before.y },
            { x: point.x - reach, y: point.y },
          ]
        : [
            { x: before.x, y: before.y + reach },
            { x: point.x, y: point.y - reach },
          ]
    path += `C${round(a.x)} ${round(a.y)} ${round(b.x)} ${round(b.y)} ${round(point.x)} ${round(point.y)}`
    before = point
  }
  return path
}

function head({ x, y }: Point, direction: GraphDirection): string {
  return direction === 'right'
    ? `M${round(x)} ${round(y - headWidth)}L${round(x + headLength)} ${round(y)}L${round(x)} ${round(y + headWidth)}Z`
    : `M${round(x - headWidth)} ${round(y)}L${round(x)} ${round(y + headLength)}L${round(x + headWidth)} ${round(y)}Z`
}

export interface EdgePath {
  from: string
  to: string
  line: string
  head: string
}

/** The drawing of every edge. Loops are left out: the finding beside the node says them. */
export function edgePaths(layout: GraphLayout): EdgePath[] {
  const { direction, ids, nodes, edges, bends } = layout
  return edges.flatMap(([from, to], index) => {
    const [source, target] = [nodes[from], nodes[to]]
    if (from === to || !source || !target) return []
    const [start, end] = ends({ ...source, ...sizeAt(layout, from) }, { ...target, ...sizeAt(layout, to) }, direction)
    return [
      {
        from: ids[from] ?? '',
        to: ids[to] ?? '',
        line: curve([start, ...(bends[index] ?? []), end], direction),
        head: head(end, direction),
      },
    ]
  })
}
