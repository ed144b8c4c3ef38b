import type { GraphLayout, GraphNode, Point } from './graph.types.ts'

/** Names of nodes are 13 pixels high, second lines 12: second lines are read with ease at 11 on the screen, names hardly at less. */
export const readable = 11 / 12
const leastReadable = 11 / 13
/** Between the two, so far apart. */
const zooms = Array.from({ length: 11 }, (_, step) => readable - (step * (readable - leastReadable)) / 10)
const margin = 6
const openingMargin = 14
/** From left to right, this much of a node says that the graph goes on, and has no words that could be cut. */
const peek = 28
/** From top to bottom a node is seen as a whole or not at all; between it and the edge, arrows come in. */
const hidden = -4

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
  zoom: number
  /** From left to right. */
  across: boolean
}

interface Offset {
  moved: number
  /** How many nodes have their words cut, where reading begins or where it ends. */
  cut: number
}

/** How far the drawing is moved: the chosen node in the middle, no emptiness beyond the graph’s ends, and no words cut where reading begins, nor where it ends, as far as that is possible. */
function offsetAlong({ starts, size, chosen, length, space, zoom, across }: Along): Offset {
  const drawn = length * zoom
  if (drawn <= space) return { moved: (space - drawn) / 2, cut: 0 }
  const last = space - drawn - openingMargin
  const isFilled = (moved: number) => moved <= openingMargin && moved >= last
  const middle = space / 2 - (chosen + size / 2) * zoom
  const offset = Math.min(openingMargin, Math.max(last, middle))
  const shown = across ? peek : hidden
  /** Nodes of which more than the least is seen, and not all. */
  const cutFirst = (moved: number) =>
    starts.filter((start) => {
      const begins = moved + start * zoom
      return begins < -1 && begins + size * zoom > Math.max(0, shown) + 1
    })
  const cutLast = (moved: number) =>
    starts.filter((start) => {
      const begins = moved + start * zoom
      return begins < space - Math.max(0, shown) - 1 && begins + size * zoom > space + 1
    })
  const isSeen = (moved: number) => moved + chosen * zoom >= 0 && moved + (chosen + size) * zoom <= space
  // Either shown with all of its words or with none.
  const places = [
    ...cutFirst(offset).flatMap((start) => [openingMargin - start * zoom, shown - (start + size) * zoom]),
    ...cutLast(offset).flatMap((start) => [
      space - openingMargin - (start + size) * zoom,
      space - shown - start * zoom,
    ]),
  ]
  const costs = [offset, ...places.filter((moved) => isFilled(moved) && isSeen(moved))].map((moved) => ({
    moved,
    cut: cutFirst(moved).length,
    // Where reading ends it matters less, and not at all from top to bottom.
    ended: across ? cutLast(moved).length : 0,
    far: Math.abs(moved - offset),
  }))
  const { moved, cut, ended } = costs.reduce((best, one) =>
    (one.cut - best.cut || one.ended - best.ended || one.far - best.far) < 0 ? one : best,
  )
  return { moved, cut: cut + ended }
}

const wholeZoom = (layout: GraphLayout, width: number, height: number) =>
  Math.min(1, (width - 2 * margin) / layout.width, (height - 2 * margin) / layout.height)

/** All of the graph in the middle, as large as the pane allows. */
export function viewOfAll(layout: GraphLayout, width: number, height: number, leastZoom: number) {
  const zoom = Math.max(leastZoom, wholeZoom(layout, width, height))
  return { x: (width - layout.width * zoom) / 2, y: (height - layout.height * zoom) / 2, zoom }
}

/** Whether its words can be read where all of it is shown: rather a little smaller than in part, but not smaller than `least`. */
export const fitsReadably = (layout: GraphLayout, width: number, height: number, least = leastReadable) =>
  wholeZoom(layout, width, height) >= least

/** What is looked at in a graph that can’t be read as a whole: what is chosen, else what failed, waits for someone, or runs, else the first. */
export function openingNode(
  layout: GraphLayout,
  nodes: readonly GraphNode[],
  chosen: string | null,
): Point | undefined {
  const placeOf = (id: string | null | undefined) => layout.nodes[layout.ids.indexOf(id ?? '')]
  const notable = (['failed', 'approval', 'running'] as const)
    .map((status) => nodes.find((node) => node.status === status))
    .find((node) => node !== undefined)
  return (
    placeOf(chosen) ??
    placeOf(notable?.id) ??
    layout.nodes.reduce((first, one) => (one.x + one.y < first.x + first.y ? one : first))
  )
}

const distinct = (numbers: readonly number[]) => [...new Set(numbers)]

/** The chosen node in the middle, or near it where the graph ends or words would be cut at an edge; a little smaller where that cuts fewer. */
export function viewAround(
  node: Point,
  layout: GraphLayout,
  width: number,
  height: number,
  possible: readonly number[] = zooms,
) {
  const { size, nodes } = layout
  const starts = distinct(nodes.map((one) => one.x))
  const across = possible.map((zoom) => ({
    zoom,
    ...offsetAlong({
      starts,
      size: size.width,
      chosen: node.x,
      length: layout.width,
      space: width,
      zoom,
      across: true,
    }),
  }))
  const { moved: x, zoom } = across.reduce((best, one) => (one.cut < best.cut ? one : best))
  const inSight = nodes.filter((one) => {
    const left = x + one.x * zoom
    return left < width && left + size.width * zoom > 0
  })
  const { moved: y } = offsetAlong({
    starts: distinct(inSight.map((one) => one.y)),
    size: size.height,
    chosen: node.y,
    length: layout.height,
    space: height,
    zoom,
    across: false,
  })
  return { x, y, zoom }
}
