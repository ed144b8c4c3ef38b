import type { GraphLayout, Point } from './graph.types.ts'

/** Where all of it would be smaller than this, a graph opens at its chosen node, unless told otherwise. */
const readable = 0.6
/** Where nodes would be narrower on the screen, all of it is a gray area, and a graph opens at its first one. */
const leastSeen = 8
const openingZoom = 0.85
const openingMargin = 14
/** Where less would leave a part of a node at the other side. */
const mostMargin = 40
/** Between what is out of sight and the edge: arrows come from there. */
const hidden = 4

/** What is seen of one direction: nodes from `at` to `at + size`, in pixels of the screen. */
interface Along {
  /** Where nodes begin, in the graph’s own measure. */
  starts: readonly number[]
  size: number
  /** Of the chosen one. */
  chosen: number
  /** Of the graph, and of the pane. */
  length: number
  space: number
  /** From left to right. */
  across: boolean
}

/** How far the drawing is moved: the chosen node in the middle, no emptiness beyond the edges, and no node cut where reading begins, nor, if that is possible, where it ends. */
function offsetAlong({ starts, size, chosen, length, space, across }: Along): number {
  const drawn = length * openingZoom
  if (drawn <= space) return (space - drawn) / 2
  const middle = space / 2 - (chosen + size / 2) * openingZoom
  const offset = Math.min(openingMargin, Math.max(space - drawn - openingMargin, middle))
  const cutBy = (line: number, moved: number) => {
    const edge = (line - moved) / openingZoom
    return starts.filter((start) => start < edge - 1 && start + size > edge + 1)
  }
  const isSeen = (moved: number) => moved + chosen * openingZoom >= 0 && moved + (chosen + size) * openingZoom <= space
  // Either shown as a whole or not at all.
  const places = [
    ...cutBy(0, offset).flatMap((start) => [
      openingMargin - start * openingZoom,
      -hidden - (start + size) * openingZoom,
    ]),
    ...cutBy(space, offset).flatMap((start) => [
      space - openingMargin - (start + size) * openingZoom,
      space + hidden - start * openingZoom,
    ]),
  ]
  const costs = [offset, ...places.filter((moved) => moved <= mostMargin && isSeen(moved))].map((moved) => ({
    moved,
    cut: cutBy(0, moved).length,
    // Where reading ends it matters less, and not at all from top to bottom.
    ended: across ? cutBy(space, moved).length : 0,
    far: Math.abs(moved - offset),
  }))
  return costs.reduce((best, one) =>
    (one.cut - best.cut || one.ended - best.ended || one.far - best.far) < 0 ? one : best,
  ).moved
}

/** Where a graph opens that is too large to be seen as a whole; null: it isn’t. */
export function openingNode(
  layout: GraphLayout,
  width: number,
  height: number,
  chosen: string | null,
  least = readable,
): Point | null {
  const whole = Math.min(width / layout.width, height / layout.height)
  const at = chosen === null ? undefined : layout.nodes[layout.ids.indexOf(chosen)]
  if (at && whole < least) return at
  if (whole * layout.size.width >= leastSeen) return null
  return layout.nodes.reduce((first, one) => (one.x + one.y < first.x + first.y ? one : first))
}

const distinct = (numbers: readonly number[]) => [...new Set(numbers)]

/** The chosen node in the middle, or near it where a node would be cut at the left or upper edge. */
export function viewAround(node: Point, layout: GraphLayout, width: number, height: number) {
  const { size, nodes } = layout
  const x = offsetAlong({
    starts: distinct(nodes.map((one) => one.x)),
    size: size.width,
    chosen: node.x,
    length: layout.width,
    space: width,
    across: true,
  })
  const inSight = nodes.filter((one) => {
    const left = x + one.x * openingZoom
    return left < width && left + size.width * openingZoom > 0
  })
  const y = offsetAlong({
    starts: distinct(inSight.map((one) => one.y)),
    size: size.height,
    chosen: node.y,
    length: layout.height,
    space: height,
    across: false,
  })
  return { x, y, zoom: openingZoom }
}
