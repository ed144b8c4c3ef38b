import type { GraphLayout } from './graph.types.ts'
import { sizeAt } from './node-size.ts'

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
  if (!nodes[at]) return ids[0] ?? null
  const middle = (index: number, axis: 'x' | 'y') =>
    (nodes[index]?.[axis] ?? 0) + sizeAt(layout, index)[axis === 'x' ? 'width' : 'height'] / 2
  const side = (index: number) => {
    const axis = direction === 'right' ? 'y' : 'x'
    return middle(index, axis) - middle(at, axis)
  }
  const ahead = (index: number) => {
    const axis = direction === 'right' ? 'x' : 'y'
    return middle(index, axis) - middle(at, axis)
  }
  const distance = (index: number) => Math.abs(side(index)) + Math.abs(ahead(index)) / 4
  const nearest = (candidates: readonly number[]) => candidates.toSorted((a, b) => distance(a) - distance(b))[0]
  const indexes = ids.map((_, index) => index).filter((index) => index !== at)
  const inRank = (index: number) => Math.abs(ahead(index)) < 1
  const found =
    step === 'forward'
      ? nearest(edges.filter(([from, to]) => from === at && to !== at).map(([, to]) => to))
      : step === 'back'
        ? nearest(edges.filter(([from, to]) => to === at && from !== at).map(([from]) => from))
        : nearest(indexes.filter((index) => inRank(index) && (step === 'after' ? side(index) > 0 : side(index) < 0)))
  return found === undefined ? null : (ids[found] ?? null)
}
