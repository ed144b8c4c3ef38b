import { IconChevronDown, IconChevronRight, IconPencil, IconRepeat } from '@tabler/icons-react'
import { type MouseEvent, memo, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { JobRunItem, JobRunNode } from '../../../contract/job-runs.ts'
import { Cut } from '../../ui/Cut.tsx'
import { Duration } from '../../ui/Duration.tsx'
import { statusColor } from '../../ui/status.ts'
import { ItemBadge, NodeBadge } from './JobRunBadge.tsx'
import classes from './NodeTree.module.css'
import { type Axis, type GanttBar, itemBar, nodeBar } from './gantt.ts'
import { isNodeOver, isReused, nodeLook, ownDuration } from './node-status.ts'
import { type TreeRow, itemText } from './tree-rows.ts'
import { countText, numberText } from '../../ui/format.ts'

export interface NodeTreeRowProps {
  row: TreeRow
  id: string
  top: number
  setSize: number
  chosen: boolean
  unfolded: boolean
  byKey: ReadonlyMap<string, JobRunNode>
  axis: Axis
  now: number | null
  onChoose(row: TreeRow): void
  onFold(key: string, open: boolean): void
}

function Track({ bar, color }: { bar: GanttBar; color: string }) {
  const place = (stretch: { start: number; width: number }) => ({
    left: `${stretch.start * 100}%`,
    width: `${stretch.width * 100}%`,
  })
  return (
    <span className={classes.track}>
      {bar.queued ? <span className={classes.queued} style={place(bar.queued)} /> : null}
      {bar.ran ? <span className={classes.bar} style={{ ...place(bar.ran), background: color }} /> : null}
    </span>
  )
}

/** Why there are neither bar nor duration. */
function Reused() {
  const { t } = useTranslation('jobRuns')
  return <span className={classes.reused}>{t('nodeStatus.reused')}</span>
}

const count = (rows: number | null) => countText(rows) ?? <span className={classes.faint}>–</span>

const unfinished = new Set(['pending', 'queued', 'running', 'paused'])

/** How far a `for_each` has come. */
function Progress({ node }: { node: JobRunNode }) {
  const { t } = useTranslation('jobRuns')
  if (node.item_total === null) return null
  const counts = Object.entries(node.item_counts)
  const done = counts.reduce((sum, [status, many]) => (unfinished.has(status) ? sum : sum + many), 0)
  const failed = (node.item_counts['failed'] ?? 0) + (node.item_counts['cancelled'] ?? 0)
  const words = {
    done: numberText(done),
    total: numberText(node.item_total),
    failed: numberText(failed),
  }
  return (
    <span className={classes.progress} data-failed={failed > 0 || undefined} title={t('tree.itemsTitle', words)}>
      {t(failed > 0 ? 'tree.itemsFailed' : 'tree.items', words)}
    </span>
  )
}

function Marks({ node }: { node: JobRunNode }) {
  const { t } = useTranslation('jobRuns')
  const runs = node.run_count ?? 0
  const attempts = node.attempt ?? 0
  const again =
    runs > 1 ? t('tree.runs', { count: runs }) : attempts > 1 ? t('tree.attempts', { count: attempts }) : null
  return (
    <>
      {node.for_each ? <Progress node={node} /> : null}
      {again ? (
        // The word would take the room of the name.
        <span className={classes.mark} title={again}>
          <IconRepeat size={12} aria-label={again} />
          <span aria-hidden>{numberText(runs > 1 ? runs : attempts)}</span>
        </span>
      ) : null}
      {node.overridden ? (
        <span className={classes.mark} title={t('tree.overridden')}>
          <IconPencil size={12} aria-label={t('tree.overridden')} />
        </span>
      ) : null}
    </>
  )
}

function Fold({ node, unfolded, onFold }: { node: JobRunNode; unfolded: boolean; onFold: NodeTreeRowProps['onFold'] }) {
  const { t } = useTranslation('jobRuns')
  if (!node.for_each) return <span className={classes.fold} />
  const Icon = unfolded ? IconChevronDown : IconChevronRight
  const toggle = (event: MouseEvent) => {
    event.stopPropagation()
    onFold(node.key, !unfolded)
  }
  return (
    // The arrow keys fold and unfold; this is their way for the mouse.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
    <span
      className={classes.fold}
      data-fold
      title={t(unfolded ? 'tree.fold' : 'tree.unfold', { key: node.key })}
      onClick={toggle}
    >
      <Icon size={14} aria-hidden />
    </span>
  )
}

function NodeCells({
  node,
  bar,
  unfolded,
  onFold,
}: { node: JobRunNode; bar: GanttBar } & Pick<NodeTreeRowProps, 'unfolded' | 'onFold'>) {
  const going = !isNodeOver(node.status)
  return (
    <>
      <span className={classes.name}>
        <Fold node={node} unfolded={unfolded} onFold={onFold} />
        <NodeBadge node={node} size="icon" />
        <span className={classes.label} title={node.task_name ? `${node.key} · ${node.task_name}` : node.key}>
          <Cut text={node.key} />
        </span>
        <Marks node={node} />
      </span>
      <Track bar={bar} color={statusColor(nodeLook(node.status), 'fill')} />
      <span className={classes.number}>{count(node.item_count)}</span>
      <span className={classes.number}>
        {isReused(node) ? <Reused /> : <Duration ms={ownDuration(node)} since={going ? node.started_at : null} />}
      </span>
    </>
  )
}

function ItemCells({ item, reused, bar }: { item: JobRunItem; reused: boolean; bar: GanttBar }) {
  const text = itemText(item.item)
  return (
    <>
      <span className={classes.name} data-level="2">
        <ItemBadge status={item.status} size="icon" />
        <span className={classes.faint}>{item.index}</span>
        <span className={classes.value} title={text}>
          {text}
        </span>
      </span>
      <Track bar={bar} color={statusColor(nodeLook(item.status), 'fill')} />
      <span className={classes.number}>{count(item.item_count)}</span>
      <span className={classes.number}>
        {reused ? (
          <Reused />
        ) : (
          <Duration ms={item.duration_ms} since={item.status === 'running' ? item.started_at : null} />
        )}
      </span>
    </>
  )
}

const noBar: GanttBar = { queued: null, ran: null }

/** One row: name and state, its bar on the axis, rows written, duration. */
export const NodeTreeRow = memo(function NodeTreeRow(props: NodeTreeRowProps) {
  const { row, chosen, unfolded, byKey, axis, now, onChoose, onFold } = props
  const { t } = useTranslation('jobRuns')
  const bar = useMemo(() => {
    if (row.kind === 'node') return nodeBar(row.node, byKey, axis, now ?? axis.to)
    return row.kind === 'item' && !isReused(row.node) ? itemBar(row.item, axis, now ?? axis.to) : noBar
  }, [row, byKey, axis, now])
  if (row.kind === 'more') {
    return (
      <div className={classes.row} data-more style={{ transform: `translateY(${props.top}px)` }} role="none">
        {row.failed ? t('tree.moreFailed') : t('tree.more', { formatted: numberText(row.left) })}
      </div>
    )
  }
  const node = row.kind === 'node'
  return (
    // The tree has the focus and its keys; rows are chosen by the mouse.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      id={props.id}
      role="treeitem"
      aria-level={node ? 1 : 2}
      aria-selected={chosen}
      aria-expanded={node && row.node.for_each ? unfolded : undefined}
      aria-posinset={node ? row.position + 1 : row.item.index + 1}
      aria-setsize={node ? props.setSize : (row.node.item_total ?? -1)}
      className={classes.row}
      data-status={node ? row.node.status : row.item.status}
      data-row={row.id}
      style={{ transform: `translateY(${props.top}px)` }}
      onClick={() => onChoose(row)}
    >
      {node ? (
        <NodeCells node={row.node} bar={bar} unfolded={unfolded} onFold={onFold} />
      ) : (
        <ItemCells item={row.item} reused={isReused(row.node)} bar={bar} />
      )}
    </div>
  )
})
