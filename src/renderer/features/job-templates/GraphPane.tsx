import { IconHourglass, IconSitemap } from '@tabler/icons-react'
import { type DragEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Graph } from '../../ui/graph/Graph.tsx'
import type { GraphNode } from '../../ui/graph/graph.types.ts'
import classes from './job-templates.module.css'
import { type Pick, dropOf, isDrag } from './palette-drag.ts'

interface GraphPaneProps {
  nodes: readonly GraphNode[]
  /** The text is still being read. */
  unread: boolean
  selected: string | null
  onSelect(key: string): void
  /** Absent where the text cannot be changed. */
  onDrop: ((pick: Pick, after: string[]) => void) | undefined
  /** Adds the first one. */
  action: ReactNode
}

const nodeUnder = ({ target }: DragEvent) =>
  target instanceof Element ? (target.closest<HTMLElement>('[data-node]')?.dataset['node'] ?? null) : null

/** The tasks of the text as a graph; one that is dropped on another waits for that one. */
export function GraphPane({ nodes, unread, selected, onSelect, onDrop, action }: GraphPaneProps) {
  const { t } = useTranslation('jobTemplates')
  const { t: doc } = useTranslation('documents')
  /** Node that a dragged task would wait for; empty: none. */
  const [over, setOver] = useState<string | null>(null)
  const onDragOver = (event: DragEvent) => {
    if (!onDrop || !isDrag(event.dataTransfer)) return
    event.preventDefault()
    event.dataTransfer.dropEffect = 'copy'
    setOver(nodeUnder(event) ?? '')
  }
  const drop = (event: DragEvent) => {
    const pick = dropOf(event.dataTransfer)
    setOver(null)
    if (!pick || !onDrop) return
    event.preventDefault()
    const after = nodeUnder(event)
    onDrop(pick, after === null ? [] : [after])
  }
  return (
    <div
      className={classes.graph}
      data-over={over === null ? undefined : over === '' ? 'pane' : 'node'}
      onDragOver={onDragOver}
      onDragLeave={() => setOver(null)}
      onDrop={drop}
    >
      {unread ? (
        <EmptyState icon={IconHourglass} title={doc('problems.reading')} text={doc('problems.readingText')} />
      ) : nodes.length === 0 ? (
        <EmptyState icon={IconSitemap} title={t('side.emptyTitle')} text={t('side.emptyText')} action={action} />
      ) : (
        <Graph
          id="job-template"
          direction="down"
          nodes={nodes}
          selected={over || selected}
          onSelect={onSelect}
          label={t('side.graphLabel', { count: nodes.length })}
        />
      )}
    </div>
  )
}
