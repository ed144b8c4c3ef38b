/** Who depends on whom among the tasks and gates of a job template. Never recurses: a chain may be 2,000 long. */
export interface JobGraph {
  /** In the order of the text. */
  readonly keys: readonly string[]
  has(key: string): boolean
  /** The direct dependencies that there are. */
  dependencies(key: string): readonly string[]
  /** `upstream` ends before `key` starts, through however many others. */
  isUpstream(upstream: string, key: string): boolean
  /** Everything upstream, in the order of the text. */
  upstream(key: string): readonly string[]
  /** One for each group of tasks that wait for each other: a depends on b, which depends on c, which depends on a. */
  readonly cycles: readonly (readonly string[])[]
}

export interface GraphNode {
  key: string
  depends_on: readonly string[]
}

export function buildGraph(nodes: readonly GraphNode[]): JobGraph {
  const keys = nodes.map(({ key }) => key)
  const position = new Map(keys.map((key, index) => [key, index]))
  const edges = nodes.map(({ depends_on }) => [...new Set(depends_on)].flatMap((key) => position.get(key) ?? []))
  const groups = findGroups(edges)
  let reached: ReturnType<typeof reachable> | null = null
  const ancestors = (key: string): Uint32Array | undefined => {
    const index = position.get(key)
    reached ??= reachable(edges, groups)
    return index === undefined ? undefined : reached[index]
  }
  let lastUpstream: { key: string; keys: string[] } | null = null
  return {
    keys,
    has: (key) => position.has(key),
    dependencies: (key) => (edges[position.get(key) ?? -1] ?? []).flatMap((index) => keys[index] ?? []),
    isUpstream: (upstream, key) => holds(ancestors(key), position.get(upstream) ?? -1),
    upstream(key) {
      // Whatever asks, asks again for the same task: for each name in each of its expressions.
      if (lastUpstream?.key !== key) {
        const row = ancestors(key)
        lastUpstream = { key, keys: keys.filter((_, index) => holds(row, index)) }
      }
      return lastUpstream.keys
    },
    cycles: groups
      .filter((group) => isCyclic(group, edges))
      .map((group) => shortestCycle(group, edges).flatMap((index) => keys[index] ?? []))
      .toSorted((a, b) => (position.get(a[0] ?? '') ?? 0) - (position.get(b[0] ?? '') ?? 0)),
  }
}

type Edges = readonly (readonly number[])[]

/** Tarjan's strongly connected components; each comes after those that it depends on. */
function findGroups(edges: Edges): number[][] {
  const order = new Int32Array(edges.length).fill(-1)
  const low = new Int32Array(edges.length)
  const open = new Uint8Array(edges.length)
  const stack: number[] = []
  const groups: number[][] = []
  let next = 0
  const enter = (node: number): { node: number; at: number } => {
    order[node] = low[node] = next++
    open[node] = 1
    stack.push(node)
    return { node, at: 0 }
  }
  for (const root of edges.keys()) {
    if (order[root] !== -1) continue
    const path = [enter(root)]
    for (let frame = path.at(-1); frame; frame = path.at(-1)) {
      const { node } = frame
      const target = edges[node]?.[frame.at++]
      if (target === undefined) {
        path.pop()
        const parent = path.at(-1)?.node
        if (parent !== undefined) low[parent] = Math.min(low[parent] ?? 0, low[node] ?? 0)
        if (low[node] === order[node]) groups.push(closeGroup(node, stack, open))
      } else if (order[target] === -1) path.push(enter(target))
      else if (open[target] === 1) low[node] = Math.min(low[node] ?? 0, order[target] ?? 0)
    }
  }
  return groups
}

function closeGroup(root: number, stack: number[], open: Uint8Array): number[] {
  const group = stack.splice(stack.lastIndexOf(root))
  for (const node of group) open[node] = 0
  return group
}

function isCyclic(group: readonly number[], edges: Edges): boolean {
  const [first] = group
  return group.length > 1 || (first !== undefined && edges[first]?.includes(first) === true)
}

/** From the first of the group in the text along dependencies back to it. */
function shortestCycle(group: readonly number[], edges: Edges): number[] {
  const inside = new Set(group)
  const start = group.reduce((least, node) => Math.min(least, node))
  const cameFrom = new Map<number, number>()
  const queue = [start]
  for (const node of queue) {
    for (const target of edges[node] ?? []) {
      if (target === start) return pathTo(node, start, cameFrom)
      if (!inside.has(target) || cameFrom.has(target)) continue
      cameFrom.set(target, node)
      queue.push(target)
    }
  }
  return []
}

function pathTo(end: number, start: number, cameFrom: ReadonlyMap<number, number>): number[] {
  const path = [end]
  for (let node = end; node !== start;) {
    node = cameFrom.get(node) ?? start
    path.push(node)
  }
  return path.toReversed()
}

/** A bit for each pair: 2,000 tasks take half a megabyte. */
function reachable(edges: Edges, groups: readonly number[][]): Uint32Array[] {
  const width = Math.ceil(edges.length / 32)
  const rows: Uint32Array[] = []
  for (const group of groups) {
    const row = new Uint32Array(width)
    for (const node of group) {
      for (const target of edges[node] ?? []) {
        mark(row, target)
        const further = rows[target]
        if (further) for (let word = 0; word < width; word++) row[word] = (row[word] ?? 0) | (further[word] ?? 0)
      }
    }
    for (const node of group) rows[node] = row
  }
  return rows
}

function mark(row: Uint32Array, index: number): void {
  row[index >>> 5] = (row[index >>> 5] ?? 0) | (1 << (index & 31))
}

function holds(row: Uint32Array | undefined, index: number): boolean {
  return row !== undefined && index >= 0 && ((row[index >>> 5] ?? 0) & (1 << (index & 31))) !== 0
}
