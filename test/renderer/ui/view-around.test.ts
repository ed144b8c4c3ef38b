import { expect, it } from 'vitest'
import { viewAround } from '../../../src/renderer/ui/graph/view-around.ts'
import { nodeSize, type GraphLayout } from '../../../src/renderer/ui/graph/graph.types.ts'

const layout = { size: nodeSize, width: 1600, height: 300 } as GraphLayout
const view = (x: number, y = 0) => viewAround({ x, y }, layout, 500, 400)
const rightEdge = (x: number): number => view(x).x + (x + nodeSize.width) * view(x).zoom

it('a graph opens around its chosen node, and shows nothing beyond its first one', () => {
  expect(view(700).x + (700 + nodeSize.width / 2) * view(700).zoom).toBeCloseTo(250)
  expect(view(0).x).toBe(14)
})

it('the buttons at the right edge do not cover the last node', () => {
  expect(rightEdge(1600 - nodeSize.width)).toBeLessThanOrEqual(500 - 52)
})

it('a graph that is lower than its space is in the middle', () => {
  expect(view(0).y).toBeCloseTo((400 - 300 * view(0).zoom) / 2)
})
