import { expect, test } from 'vitest'
import { nodeSize } from '../../../src/renderer/ui/graph/graph.types.ts'
import { layoutGraph } from '../../../src/renderer/ui/graph/layout.ts'

/** So many parts of three ranks: two nodes into one, and that into two. */
function parts(count: number): [number, number][] {
  return Array.from({ length: count }, (_, part) => part * 5).flatMap((at): [number, number][] => [
    [at, at + 2],
    [at + 1, at + 2],
    [at + 2, at + 3],
    [at + 2, at + 4],
  ])
}
const request = (count: number, edges: [number, number][], direction: 'right' | 'down' = 'right') => ({
  direction,
  size: nodeSize,
  ids: Array.from({ length: count }, (_, at) => `n${at}`),
  edges,
})

test.each(['right', 'down'] as const)('thousands of nodes stand beside each other, pointing %s', (direction) => {
  const edges = parts(1_000)
  const { nodes, width, height } = layoutGraph(request(5_000, edges, direction))
  const along = direction === 'right' ? 'x' : 'y'
  for (const [from, to] of edges) expect(nodes[to]![along]).toBeGreaterThan(nodes[from]![along])
  const taken = new Set<string>()
  for (const { x, y } of nodes) {
    expect(x + nodeSize.width).toBeLessThanOrEqual(width + 1)
    expect(y + nodeSize.height).toBeLessThanOrEqual(height + 1)
    // Corners and middle of every node, in cells smaller than a node and its gap.
    taken.add(`${Math.round(x)} ${Math.round(y)}`)
  }
  expect(taken.size).toBe(5_000)
  const rows = Map.groupBy(nodes, ({ x, y }) => Math.round(direction === 'right' ? x : y))
  for (const rank of rows.values()) {
    const across = rank.map(({ x, y }) => (direction === 'right' ? y : x)).toSorted((a, b) => a - b)
    const size = direction === 'right' ? nodeSize.height : nodeSize.width
    const steps = across.slice(1).map((place, at) => place - across[at]!)
    expect(Math.min(size, ...steps)).toBe(size)
  }
})

test('circles, loops and one part of thousands are laid out, and soon', () => {
  const edges: [number, number][] = [...parts(600), [3, 0], [7, 7]]
  for (let at = 0; at < 3_000; at += 5) edges.push([at + 4, (at + 5) % 3_000])
  const begun = performance.now()
  const { nodes } = layoutGraph(request(3_000, edges))
  expect(performance.now() - begun).toBeLessThan(5_000)
  expect(new Set(nodes.map(({ x, y }) => `${x} ${y}`)).size).toBe(3_000)
})
