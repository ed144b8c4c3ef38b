import dagre from '@dagrejs/dagre'
import { layoutLayered } from './layered-layout.ts'
import { sizeAt } from './node-size.ts'
import type { GraphLayout, LayoutRequest, Point } from './graph.types.ts'

const gap = 14
/** Between one rank and the next: room for the edges. */
const rankGap = { right: 20, down: 40 } as const
/** Beyond so many nodes the best ranking costs seconds; a good one is found at once. */
const manyNodes = 800
/** Beyond so many dagre takes half a minute. */
const dagreNodes = 2_000

interface Placed {
  nodes: ReadonlyMap<number, Point>
  bends: ReadonlyMap<number, Point[]>
  width: number
  height: number
}

/** Nodes with edges, rank by rank. Dagre gives centres; the window wants corners. */
function layoutConnected(request: LayoutRequest, members: readonly number[]): Placed {
  const { direction, edges } = request
  const graph = new dagre.graphlib.Graph({ multigraph: true })
  graph.setGraph({
    rankdir: direction === 'right' ? 'LR' : 'TB',
    nodesep: gap,
    edgesep: 8,
    ranksep: rankGap[direction],
    ranker: members.length > manyNodes ? 'tight-tree' : 'network-simplex',
  })
  for (const index of members) graph.setNode(String(index), { ...sizeAt(request, index) })
  for (const [index, [from, to]] of edges.entries()) {
    if (from !== to) graph.setEdge(String(from), String(to), { width: 0, height: 0 }, String(index))
  }
  dagre.layout(graph)
  const nodes = new Map<number, Point>()
  for (const index of members) {
    const { x = 0, y = 0 } = graph.node(String(index))
    const size = sizeAt(request, index)
    nodes.set(index, { x: x - size.width / 2, y: y - size.height / 2 })
  }
  const along = direction === 'right' ? 'x' : 'y'
  const ranks = new Set(members.map((index) => Math.round(graph.node(String(index))[along] ?? 0)))
  const bends = new Map<number, Point[]>()
  for (const [index, [from, to]] of edges.entries()) {
    if (from === to) continue
    const points: Point[] = graph.edge(String(from), String(to), String(index)).points ?? []
    // Beside other nodes an edge passes where dagre says; between two ranks it has room for one curve.
    bends.set(
      index,
      points.filter((point) => ranks.has(Math.round(point[along]))).map(({ x, y }) => ({ x, y })),
    )
  }
  const { width = 0, height = 0 } = graph.graph()
  return { nodes, bends, width, height }
}

/** Whether most neighbours of a rank stand the other way round than they are listed. */
function isReversed(nodes: ReadonlyMap<number, Point>, across: 'x' | 'y', along: 'x' | 'y'): boolean {
  const ranks = Map.groupBy(nodes, ([, point]) => Math.round(point[along]))
  let wrong = 0
  for (const rank of ranks.values()) {
    const order = rank.toSorted(([, a], [, b]) => a[across] - b[across]).map(([index]) => index)
    for (const [at, index] of order.entries()) {
      const next = order[at + 1]
      if (next !== undefined) wrong += next < index ? 1 : -1
    }
  }
  return wrong > 0
}

/** The same picture seen from behind, where that brings nodes into the order in which they are listed. */
function inListedOrder(placed: Placed, request: LayoutRequest): Placed {
  const { direction } = request
  const [across, along] = direction === 'right' ? (['y', 'x'] as const) : (['x', 'y'] as const)
  if (!isReversed(placed.nodes, across, along)) return placed
  const extent = direction === 'right' ? placed.height : placed.width
  const breadthOf = (index: number) => sizeAt(request, index)[direction === 'right' ? 'height' : 'width']
  const flip = (point: Point, own: number): Point => ({ ...point, [across]: extent - point[across] - own })
  return {
    ...placed,
    nodes: new Map([...placed.nodes].map(([index, point]) => [index, flip(point, breadthOf(index))])),
    bends: new Map([...placed.bends].map(([index, points]) => [index, points.map((point) => flip(point, 0))])),
  }
}

/** Nodes without edges would make one endless column: they stand in a block beside the others. */
function layoutLoose(count: number, { direction, size }: LayoutRequest): Point[] {
  const down = direction === 'down'
  const columns = Math.max(1, Math.round(Math.sqrt((count * size.height) / size.width) * (down ? 1.6 : 1)))
  return Array.from({ length: count }, (_, index) => ({
    x: (index % columns) * (size.width + gap),
    y: Math.floor(index / columns) * (size.height + gap),
  }))
}

/** Places the nodes of a graph; cycles, loops and doubled edges are drawn like any other. */
export function layoutGraph(request: LayoutRequest): GraphLayout {
  const { direction, size, ids, edges } = request
  const tied = new Set(edges.filter(([from, to]) => from !== to).flat())
  const connected = ids.flatMap((_, index) => (tied.has(index) ? [index] : []))
  const loose = ids.flatMap((_, index) => (tied.has(index) ? [] : [index]))
  const placed: Placed =
    connected.length === 0
      ? { nodes: new Map(), bends: new Map(), width: 0, height: 0 }
      : connected.length > dagreNodes
        ? { ...layoutLayered(request, connected), bends: new Map() }
        : inListedOrder(layoutConnected(request, connected), request)
  const top = placed.height > 0 ? placed.height + gap * 3 : 0
  const block = layoutLoose(loose.length, request).map(({ x, y }) => ({ x, y: y + top }))
  const looseAt = new Map(loose.map((index, at) => [index, block[at] ?? { x: 0, y: 0 }]))
  const nodes = ids.map((_, index) => placed.nodes.get(index) ?? looseAt.get(index) ?? { x: 0, y: 0 })
  return {
    direction,
    size,
    ...(request.sizes ? { sizes: request.sizes } : {}),
    ids,
    edges,
    nodes,
    bends: edges.map((_, index) => placed.bends.get(index) ?? []),
    width: block.reduce((most, { x }) => Math.max(most, x + size.width), placed.width),
    height: block.reduce((most, { y }) => Math.max(most, y + size.height), placed.height),
  }
}
