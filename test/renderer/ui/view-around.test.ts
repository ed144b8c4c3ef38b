import { expect, it } from 'vitest'
import { fitsReadably, openingNode, viewAround, viewOfAll } from '../../../src/renderer/ui/graph/view-around.ts'
import { nodeSize, type GraphLayout, type GraphNode } from '../../../src/renderer/ui/graph/graph.types.ts'
import type { Status } from '../../../src/renderer/ui/status.ts'

const ranks = [0, 224, 448, 672, 896, 1120, 1344]
const layout = {
  size: nodeSize,
  ids: ranks.map(String),
  nodes: ranks.map((x) => ({ x, y: 0 })),
  width: 1600,
  height: 300,
} as unknown as GraphLayout
const view = (x: number, y = 0) => viewAround({ x, y }, layout, 500, 400)
const rightEdge = (x: number): number => view(x).x + (x + nodeSize.width) * view(x).zoom

const peek = 29

/** Nodes whose words are cut at the left edge, in a view that could be moved. */
const cut = (x: number, width: number): readonly number[] => {
  const { x: moved, zoom } = viewAround({ x, y: 0 }, layout, width, 400)
  if (moved + layout.width * zoom <= width) return []
  return ranks.filter((start) => moved + start * zoom < -1 && moved + (start + nodeSize.width) * zoom > peek)
}

it('a graph opens near its chosen node, and shows nothing before its first one', () => {
  expect(Math.abs(view(672).x + (672 + nodeSize.width / 2) * view(672).zoom - 250)).toBeLessThan(nodeSize.width)
  expect(view(0).x).toBe(14)
})

it.each([300, 340, 420, 500, 640, 900])('no words are cut at the left edge of a pane %i pixels wide', (width) => {
  expect(ranks.flatMap((x) => cut(x, width))).toEqual([])
})

it.each(ranks)('the chosen node at %i is seen as a whole', (x) => {
  expect(view(x).x + x * view(x).zoom).toBeGreaterThanOrEqual(0)
  expect(rightEdge(x)).toBeLessThanOrEqual(500)
})

it.each([300, 500, 640, 900, 1300, 1450])('a pane %i pixels wide has no emptiness beyond the ends', (width) => {
  const ends = ranks.map((x) => {
    const { x: moved, zoom } = viewAround({ x, y: 0 }, layout, width, 400)
    return Math.max(moved, width - moved - layout.width * zoom)
  })
  expect(Math.max(...ends)).toBeLessThan(15)
})

it('a node that is beyond the left edge shows its end, so that arrows come from somewhere', () => {
  const { x: moved, zoom } = viewAround({ x: 672, y: 0 }, layout, 500, 400)
  const ends = ranks.map((start) => moved + (start + nodeSize.width) * zoom)
  expect(Math.min(...ends.filter((end) => end > 0))).toBeGreaterThanOrEqual(28)
})

it('a graph that is lower than its space is in the middle', () => {
  expect(view(0).y).toBeCloseTo((400 - 300 * view(0).zoom) / 2)
})

it('all of a graph is shown where its words can still be read, never larger than drawn', () => {
  expect(fitsReadably(layout, 1370, 400)).toBe(true)
  expect(fitsReadably(layout, 1360, 400)).toBe(false)
  // Where it is to stay as large as it is.
  expect(fitsReadably(layout, 1370, 400, 1)).toBe(false)
  expect(fitsReadably(layout, 1620, 400, 1)).toBe(true)
  expect(viewOfAll(layout, 2400, 400, 0.005)).toEqual({ x: 400, y: 50, zoom: 1 })
})

it('where all of it would be smaller, the words of what is chosen are 11 pixels high', () => {
  expect(view(448).zoom * 12).toBeCloseTo(11)
})

it('the part of a graph beside which a pane opens stays as large as it was', () => {
  expect(viewAround({ x: 448, y: 0 }, layout, 1000, 400, [1]).zoom).toBe(1)
})

it('a graph that is shown in part is drawn a little smaller where that cuts no node', () => {
  const pitch = 196
  const four = {
    size: nodeSize,
    ids: ['a', 'b', 'c', 'd'],
    nodes: [0, 1, 2, 3].map((rank) => ({ x: rank * pitch, y: 0 })),
    width: 3 * pitch + nodeSize.width,
    height: 44,
  } as unknown as GraphLayout
  const { x, zoom } = viewAround({ x: 3 * pitch, y: 0 }, four, 490, 400)
  expect(zoom).toBeLessThan(11 / 12)
  expect(zoom).toBeGreaterThanOrEqual(11 / 13)
  expect(x + pitch * zoom).toBeGreaterThanOrEqual(0)
})

it('a graph opens at its chosen node, else at what failed, waits, or runs, else at the first', () => {
  const opened = (chosen: string | null, statuses: Readonly<Record<string, Status>> = {}) =>
    openingNode(
      layout,
      layout.ids.map((id): GraphNode => {
        const status = statuses[id]
        return { id, label: id, kind: 'task', dependsOn: [], ...(status && { status }) }
      }),
      chosen,
    )?.x
  expect(opened('448', { '672': 'failed' })).toBe(448)
  expect(opened(null, { '224': 'running', '672': 'failed' })).toBe(672)
  expect(opened(null, { '224': 'success', '672': 'running' })).toBe(672)
  expect(opened(null)).toBe(0)
})

it.each([400, 600])('no words are cut at the right edge of a pane %i pixels wide, if possible', (width) => {
  const { x, zoom } = viewAround({ x: 224, y: 0 }, layout, width, 400)
  const cutRight = ranks.filter(
    (start) => x + start * zoom < width - peek && x + (start + nodeSize.width) * zoom > width + 1,
  )
  expect(cutRight).toEqual([])
})
