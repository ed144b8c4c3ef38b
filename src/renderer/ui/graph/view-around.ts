import type { GraphLayout, Point } from './graph.types.ts'

/** Where all of it would be smaller than this, a graph may open at its chosen node, this large. */
export const readable = 0.75
const openingZoom = 0.85
const openingMargin = 14
/** The buttons at the right edge, which must not cover the chosen node. */
const openingControls = 52

/** The chosen node in the middle, without showing emptiness beyond the edges of the graph. */
export function viewAround(node: Point, layout: GraphLayout, width: number, height: number) {
  const along = (middle: number, space: number, size: number, end: number) => {
    const length = size * openingZoom
    if (length <= space) return (space - length) / 2
    return Math.min(openingMargin, Math.max(space - length - end, space / 2 - middle * openingZoom))
  }
  return {
    x: along(node.x + layout.size.width / 2, width, layout.width, openingControls),
    y: along(node.y + layout.size.height / 2, height, layout.height, openingMargin),
    zoom: openingZoom,
  }
}
