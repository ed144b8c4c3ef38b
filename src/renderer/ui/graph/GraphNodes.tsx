import { useStore } from '@xyflow/react'
import { memo, useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Status, statusLooks } from '../status.ts'
import { GraphNodeView } from './GraphNodeView.tsx'
import { GraphBlocks, mostButtons } from './GraphBlocks.tsx'
import { type GraphLayout, type GraphNode, type GraphNodeKind, dataKinds } from './graph.types.ts'
import { grownBy } from './grown.ts'
import { nodesInView, sameNumbers } from './in-view.ts'
import { sizeAt } from './node-size.ts'

interface GraphNodesProps {
  nodes: readonly GraphNode[]
  layout: GraphLayout
  selected: string | null
  /** The one that the arrow keys are on. */
  active: string | null
  /** Words are too small to be read. */
  far: boolean
  onChoose(id: string): void
  /** Id of a node's element. */
  domId(id: string): string
}

/** Looked up once, not for each of hundreds that come into view with one turn of the wheel. */
function useWords() {
  const { t } = useTranslation('graph')
  const { t: word } = useTranslation()
  return useMemo(() => {
    const statuses = Object.keys(statusLooks) as Status[]
    return {
      // Every kind has its word.
      kind: Object.fromEntries((['gate', 'task', ...dataKinds] as const).map((kind) => [kind, t(kind)])) as Record<
        GraphNodeKind,
        string
      >,
      status: new Map(statuses.map((status) => [status, word(`status.${status}`)])),
    }
  }, [t, word])
}

/** So many nodes get their words in one frame: hundreds at once would be a jerk under the wheel. */
const wordsAFrame = 16

/** How many of those in view have their words by now; where the graph opens close by, all of them at once. */
function useWorded(far: boolean, seen: number): number {
  const [worded, setWorded] = useState(far ? 0 : Infinity)
  useEffect(() => {
    if (far ? worded === 0 : worded === Infinity) return
    const frame = requestAnimationFrame(() =>
      setWorded(far ? 0 : worded + wordsAFrame < seen ? worded + wordsAFrame : Infinity),
    )
    return () => cancelAnimationFrame(frame)
  }, [far, worded, seen])
  return far ? 0 : worded
}

/**
 * The nodes that are seen. Those of the library would each be measured, observed and subscribed to the view; all that is known
 * beforehand here.
 */
export const GraphNodes = memo(function GraphNodes(props: GraphNodesProps) {
  const { nodes, layout, selected, active, far, onChoose, domId } = props
  const words = useWords()
  const byId = useMemo(() => new Map(nodes.map((node) => [node.id, node])), [nodes])
  const grown = useStore((state) => grownBy(state.transform[2]))
  // What is chosen and where the keys are stays, also out of sight: it is what a screen reader is told of.
  const inView = useStore((state) => nodesInView(layout, state, [selected, active]), sameNumbers)
  const crowded = inView.length > mostButtons
  const seen = crowded ? inView.filter((at) => layout.ids[at] === selected || layout.ids[at] === active) : inView
  const worded = useWorded(far, seen.length)
  const buttons = seen.map((at, index) => {
    const place = layout.nodes[at]
    // One that the layout does not know yet waits for it; one that is gone goes at once.
    const node = byId.get(layout.ids[at] ?? '')
    if (!place || !node) return null
    return (
      <GraphNodeView
        key={node.id}
        domId={domId(node.id)}
        node={node}
        x={place.x}
        y={place.y}
        size={sizeAt(layout, at)}
        kind={words.kind[node.kind]}
        status={node.statusWord ?? (node.status ? (words.status.get(node.status) ?? null) : null)}
        far={index >= worded}
        selected={node.id === selected}
        grown={node.id === selected || node.id === active ? grown : 1}
        active={node.id === active}
        onChoose={onChoose}
      />
    )
  })
  return (
    <>
      {crowded ? <GraphBlocks nodes={nodes} layout={layout} onChoose={onChoose} /> : null}
      {buttons}
    </>
  )
})
