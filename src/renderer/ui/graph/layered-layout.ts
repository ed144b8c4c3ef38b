/** A layout for thousands of nodes, in time that grows little faster than they do. Where there are fewer, dagre's crosses less. */
import { type LayoutRequest, type Point, nodeSize } from './graph.types.ts'

const gap = 14
const rankGap = 64
/** Between parts of the graph that nothing connects. */
const partGap = 42
const sweeps = 3

interface Part {
  /** Along the direction of the graph, and across it. */
  places: Map<number, [along: number, across: number]>
  length: number
  breadth: number
}

/** Upper left corners, by index; edges have no bends. */
export function layoutLayered(request: LayoutRequest, members: readonly number[]) {
  const right = request.direction === 'right'
  const [size, step] = right
    ? [nodeSize.height + gap, nodeSize.width + rankGap]
    : [nodeSize.width + gap, nodeSize.height + rankGap]
  const after = neighbours(request.edges, 0)
  const before = neighbours(request.edges, 1)
  const parts = partsOf(members, after, before).map((part) => layoutPart(part, after, before, size, step))
  const nodes = new Map<number, Point>()
  const all = pack(parts, right, (index, along, across) =>
    nodes.set(index, right ? { x: along, y: across } : { x: across, y: along }),
  )
  return { nodes, width: right ? all.length : all.breadth, height: right ? all.breadth : all.length }
}

type Neighbours = ReadonlyMap<number, readonly number[]>

function neighbours(edges: LayoutRequest['edges'], end: 0 | 1): Neighbours {
  const found = new Map<number, number[]>()
  for (const edge of edges) {
    const [from, to] = [edge[end], edge[1 - end] ?? edge[end]]
    if (from === to) continue
    const list = found.get(from)
    if (list) list.push(to)
    else found.set(from, [to])
  }
  return found
}

/** What is connected, each part in the order of a walk along its edges, so that neighbours begin beside each other. */
function partsOf(members: readonly number[], after: Neighbours, before: Neighbours): number[][] {
  const seen = new Set<number>()
  const parts: number[][] = []
  for (const first of members) {
    if (seen.has(first)) continue
    const part: number[] = []
    const open = [first]
    seen.add(first)
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      part.push(node)
      for (const next of [...(after.get(node) ?? []), ...(before.get(node) ?? [])]) {
        if (seen.has(next)) continue
        seen.add(next)
        open.push(next)
      }
    }
    parts.push(part)
  }
  return parts
}

/** As far from a start as its longest path; where edges go round in circles, the first listed node of a circle is a start. */
function ranksOf(part: readonly number[], after: Neighbours, before: Neighbours): number[][] {
  const waits = new Map(part.map((node) => [node, before.get(node)?.length ?? 0]))
  const rank = new Map<number, number>()
  const ready = part.filter((node) => waits.get(node) === 0)
  let left = 0
  for (;;) {
    let node = ready.pop()
    while (node === undefined && left < part.length) {
      const candidate = part[left++]
      if (candidate !== undefined && !rank.has(candidate)) node = candidate
    }
    if (node === undefined) break
    if (rank.has(node)) continue
    const above = (before.get(node) ?? []).flatMap((one) => rank.get(one) ?? [])
    rank.set(
      node,
      above.reduce((most, one) => Math.max(most, one + 1), 0),
    )
    for (const next of after.get(node) ?? []) {
      const still = (waits.get(next) ?? 0) - 1
      waits.set(next, still)
      if (still === 0 && !rank.has(next)) ready.push(next)
    }
  }
  const ranks: number[][] = []
  for (const node of part) (ranks[rank.get(node) ?? 0] ??= []).push(node)
  return ranks
}

function layoutPart(part: readonly number[], after: Neighbours, before: Neighbours, size: number, step: number): Part {
  const ranks = ranksOf(part, after, before)
  const order = new Map<number, number>()
  const number = (rank: readonly number[]) => rank.forEach((node, at) => order.set(node, at))
  const mean = (node: number, near: Neighbours, values: ReadonlyMap<number, number>): number | null => {
    const known = (near.get(node) ?? []).flatMap((one) => values.get(one) ?? [])
    return known.length === 0 ? null : known.reduce((sum, one) => sum + one, 0) / known.length
  }
  for (const rank of ranks) number(rank)
  for (let sweep = 0; sweep < sweeps; sweep++) {
    const down = sweep % 2 === 0
    for (const rank of down ? ranks : ranks.toReversed()) {
      const wanted = new Map(
        rank.map((node) => [node, mean(node, down ? before : after, order) ?? order.get(node) ?? 0]),
      )
      rank.sort((a, b) => (wanted.get(a) ?? 0) - (wanted.get(b) ?? 0))
      number(rank)
    }
  }
  const across = new Map<number, number>()
  let breadth = 0
  for (const rank of ranks) {
    let free = 0
    for (const node of rank) {
      const at = Math.max(free, mean(node, before, across) ?? 0)
      across.set(node, at)
      free = at + size
    }
    breadth = Math.max(breadth, free)
  }
  const places = new Map<number, [number, number]>()
  for (const [at, rank] of ranks.entries())
    for (const node of rank) places.set(node, [at * step, across.get(node) ?? 0])
  return { places, length: ranks.length * step - rankGap, breadth: breadth - gap }
}

/** One part beside the other, the largest first, in rows about as long as all of them are high. */
function pack(
  parts: readonly Part[],
  right: boolean,
  place: (index: number, along: number, across: number) => void,
): { length: number; breadth: number } {
  const area = parts.reduce((sum, { length, breadth }) => sum + (length + partGap) * (breadth + partGap), 0)
  const most = Math.max(...parts.map(({ length }) => length), Math.sqrt(area * (right ? 3 : 0.6)))
  let [along, across, rowBreadth, length] = [0, 0, 0, 0]
  for (const part of parts.toSorted((a, b) => b.breadth - a.breadth)) {
    if (along > 0 && along + part.length > most) {
      across += rowBreadth + partGap
      along = 0
      rowBreadth = 0
    }
    for (const [index, [x, y]] of part.places) place(index, along + x, across + y)
    length = Math.max(length, along + part.length)
    along += part.length + partGap
    rowBreadth = Math.max(rowBreadth, part.breadth)
  }
  return { length, breadth: across + rowBreadth }
}
