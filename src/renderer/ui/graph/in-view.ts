import type { GraphLayout, GraphNode } from './graph.types.ts'

/** What is seen: how far the drawing is moved and how large it is, and the size of the pane. */
interface View {
  transform: readonly [x: number, y: number, zoom: number]
  width: number
  height: number
}

/** Which nodes are seen, at least in part, and those that are kept wherever the view is; by their place in the layout. */
export function nodesInView(layout: GraphLayout, view: View, kept: readonly (string | null)[] = []): number[] {
  const [x, y, zoom] = view.transform
  const [left, top] = [-x / zoom - layout.size.width, -y / zoom - layout.size.height]
  const [right, bottom] = [(view.width - x) / zoom, (view.height - y) / zoom]
  const seen: number[] = []
  for (const [at, place] of layout.nodes.entries()) {
    const inside = place.x > left && place.x < right && place.y > top && place.y < bottom
    if (inside || kept.includes(layout.ids[at] ?? null)) seen.push(at)
  }
  return seen
}

/** Whether it has a place and is still there: the layout lags behind by as long as the next one takes. */
export const isDrawn = (id: string, nodes: readonly GraphNode[], layout: GraphLayout) =>
  layout.ids.includes(id) && nodes.some((node) => node.id === id)

export const sameNumbers = (a: readonly number[], b: readonly number[]) =>
  a.length === b.length && a.every((one, at) => one === b[at])
