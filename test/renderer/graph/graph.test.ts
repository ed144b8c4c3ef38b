import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { edgePaths } from '../../../src/renderer/ui/graph/edge-paths.ts'
import { type GraphDirection, type GraphNode, nodeSize } from '../../../src/renderer/ui/graph/graph.types.ts'
import { nextNode } from '../../../src/renderer/ui/graph/graph-keys.ts'
import { grownBy } from '../../../src/renderer/ui/graph/grown.ts'
import { isDrawn, nodesInView } from '../../../src/renderer/ui/graph/in-view.ts'
import { layoutGraph } from '../../../src/renderer/ui/graph/layout.ts'
import { mapBlocks } from '../../../src/renderer/ui/graph/map-blocks.ts'
import { requestOf } from '../../../src/renderer/ui/graph/use-layout.ts'

const node = (id: string, ...dependsOn: string[]): GraphNode => ({ id, label: id, kind: 'task', dependsOn })
const laidOut = (nodes: GraphNode[], direction: GraphDirection = 'right') => layoutGraph(requestOf(nodes, direction))
const placeOf = (layout: ReturnType<typeof laidOut>, id: string) => {
  const place = layout.nodes[layout.ids.indexOf(id)]
  if (!place) throw new Error(`${id} has no place`)
  return place
}

const diamond = [node('a'), node('b', 'a'), node('c', 'a'), node('d', 'b', 'c'), node('alone')]

describe('the layout', () => {
  test('puts what depends on something behind it, in either direction', () => {
    const right = laidOut(diamond)
    expect(placeOf(right, 'b').x).toBeGreaterThanOrEqual(placeOf(right, 'a').x + nodeSize.width)
    expect(placeOf(right, 'd').x).toBeGreaterThanOrEqual(placeOf(right, 'c').x + nodeSize.width)
    const down = laidOut(diamond, 'down')
    expect(placeOf(down, 'd').y).toBeGreaterThanOrEqual(placeOf(down, 'b').y + nodeSize.height)
  })

  test('keeps the order in which tasks are listed', () => {
    const nodes = [node('a'), node('b'), node('c'), node('end', 'a', 'b', 'c')]
    const right = laidOut(nodes)
    expect(['a', 'b', 'c'].map((id) => placeOf(right, id).y)).toEqual(
      ['a', 'b', 'c'].map((id) => placeOf(right, id).y).toSorted((a, b) => a - b),
    )
    const down = laidOut(nodes, 'down')
    expect(placeOf(down, 'a').x).toBeLessThan(placeOf(down, 'c').x)
  })

  test('leaves out dependencies that are not there and counts doubled ones once', () => {
    expect(requestOf([node('a', 'gone'), node('b', 'a', 'a'), node('b', 'a')], 'right')).toEqual({
      direction: 'right',
      size: nodeSize,
      ids: ['a', 'b'],
      edges: [[0, 1]],
    })
  })

  test('gives a gate room for its question, up to a limit, from where on it has two lines', () => {
    const gate = (sublabel: string): GraphNode => ({
      id: 'gate',
      label: 'gate',
      kind: 'gate',
      sublabel,
      dependsOn: ['a'],
    })
    const sizes = (...nodes: GraphNode[]) => requestOf([node('a'), ...nodes], 'down').sizes
    expect(sizes(gate('Publish?'))).toBeUndefined()
    const [plain, asks] = sizes(gate('Publish {airports} routes?')) ?? []
    expect(plain).toBe(nodeSize)
    expect(asks?.width).toBeGreaterThan(nodeSize.width)
    expect(asks?.height).toBe(nodeSize.height)
    const [, long] = sizes(gate('Publish {airports} routes in {columns} columns?')) ?? []
    expect(long?.height).toBeGreaterThan(nodeSize.height)
    const layout = laidOut([node('a'), gate('Publish {airports} routes in {columns} columns?')], 'down')
    const [first, second] = layout.nodes
    expect(first!.x + nodeSize.width / 2).toBeCloseTo(second!.x + long!.width / 2)
  })

  test('leads an edge between two ranks in one curve that never goes back', () => {
    for (const { line } of edgePaths(laidOut(diamond))) {
      const across = [...line.matchAll(/(-?[\d.]+) -?[\d.]+/g)].map(([, x]) => Number(x))
      expect(across).toHaveLength(4)
      expect(across).toEqual(across.toSorted((a, b) => a - b))
    }
  })

  test('draws a cycle and a task that depends on itself instead of failing', () => {
    const layout = laidOut([node('a', 'c'), node('b', 'a'), node('c', 'b'), node('self', 'self')])
    expect(layout.nodes).toHaveLength(4)
    expect(edgePaths(layout)).toHaveLength(3)
  })

  test('hundreds of tasks without edges make a block, not a column', () => {
    const layout = laidOut(Array.from({ length: 400 }, (_, index) => node(`n${index}`)))
    expect(layout.height / layout.width).toBeLessThan(2)
    expect(layout.width / layout.height).toBeLessThan(2)
  })

  test('no two nodes ever overlap, and every edge has its path', () => {
    const graphs = fc
      .array(fc.array(fc.nat({ max: 30 }), { maxLength: 3 }), { maxLength: 24 })
      .map((all) => all.map((dependencies, index) => node(`n${index}`, ...dependencies.map((one) => `n${one}`))))
    fc.assert(
      fc.property(graphs, fc.constantFrom<GraphDirection>('right', 'down'), (nodes, direction) => {
        const layout = laidOut(nodes, direction)
        for (const [index, a] of layout.nodes.entries()) {
          expect(Number.isFinite(a.x) && Number.isFinite(a.y)).toBe(true)
          for (const b of layout.nodes.slice(index + 1)) {
            const apart = Math.abs(a.x - b.x) >= nodeSize.width - 0.01 || Math.abs(a.y - b.y) >= nodeSize.height - 0.01
            expect(apart).toBe(true)
          }
        }
        const paths = edgePaths(layout)
        expect(paths).toHaveLength(layout.edges.filter(([from, to]) => from !== to).length)
        for (const path of paths) expect(path.line).not.toMatch(/NaN|undefined/)
      }),
      { numRuns: 40 },
    )
  })
})

describe('arrow keys', () => {
  const layout = laidOut(diamond)
  const walk = (...keys: string[]) => {
    let at: string | null = null
    for (const key of keys) at = nextNode(layout, at, key) ?? at
    return at
  }

  test('lead along the arrows and back', () => {
    expect(walk('ArrowRight')).toBe('a')
    expect(walk('Home', 'ArrowRight', 'ArrowRight')).toBe('d')
    expect(walk('Home', 'ArrowRight', 'ArrowRight', 'ArrowLeft', 'ArrowLeft')).toBe('a')
    expect(walk('End')).toBe('alone')
  })

  test('go to the neighbour beside, and stay where there is none', () => {
    const [upper, lower] = placeOf(layout, 'b').y < placeOf(layout, 'c').y ? ['b', 'c'] : ['c', 'b']
    expect(nextNode(layout, upper ?? '', 'ArrowDown')).toBe(lower)
    expect(nextNode(layout, lower ?? '', 'ArrowUp')).toBe(upper)
    expect(nextNode(layout, 'd', 'ArrowRight')).toBeNull()
    expect(nextNode(layout, 'd', 'x')).toBeNull()
  })

  test('turn with the graph', () => {
    expect(nextNode(laidOut(diamond, 'down'), 'd', 'ArrowUp')).toMatch(/^[bc]$/)
  })

  test('a node whose name is gone leads back to the first', () => {
    expect(nextNode(layout, 'renamed', 'ArrowRight')).toBe('a')
  })
})

describe('what is drawn', () => {
  const layout = laidOut(diamond)
  const size = { width: layout.width, height: layout.height }
  const seen = (x: number, y: number, zoom: number, pane = size, kept: (string | null)[] = []) =>
    nodesInView(layout, { transform: [x, y, zoom], ...pane }, kept).map((at) => layout.ids[at])

  test('all that is in sight, and what is in sight in part', () => {
    expect(seen(0, 0, 1)).toEqual(layout.ids)
    const { x, y } = placeOf(layout, 'd')
    expect(seen(-x - nodeSize.width + 1, -y, 1, { width: 4, height: 4 })).toEqual(['d'])
    expect(seen(-x - nodeSize.width - 1, -y, 1, { width: 4, height: 4 })).toEqual([])
  })

  test('what is chosen and where the keys are is there wherever the view is', () => {
    const away = -10 * layout.width
    expect(seen(away, 0, 1, size, ['b', null])).toEqual(['b'])
    expect(seen(away, 0, 1, size, ['gone', 'd'])).toEqual(['d'])
    expect(seen(0, 0, 1, size, ['b'])).toEqual(layout.ids)
  })

  test('a node is there once it has a place, and no longer than it is one of the job', () => {
    const renamed = diamond.map((one) => (one.id === 'b' ? node('renamed', 'a') : one))
    expect(['a', 'b', 'renamed'].map((id) => isDrawn(id, renamed, layout))).toEqual([true, false, false])
  })

  test('what has to be seen from afar is as wide on the screen at every zoom, to a sixth', () => {
    const zooms = fc.double({ min: 0.005, max: 1, noNaN: true })
    fc.assert(
      fc.property(zooms, (zoom) => {
        expect(zoom * grownBy(zoom)).toBeGreaterThan(2 ** -0.25 - 1e-9)
        expect(zoom * grownBy(zoom)).toBeLessThanOrEqual(1 + 1e-9)
      }),
    )
    expect([1, 1.6].map(grownBy)).toEqual([1, 1])
  })

  test('the map has one path of each colour, and leaves out what is gone', () => {
    const nodes = diamond.slice(0, 4).map((one, at) => ({ ...one, ...(at < 3 && { status: 'success' as const }) }))
    const blocks = mapBlocks(nodes, layout)
    expect(blocks.map(({ path }) => path.match(/M/g)?.length)).toEqual([3, 1])
  })
})
