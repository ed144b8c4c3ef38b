/** A layout for thousands of nodes, in time that grows little faster than they do. Where there are fewer, dagre's crosses less. */
import type { LayoutRequest, Point } from './graph.types.ts'

const gap = 14
const rankGap = 64
/** Between parts of the graph that nothing connects. */
const partGap = 42
const sweeps = 3

interface Part {
  nodes: readonly number[]
  length: number
  breadth: number
}

/** By index: maps of ten thousand entries would take several times as long. -1 is not known yet. */
interface Placing {
  after: Neighbours
  before: Neighbours
  rank: Int32Array
  /** Place within its rank. */
  order: Float64Array
  /** Within its part, across the direction of the graph. */
  across: Float64Array
}
type Neighbours = readonly (readonly number[])[]

/** Upper left corners, by index; edges have no bends. */
export function layoutLayered(request: LayoutRequest, members: readonly number[]) {
  const right = request.direction === 'right'
  const [size, step] = right
    ? [request.size.height + gap, request.size.width + rankGap]
    : [request.size.width + gap, request.size.height + rankGap]
  const count = request.ids.length
  const placing: Placing = {
    after: neighbours(request, 0),
    before: neighbours(request, 1),
    rank: new Int32Array(count).fill(-1),
    order: new Float64Array(count).fill(-1),
    across: new Float64Array(count).fill(-1),
  }
  const parts = partsOf(members, placing).map((part) => layoutPart(part, placing, size, step))
  const nodes = new Map<number, Point>()
  const all = pack(parts, right, (index, partAlong, partAcross) => {
    const along = partAlong + (placing.rank[index] ?? 0) * step
    const across = partAcross + (placing.across[index] ?? 0)
    nodes.set(index, right ? { x: along, y: across } : { x: across, y: along })
  })
  return { nodes, width: right ? all.length : all.breadth, height: right ? all.breadth : all.length }
}

function neighbours({ ids, edges }: LayoutRequest, end: 0 | 1): Neighbours {
  const found = ids.map((): number[] => [])
  for (const edge of edges) {
    const [from, to] = [edge[end], edge[1 - end] ?? edge[end]]
    if (from !== to) found[from]?.push(to)
  }
  return found
}

/** What is connected, each part in the order of a walk along its edges, so that neighbours begin beside each other. */
function partsOf(members: readonly number[], { after, before }: Placing): number[][] {
  const seen = new Uint8Array(after.length)
  const parts: number[][] = []
  for (const first of members) {
    if (seen[first]) continue
    const part: number[] = []
    const open = [first]
    seen[first] = 1
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      part.push(node)
      for (const near of [after, before]) {
        for (const next of near[node] ?? []) {
          if (seen[next]) continue
          seen[next] = 1
          open.push(next)
        }
      }
    }
    parts.push(part)
  }
  return parts
}

/** As far from a start as its longest path; where edges go round in circles, the first listed node of a circle is a start. */
function ranksOf(part: readonly number[], { after, before, rank }: Placing): number[][] {
  const waits = new Map(part.map((node) => [node, before[node]?.length ?? 0]))
  const ready = part.filter((node) => waits.get(node) === 0)
  const isRanked = (node: number) => (rank[node] ?? -1) >= 0
  let left = 0
  for (;;) {
    let node = ready.pop()
    while (node === undefined && left < part.length) {
      const candidate = part[left++]
      if (candidate !== undefined && !isRanked(candidate)) node = candidate
    }
    if (node === undefined) break
    if (isRanked(node)) continue
    let found = 0
    for (const one of before[node] ?? []) found = Math.max(found, (rank[one] ?? -1) + 1)
    rank[node] = found
    for (const next of after[node] ?? []) {
      const still = (waits.get(next) ?? 0) - 1
      waits.set(next, still)
      if (still === 0 && !isRanked(next)) ready.push(next)
    }
  }
  const ranks: number[][] = []
  for (const node of part) (ranks[rank[node] ?? 0] ??= []).push(node)
  return ranks
}

/** Of those that are known; -1 without any. */
function mean(nodes: readonly number[] = [], values: Float64Array): number {
  let [sum, known] = [0, 0]
  for (const node of nodes) {
    const value = values[node] ?? -1
    if (value < 0) continue
    sum += value
    known += 1
  }
  return known === 0 ? -1 : sum / known
}

function layoutPart(part: readonly number[], placing: Placing, size: number, step: number): Part {
  const { after, before, order, across } = placing
  const ranks = ranksOf(part, placing)
  const number = (rank: readonly number[]) => {
    for (const [at, node] of rank.entries()) order[node] = at
  }
  for (const rank of ranks) number(rank)
  for (let sweep = 0; sweep < sweeps; sweep++) {
    const down = sweep % 2 === 0
    for (const rank of down ? ranks : ranks.toReversed()) {
      const wanted = rank.map((node): [node: number, place: number] => {
        const place = mean((down ? before : after)[node], order)
        return [node, place < 0 ? (order[node] ?? 0) : place]
      })
      wanted.sort(([, a], [, b]) => a - b)
      for (const [at, [node]] of wanted.entries()) rank[at] = node
      number(rank)
    }
  }
  let breadth = 0
  for (const rank of ranks) {
    let free = 0
    for (const node of rank) {
      const at = Math.max(free, mean(before[node], across))
      across[node] = at
      free = at + size
    }
    breadth = Math.max(breadth, free)
  }
  return { nodes: part, length: ranks.length * step - rankGap, breadth: breadth - gap }
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
    for (const index of part.nodes) place(index, along, across)
    length = Math.max(length, along + part.length)
    along += part.length + partGap
    rowBreadth = Math.max(rowBreadth, part.breadth)
  }
  return { length, breadth: across + rowBreadth }
}
