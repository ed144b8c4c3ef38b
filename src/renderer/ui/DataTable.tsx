import { useLocalStorage } from '@mantine/hooks'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, type ReactNode, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import classes from './DataTable.module.css'
import { DataTableHeader } from './DataTableHeader.tsx'
import { DataTableRow } from './DataTableRow.tsx'
import { ErrorState } from './ErrorState.tsx'
import { showCellTitle } from './cell-title.ts'
import {
  type ColumnSizes,
  fittedColumns,
  fitting,
  fittingColumns,
  leastWidth,
  neededOf,
  tracksOf,
} from './column-sizes.rules.ts'
import { columnsKey } from './layout-memory.ts'
import type { DataTableProps, TableColumn } from './table.types.ts'
import { useColumnNeeds } from './use-column-needs.ts'
import { useRoom } from './use-room.ts'
import { useSelecting } from './use-selecting.ts'

export const rowHeight = 28
const skeletonRows = 12
const noSizes: ColumnSizes = {}
const checkWidth = 32
const menuWidth = 40
/** Beyond the padding of the last cell. */
const endWidth = 8

/** Widths chosen by dragging or by keys, remembered by the table's name, and the columns that there is room for. */
function useColumnSizes<Row>(
  { id, columns: all, selection, onMenu }: DataTableProps<Row>,
  room: number,
  needs: ReadonlyMap<string, number>,
) {
  const [stored, setStored] = useLocalStorage<ColumnSizes>({
    key: columnsKey(id ?? ''),
    defaultValue: noSizes,
    getInitialValueInEffect: false,
  })
  const [local, setLocal] = useState(noSizes)
  const [sizes, setSizes] = id ? [stored, setStored] : [local, setLocal]
  // What ends with text keeps the distance of a page from its edge; buttons have theirs in their column.
  const end = onMenu ? menuWidth : all.at(-1)?.pinned ? 0 : endWidth
  const beside = (selection ? checkWidth : 0) + end
  const width = Math.max(0, room - beside)
  const shown = useMemo(() => fittingColumns(fittedColumns(all, needs), sizes, width), [all, needs, sizes, width])
  const needed = useMemo(() => neededOf(shown, sizes, needs, width), [shown, sizes, needs, width])
  // The same as long as the same are shown: no row is drawn again because a column needs more.
  const ids = JSON.stringify(shown.map((column) => column.id))
  const columns = useMemo(() => {
    const kept = new Set(JSON.parse(ids) as string[]) // written above
    return all.filter((column) => kept.has(column.id))
  }, [all, ids])
  // Rows read it from the sheet: while a column is drawn wider, none of them is drawn anew.
  const sheet: CSSProperties & Record<'--columns', string> = {
    '--columns': `${selection ? `${checkWidth}px ` : ''}${tracksOf(shown, sizes, needed)}${end > 0 ? ` ${end}px` : ''}`,
    minWidth: leastWidth(shown, sizes, needed) + beside,
  }
  const onResize = (columnId: string, width: number) => {
    const column = columns.find((one) => one.id === columnId)
    if (column) setSizes({ ...sizes, [columnId]: fitting(column, width) })
  }
  const onReset = (columnId: string) => {
    const { [columnId]: _, ...others } = sizes
    setSizes(others)
  }
  return { columns, sizes, sheet, onResize, onReset }
}

/** Rows drawn beyond each edge: a page that has just come shows first what is in sight. */
function useOverscan(): number {
  const [overscan, setOverscan] = useState(2)
  useEffect(() => {
    const timer = setTimeout(() => setOverscan(12), 200)
    return () => clearTimeout(timer)
  }, [])
  return overscan
}

/** Where the keyboard stands; follows the marked row, and the same row when rows arrive above it. */
function useCursor<Row>({ rows, rowKey, activeKey, onActiveChange }: DataTableProps<Row>) {
  const [key, setKey] = useState<string | number | null>(null)
  const current = key ?? activeKey ?? null
  const index = useMemo(
    () => (current === null ? -1 : rows.findIndex((row) => rowKey(row) === current)),
    [rows, rowKey, current],
  )
  useEffect(() => {
    if (activeKey !== undefined && activeKey !== null) setKey(activeKey)
  }, [activeKey])
  const moveTo = (next: number) => {
    const row = rows[Math.max(0, Math.min(next, rows.length - 1))]
    if (row === undefined) return
    setKey(rowKey(row))
    onActiveChange?.(row)
  }
  return { index, moveTo }
}

const rowAt = (target: EventTarget) => (target instanceof Element ? target.closest<HTMLElement>('[data-row]') : null)

function cursorTarget(key: string, index: number, page: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
    case 'j':
      return index + 1
    case 'ArrowUp':
    case 'k':
      return index < 0 ? 0 : index - 1
    case 'PageDown':
      return index + page
    case 'PageUp':
      return index - page
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return undefined
  }
}

function Below({
  error,
  onRetry,
  loadingMore,
  hasMore,
}: Pick<DataTableProps<unknown>, 'error' | 'onRetry' | 'loadingMore' | 'hasMore'>) {
  const { t } = useTranslation()
  if (error) {
    return (
      <div className={classes.below} role="alert">
        {t('table.failedMore')} {error.message}{' '}
        <button type="button" className={classes.link} onClick={onRetry}>
          {t('error.retry')}
        </button>
      </div>
    )
  }
  return loadingMore || hasMore ? <div className={classes.below}>{t('table.loadingMore')}</div> : null
}

function Skeleton({ columns, rows }: { columns: readonly TableColumn<never>[]; rows: number }) {
  return (
    <div aria-hidden>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className={classes.row}>
          {columns.map((column, index) => (
            <div key={column.id} className={classes.cell}>
              <span className={classes.skeleton} style={{ width: `${30 + ((row * 37 + index * 53) % 50)}%` }} />
            </div>
          ))}
        </div>
      ))}
    </div>
  )
}

/**
 * The one table: virtual rows of 28 px (more where a column wraps), columns that resize and remember, arrow keys, Enter to open, space to select.
 * Rows keep their place while more arrive.
 */
export function DataTable<Row>(props: DataTableProps<Row>): ReactNode {
  const { rows, rowKey, selection, loading, empty, error, hasMore, onMore, height } = props
  const baseId = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const { needs, measure } = useColumnNeeds(scroller, props.id)
  const { columns, sizes, sheet, onResize, onReset } = useColumnSizes(props, useRoom(scroller), needs)
  const { index: cursor, moveTo } = useCursor(props)
  const overscan = useOverscan()
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan,
    indexAttribute: 'data-row',
    // Drawn in a turn of its own, a fast scroll keeps its frames: what is drawn beyond the edges hides the difference.
    useFlushSync: false,
    getItemKey: (index) => {
      const row = rows[index]
      return row === undefined ? index : rowKey(row)
    },
  })
  const measured = columns.some(({ wraps }) => wraps) ? virtual.measureElement : undefined
  const items = virtual.getVirtualItems()
  const lastShown = items.at(-1)?.index ?? 0
  const isStill = items.length > 0 && !virtual.isScrolling
  useLayoutEffect(() => (isStill ? measure(columns) : undefined), [isStill, measure, columns, rows])
  useEffect(() => {
    if (hasMore && !props.loadingMore && !error && rows.length > 0 && lastShown >= rows.length - 20) onMore?.()
  }, [hasMore, props.loadingMore, error, lastShown, rows.length, onMore])

  const navigate = useNavigate()
  const open = (row: Row | undefined) => {
    if (row === undefined) return
    if (props.onOpen) props.onOpen(row)
    else if (props.rowHref) void navigate(props.rowHref(row))
  }
  const { toggle, extend } = useSelecting(props)
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.target !== event.currentTarget || event.altKey) return
    if (event.ctrlKey || event.metaKey) {
      if (event.key !== 'a' || !selection) return
      selection.onChange(new Set(rows.map((row) => String(rowKey(row)))))
      event.preventDefault()
      return
    }
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 400) / rowHeight) - 2)
    const next = cursorTarget(event.key, cursor, page, rows.length)
    if (next !== undefined) {
      if (event.shiftKey && cursor >= 0) extend(cursor, Math.max(0, Math.min(next, rows.length - 1)))
      moveTo(next)
      virtual.scrollToIndex(Math.max(0, Math.min(next, rows.length - 1)), { align: 'auto' })
    } else if (event.key === 'Enter') open(rows[cursor])
    else if (event.key === ' ' && selection) toggle(rows[cursor])
    else if (event.key === 'Escape' && selection && selection.selected.size > 0) selection.onChange(new Set())
    else if ((event.key === 'F10' && event.shiftKey) || event.key === 'ContextMenu') openMenu(cursor)
    else return
    event.preventDefault()
  }
  /** Below the row's button, or below the row; in sight where a wide table has the button beyond its edge. */
  const openMenu = (index: number) => {
    const row = rows[index]
    const drawn = scroller.current?.querySelector(`[data-row="${index}"]`)
    const place = (drawn?.querySelector('[data-menu]') ?? drawn)?.getBoundingClientRect()
    const edge = (scroller.current?.getBoundingClientRect().right ?? 0) - menuWidth
    if (row !== undefined && place) props.onMenu?.(row, Math.min(place.left + 8, edge), place.bottom)
  }
  const onContextMenu = (event: React.MouseEvent) => {
    const pointed = rowAt(event.target)
    // What is marked in a row, and links, have the browser's own menu with Shift.
    if (!pointed || !props.onMenu || event.shiftKey) return
    const index = Number(pointed.dataset.row)
    const row = rows[index]
    if (row === undefined) return
    event.preventDefault()
    moveTo(index)
    // A key opens it at no place: below the row then.
    if (event.clientX === 0 && event.clientY === 0) openMenu(index)
    else props.onMenu(row, event.clientX, event.clientY)
  }
  const onClick = (event: React.MouseEvent) => {
    const { target } = event
    const clicked = rowAt(target)
    if (clicked && target instanceof Element && target.closest('[data-menu]')) {
      openMenu(Number(clicked.dataset.row))
      return
    }
    if (clicked && event.shiftKey && selection && !(target instanceof Element && target.closest('button, input'))) {
      event.preventDefault()
      extend(Math.max(0, cursor), Number(clicked.dataset.row))
      moveTo(Number(clicked.dataset.row))
      return
    }
    // Buttons, boxes, and links in a row act by themselves; the row's own link navigates by itself.
    if (!clicked || (target instanceof Element && target.closest('button, label, input, a:not([data-row-link])')))
      return
    const index = Number(clicked.dataset.row)
    moveTo(index)
    if (!props.rowHref) open(rows[index])
  }
  const nothing = rows.length === 0 && !loading
  // A failure stands in the middle of the room, as that of a page does.
  const fits = props.fits && !(nothing && error)
  return (
    <div
      ref={scroller}
      className={classes.table}
      data-fits={fits || undefined}
      style={height === undefined ? undefined : { height, flex: 'none' }}
      onClick={onClick}
      onContextMenu={onContextMenu}
      onMouseMove={showCellTitle}
      role="presentation"
    >
      <div
        className={classes.sheet}
        style={sheet}
        role="grid"
        aria-label={props.label}
        aria-rowcount={hasMore ? -1 : rows.length + 1}
        aria-colcount={columns.length}
        aria-activedescendant={cursor >= 0 ? `${baseId}-${cursor}` : undefined}
        aria-busy={loading || props.refreshing || undefined}
        tabIndex={0}
        onKeyDown={onKeyDown}
      >
        <DataTableHeader {...props} columns={columns} sizes={sizes} onResize={onResize} onReset={onReset} />
        {loading && rows.length === 0 ? <Skeleton columns={columns} rows={props.fits ? 3 : skeletonRows} /> : null}
        <div className={classes.rows} style={{ height: virtual.getTotalSize() }} role="rowgroup">
          {items.map((item) => {
            const row = rows[item.index]
            if (row === undefined) return null
            return (
              <DataTableRow
                key={item.key}
                row={row}
                index={item.index}
                offset={item.start}
                measured={measured}
                id={`${baseId}-${item.index}`}
                columns={columns}
                href={props.rowHref?.(row)}
                opens={Boolean(props.onOpen ?? props.rowHref)}
                active={item.index === cursor}
                muted={props.isMuted?.(row) ?? false}
                selected={selection?.selected.has(String(rowKey(row)))}
                menu={props.onMenu !== undefined}
                onToggle={toggle}
              />
            )
          })}
        </div>
      </div>
      {rows.length > 0 ? (
        <Below error={error} onRetry={props.onRetry} loadingMore={props.loadingMore} hasMore={hasMore} />
      ) : null}
      {nothing ? (
        <div className={classes.nothing}>
          {error ? <ErrorState error={error} onRetry={props.onRetry} what={props.what ?? 'this'} /> : empty}
        </div>
      ) : null}
    </div>
  )
}
