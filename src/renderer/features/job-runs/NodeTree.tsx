import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useCallback, useEffect, useId, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { JobRun, JobRunNode } from '../../../contract/job-runs.ts'
import { ItemsLoader } from './ItemsLoader.tsx'
import { NodeTreeRow } from './NodeTreeRow.tsx'
import { TimeGrid, TimeScale } from './TimeScale.tsx'
import classes from './NodeTree.module.css'
import { type LoadedItems, type TreeRow, itemRowId, nodeRowId, treeRows } from './tree-rows.ts'
import { treeMove } from './tree-moves.ts'
import { useGanttClock } from './use-gantt-clock.ts'
import { useWalk } from './use-walk.ts'

const rowHeight = 28

export interface NodeTreeProps {
  run: JobRun
  nodes: readonly JobRunNode[]
  chosen: { key: string; item: number | null } | null
  onChoose(key: string, item: number | null): void
}

/** Which nodes show their items, and the items as far as they are here. */
function useUnfolded(chosen: NodeTreeProps['chosen']) {
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(
    () => new Set(chosen && chosen.item !== null ? [chosen.key] : []),
  )
  const [loaded, setLoaded] = useState<ReadonlyMap<string, LoadedItems>>(() => new Map<string, LoadedItems>())
  const fold = useCallback((key: string, open: boolean) => {
    setUnfolded((now) => {
      const next = new Set(now)
      if (open) next.add(key)
      else next.delete(key)
      return next
    })
  }, [])
  const onItems = useCallback((key: string, items: LoadedItems) => {
    setLoaded((now) => new Map(now).set(key, items))
  }, [])
  return { unfolded, fold, loaded, onItems }
}

const rowOf = (chosen: NodeTreeProps['chosen']) =>
  chosen ? (chosen.item === null ? nodeRowId(chosen.key) : itemRowId(chosen.key, chosen.item)) : null

/** The tasks of a job run in the order of the template; each row is also a row of the Gantt chart. */
export function NodeTree({ run, nodes, chosen, onChoose }: NodeTreeProps) {
  const { t } = useTranslation('jobRuns')
  const baseId = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const { unfolded, fold, loaded, onItems } = useUnfolded(chosen)
  const rows = useMemo(() => treeRows(nodes, unfolded, loaded), [nodes, unfolded, loaded])
  const byKey = useMemo(() => new Map(nodes.map((node) => [node.key, node])), [nodes])
  const { axis, now } = useGanttClock(run, nodes)
  const begun = run.status !== 'pending'
  const chooseRow = useCallback(
    (row: TreeRow) => onChoose(row.node.key, row.kind === 'item' ? row.item.index : null),
    [onChoose],
  )
  const { marked, walk, choose, settle } = useWalk(rowOf(chosen), chooseRow)
  const exact = rows.findIndex((row) => row.id === marked)
  // The item of a folded task is marked at its task.
  const at = exact >= 0 ? exact : rows.findIndex((row) => row.id === chosen?.key)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 10,
    // Drawn in a turn of its own: see DataTable.
    useFlushSync: false,
    scrollPaddingStart: rowHeight,
    // The head takes as much of what is seen.
    scrollPaddingEnd: rowHeight,
    getItemKey: (index) => rows[index]?.id ?? index,
  })

  const height = virtual.scrollRect?.height ?? 0
  // Scrolled to its end, it begins with a row as well.
  const beyond = height > 0 ? rowHeight + virtual.getTotalSize() - height : 0
  const below = beyond > 0 ? Math.ceil(beyond / rowHeight) * rowHeight - beyond : 0
  const shown = useRef<{ row: string; height: number } | null>(null)
  useEffect(() => {
    // A new choice moves the tree, and what takes its room, such as the reason of a failure; rows that arrive leave the scroll where it is.
    if (at < 0 || marked === null || (shown.current?.row === marked && shown.current.height === height)) return
    // In whole rows: one that is cut in half below the head can’t be read.
    const [to = 0] = virtual.getOffsetForIndex(at, shown.current === null ? 'center' : 'auto') ?? []
    // The last pixels of a row are worth less than another one.
    if (beyond > rowHeight / 3) virtual.scrollToOffset(Math.ceil(to / rowHeight) * rowHeight)
    shown.current = { row: marked, height }
  }, [at, marked, height, beyond, virtual])

  const onKeyDown = (event: KeyboardEvent) => {
    // A command is about what is marked.
    if (event.ctrlKey || event.metaKey || event.altKey) return settle()
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 400) / rowHeight) - 2)
    const move = treeMove(event.key, rows, at, unfolded, page)
    if (!move) return settle()
    event.preventDefault()
    if (move.kind === 'fold') fold(move.key, move.open)
    else {
      const target = rows[move.index]
      if (target && target.kind !== 'more') walk(target)
    }
  }
  const items = virtual.getVirtualItems()
  return (
    <div ref={scroller} className={classes.scroller}>
      <div className={classes.sheet}>
        <div className={classes.head} aria-hidden>
          <span>{t('tree.task')}</span>
          {begun ? <TimeScale axis={axis} /> : <span />}
          <span className={classes.number}>{t('tree.rows')}</span>
          <span className={classes.number}>{t('tree.duration')}</span>
        </div>
        <div
          role="tree"
          aria-label={t('tree.label')}
          tabIndex={0}
          aria-activedescendant={at >= 0 ? `${baseId}-${at}` : undefined}
          className={classes.tree}
          style={{ height: virtual.getTotalSize() + below }}
          onKeyDown={onKeyDown}
          onBlur={settle}
        >
          {begun ? <TimeGrid axis={axis} now={now} /> : null}
          {items.map(({ index, start, key }) => {
            const row = rows[index]
            return row ? (
              <NodeTreeRow
                key={key}
                row={row}
                id={`${baseId}-${index}`}
                top={start}
                setSize={nodes.length}
                chosen={index === at}
                unfolded={row.kind === 'node' && unfolded.has(row.node.key)}
                byKey={byKey}
                axis={axis}
                now={now}
                onChoose={choose}
                onFold={fold}
              />
            ) : null
          })}
        </div>
      </div>
      {[...unfolded].map((key) => (
        <ItemsLoader
          key={key}
          jobRunId={run.id}
          nodeKey={key}
          wantsMore={items.some(({ index }) => rows[index]?.id === `${key}[more]`)}
          onItems={onItems}
        />
      ))}
    </div>
  )
}
