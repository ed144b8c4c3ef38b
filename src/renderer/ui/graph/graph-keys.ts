import type { GraphLayout, Point } from './graph.types.ts'

type Step = 'forward' | 'back' | 'before' | 'after'

/** What an arrow key means in a graph that points right, or down. */
const steps: Record<GraphLayout['direction'], Readonly<Record<string, Step>>> = {
  right: { ArrowRight: 'forward', ArrowLeft: 'back', ArrowUp: 'before', ArrowDown: 'after' },
  down: { ArrowDown: 'forward', ArrowUp: 'back', ArrowLeft: 'before', ArrowRight: 'after' },
}

/** The node that an arrow key leads to: along an edge forwards or back, or to the neighbour beside; Home and End to the first and last. */
export function nextNode(layout: GraphLayout, current: string | null, key: string): string | null {
  const { ids, nodes, edges, direction } = layout
  if (key === 'Home') return ids[0] ?? null
  if (key === 'End') return ids.at(-1) ?? null
  const step = steps[direction][key]
  if (!step) return null
  const at = current === null ? -1 : ids.indexOf(current)
  const here = nodes[at]
  if (!here) return ids[0] ?? null
  const across = (point: Point) => (direction === 'right' ? point.y : point.x)
  const along = (point: Point) => (direction === 'right' ? point.x : point.y)
  const distance = (index: number) => {
    const there = nodes[index] ?? here
    return Math.abs(across(there) - across(here)) + Math.abs(along(there) - along(here)) / 4
  }
  const nearest = (candidates: readonly number[]) => candidates.toSorted((a, b) => distance(a) - distance(b))[0]
  const indexes = ids.map((_, index) => index).filter((index) => index !== at)
  const side = (index: number) => across(nodes[index] ?? here) - across(here)
  const inRank = (index: number) => Math.abs(along(nodes[index] ?? here) - along(here)) < 1
  const found =
    step === 'forward'
      ? nearest(edges.filter(([from, to]) => from === at && to !== at).map(([, to]) => to))
      : step === 'back'
        ? nearest(edges.filter(([from, to]) => to === at && from !== at).map(([from]) => from))
        : nearest(indexes.filter((index) => inRank(index) && (step === 'after' ? side(index) > 0 : side(index) < 0)))
  return found === undefined ? null : (ids[found] ?? null)
}
