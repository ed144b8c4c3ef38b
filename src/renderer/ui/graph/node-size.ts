import { type GraphNode, type NodeSize, nodeSize } from './graph.types.ts'

/** More would make all of the graph small. */
const widest = 240
/** With two lines below its label. */
const tall = 60
/** Of a letter of the second line, on average. */
const letter = 6.4
/** What stands beside the words: the icon, and what is around both. */
const beside = { gate: 48, other: 40 } as const
/** Widths grow in steps: what is typed doesn't move the graph with every letter. */
const step = 12
/** In a graph of more nodes all are alike: what matters there is its shape. */
const fewNodes = 40

/** As wide as its second line needs, up to a limit, from where on it takes two lines. One that runs stays as it is: its words change. */
function sizeOf({ kind, status, sublabel }: GraphNode): NodeSize {
  if (status !== undefined || typeof sublabel !== 'string' || (kind !== 'gate' && kind !== 'task')) return nodeSize
  const needed = sublabel.length * letter + beside[kind === 'gate' ? 'gate' : 'other']
  if (needed <= nodeSize.width) return nodeSize
  return {
    width: Math.min(widest, Math.ceil(needed / step) * step),
    height: needed > widest ? tall : nodeSize.height,
  }
}

/** The size of the largest, and of each where they differ. */
export function sizesOf(nodes: readonly GraphNode[]): { size: NodeSize; sizes?: NodeSize[] } {
  if (nodes.length > fewNodes) return { size: nodeSize }
  const sizes = nodes.map(sizeOf)
  if (sizes.every((one) => one === nodeSize)) return { size: nodeSize }
  return {
    size: {
      width: Math.max(...sizes.map(({ width }) => width)),
      height: Math.max(...sizes.map(({ height }) => height)),
    },
    sizes,
  }
}

export const sizeAt = ({ size, sizes }: { size: NodeSize; sizes?: readonly NodeSize[] | undefined }, index: number) =>
  sizes?.[index] ?? size
