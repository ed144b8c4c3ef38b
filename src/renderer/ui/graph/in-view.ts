import { type GraphLayout, nodeSize } from './graph.types.ts'

/** What is seen: how far the drawing is moved and how large it is, and the size of the pane. */
interface View {
  transform: readonly [x: number, y: number, zoom: number]
  width: number
  height: number
}

/** Which nodes are seen, at least in part, by their place in the layout. */
export function nodesInView(layout: GraphLayout, { transform: [x, y, zoom], width, height }: View): number[] {
  const [left, top] = [-x / zoom - nodeSize.width, -y / zoom - nodeSize.height]
  const [right, bottom] = [(width - x) / zoom, (height - y) / zoom]
  const seen: number[] = []
  for (const [at, place] of layout.nodes.entries())
    if (place.x > left && place.x < right && place.y > top && place.y < bottom) seen.push(at)
  return seen
}

export const sameNumbers = (a: readonly number[], b: readonly number[]) =>
  a.length === b.length && a.every((one, at) => one === b[at])
