import { notifications } from '@mantine/notifications'
import {
  type KeyboardEvent,
  type PointerEvent,
  useCallback,
  useEffect,
  useEffectEvent,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { useTranslation } from 'react-i18next'
import { copyText } from '../copy-text.ts'
import { numberText } from '../format.ts'
import type { Point } from '../PointMenu.tsx'
import { scrollTopOf, viewportOf } from '../row-viewport.ts'
import { useScrollPlace } from '../use-scroll-place.ts'
import { type CopyFormat, copied } from './copy.rules.ts'
import { columnsIn } from './columns.rules.ts'
import classes from './DataGrid.module.css'
import { GridCell } from './GridCell.tsx'
import type { DataGridProps, GridEdits } from './grid.types.ts'
import { GridHeader } from './GridHeader.tsx'
import { GridMenu } from './GridMenu.tsx'
import {
  type GridPlace,
  type GridRange,
  type GridSelection,
  at,
  holds,
  moved,
  rangeOf,
  rowsSelected,
} from './selection.rules.ts'
import { useColumns } from './use-columns.ts'

const rowHeight = 24
const headerHeight = 28
/** Copies of more cells would freeze the window: that is what exports are for. */
const mostCopied = 200_000

/** A grid for data: rows and columns are drawn as they come into sight, whatever their number. */
export function DataGrid({
  label,
  fields,
  rows,
  table,
  dialect,
  onOpenCell,
  onHead,
  sorting,
  onProfile,
  links,
  isMatch,
  edits,
  ref,
}: DataGridProps) {
  const { t } = useTranslation()
  const id = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const [place, look] = useScrollPlace(scroller)
  const [selection, setSelection] = useState<GridSelection | null>(null)
  const [menu, setMenu] = useState<Point | null>(null)
  const dragging = useRef(false)
  const { columns, fit, ...columnActions } = useColumns(fields, rows, links)
  const { order, pinned, shown: widths, edges } = columns
  const gutter = Math.max(44, String(rows.count).length * 8 + 20)
  const pinnedWidth = edges[pinned] ?? 0
  const total = gutter + (edges.at(-1) ?? 0)
  const bodyHeight = Math.max(0, place.height - headerHeight)
  const view = viewportOf(place.top, bodyHeight, rows.count, rowHeight)
  const [firstSeen, lastSeen] = columnsIn(edges, place.left + pinnedWidth, place.width - gutter - pinnedWidth)
  const first = Math.max(pinned, firstSeen)
  const end = Math.max(first, lastSeen)
  const last = view.first + view.count - 1
  const range = selection && rangeOf(selection)

  const head = selection?.head
  const onMoved = useEffectEvent(({ row, column }: GridPlace) => onHead?.({ row, column: order[column] ?? 0 }))
  useEffect(() => {
    if (head) onMoved(head)
  }, [head])
  useLayoutEffect(() => {
    if (view.count > 0) rows.want(view.first, last)
  }, [rows, view.first, view.count, last])

  const reveal = useCallback(
    ({ row, column }: GridPlace) => {
      const element = scroller.current
      if (!element) return
      const height = element.clientHeight - headerHeight
      const [low, high] = [1, 0].map((share) => scrollTopOf(row, height, rows.count, share, rowHeight))
      element.scrollTop = Math.max(low ?? 0, Math.min(element.scrollTop, high ?? 0))
      if (column < pinned) return
      const room = element.clientWidth - gutter
      const [left, right] = [edges[column] ?? 0, edges[column + 1] ?? 0]
      if (left - pinnedWidth < element.scrollLeft) element.scrollLeft = left - pinnedWidth
      else if (right - element.scrollLeft > room) element.scrollLeft = right - room
    },
    [rows.count, edges, pinned, pinnedWidth, gutter],
  )
  const select = (next: GridSelection) => {
    setSelection(next)
    reveal(next.head)
  }

  useImperativeHandle(ref, () => ({
    show(row, field = order[0] ?? 0, focus = true) {
      const element = scroller.current
      if (element)
        element.scrollTop = scrollTopOf(row, element.clientHeight - headerHeight, rows.count, 0.35, rowHeight)
      const column = Math.max(0, order.indexOf(field))
      setSelection(at(row, column))
      reveal({ row, column })
      if (focus) element?.focus({ preventScroll: true })
    },
    focus: () => scroller.current?.focus({ preventScroll: true }),
    deleteRows: () => edits && range && deleteRange(edits, range),
  }))

  async function copy(format: CopyFormat) {
    if (!range) return
    const chosen = order.slice(range.left, range.right + 1)
    if ((range.bottom - range.top + 1) * chosen.length > mostCopied) {
      notifications.show({ color: 'yellow', message: t('grid.copyTooMuch', { most: numberText(mostCopied) }) })
      return
    }
    try {
      const loaded = await rows.load(range.top, range.bottom)
      const chosenFields = chosen.flatMap((index) => fields[index] ?? [])
      const values = loaded.map((row) => chosen.map((index) => row[index]))
      await copyText(copied(format, { fields: chosenFields, rows: values, table, dialect }))
      notifications.show({ message: t('grid.copied', { count: loaded.length }) })
    } catch (error) {
      notifications.show({ color: 'red', message: error instanceof Error ? error.message : String(error) })
    }
  }

  const onKeyDown = (event: KeyboardEvent) => {
    const { key, shiftKey: shift, altKey } = event
    const mod = event.ctrlKey || event.metaKey
    if (altKey) return
    if (mod && key.toLowerCase() === 'c') void copy('tsv')
    else if (edits && !mod && key === 'F2' && selection) edit(selection.head)
    else if (edits && !mod && key === 'Delete' && range) deleteRange(edits, range)
    else if (edits && mod && key.toLowerCase() === 'z') edits.onUndo()
    else if (!mod && (key === 'Enter' || key === ' ') && selection) open(selection.head)
    else if ((key === 'ContextMenu' || (key === 'F10' && shift)) && selection) {
      reveal(selection.head)
      const bounds = scroller.current?.getBoundingClientRect()
      const cell = document.getElementById(`${id}-head`)?.getBoundingClientRect()
      setMenu({
        x: Math.max((bounds?.left ?? 0) + gutter, cell?.left ?? 0),
        y: cell?.bottom ?? (bounds?.top ?? 0) + headerHeight,
      })
    } else {
      const next = moved(
        selection,
        { key, shift, mod },
        { rows: rows.count, columns: order.length, page: Math.max(1, Math.floor(bodyHeight / rowHeight) - 1) },
      )
      if (!next) return
      if (mod && key.toLowerCase() === 'a') setSelection(next)
      else select(next)
    }
    event.preventDefault()
    event.stopPropagation()
  }
  const edit = ({ row, column }: GridPlace) => edits?.onEdit({ row, column: order[column] ?? 0 })
  const open = ({ row, column }: GridPlace) => onOpenCell?.({ row, column: order[column] ?? 0 })

  /** The cell below the pointer; column -1 is the number of the row. */
  function cellAt(target: EventTarget): GridPlace | null {
    const element = target instanceof Element ? target.closest<HTMLElement>('[data-column]') : null
    return element ? { row: Number(element.dataset['row']), column: Number(element.dataset['column']) } : null
  }
  const onPointerDown = (event: PointerEvent) => {
    const cell = cellAt(event.target)
    if (!cell || event.button !== 0 || isFollow(event.target)) return
    scroller.current?.focus({ preventScroll: true })
    if (cell.column < 0) {
      setSelection(rowsSelected(event.shiftKey && selection ? selection.anchor.row : cell.row, cell.row, order.length))
      return
    }
    dragging.current = true
    setSelection(event.shiftKey && selection ? { anchor: selection.anchor, head: cell } : { anchor: cell, head: cell })
  }
  const onPointerMove = (event: PointerEvent) => {
    if (!dragging.current) return
    if (event.buttons === 0) {
      dragging.current = false
      return
    }
    const cell = cellAt(event.target)
    if (cell && cell.column >= 0) setSelection((now) => (now ? { anchor: now.anchor, head: cell } : now))
  }

  const cellsOf = (row: number, from: number, to: number) =>
    order.slice(from, to).map((index, offset) => {
      const column = from + offset
      const field = fields[index]
      if (!field) return null
      const isHead = selection?.head.row === row && selection.head.column === column
      return (
        <GridCell
          key={index}
          id={isHead ? `${id}-head` : undefined}
          row={row}
          column={column}
          width={widths[column] ?? 0}
          type={field.type}
          value={rows.at(row)?.[index]}
          pending={rows.at(row) === undefined}
          linked={links?.isLinked(index) === true && (links.label ?? t('grid.follow'))}
          selected={range !== null && holds(range, row, column)}
          head={isHead}
          changed={edits?.isChanged(row, index) === true}
          fault={edits?.faultOf?.(row, index)}
          fresh={edits?.kindOf(row) === 'insert'}
          match={isMatch?.(row, index) === true}
        />
      )
    })

  return (
    <>
      <div
        ref={scroller}
        className={classes.grid}
        role="grid"
        tabIndex={0}
        aria-label={label}
        aria-rowcount={rows.count + 1}
        aria-colcount={order.length + 1}
        aria-multiselectable
        aria-activedescendant={selection ? `${id}-head` : undefined}
        onScroll={look}
        onKeyDown={onKeyDown}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={() => (dragging.current = false)}
        onClick={(event) => {
          const cell = isFollow(event.target) ? cellAt(event.target) : null
          if (cell)
            links
              ?.of(cell.row, order[cell.column] ?? 0)
              .find(({ back }) => !back)
              ?.follow()
        }}
        onDoubleClick={(event) => {
          const cell = isFollow(event.target) ? null : cellAt(event.target)
          if (cell && cell.column >= 0) open(cell)
        }}
        onContextMenu={(event) => {
          const cell = cellAt(event.target)
          if (!cell) return
          event.preventDefault()
          if (!range || !holds(range, cell.row, Math.max(0, cell.column)))
            setSelection(cell.column < 0 ? rowsSelected(cell.row, cell.row, order.length) : at(cell.row, cell.column))
          setMenu({ x: event.clientX, y: event.clientY })
        }}
      >
        <div className={classes.content} style={{ width: total, height: view.contentHeight + headerHeight }}>
          <GridHeader
            fields={fields}
            columns={columns}
            gutter={gutter}
            sorting={sorting}
            onProfile={onProfile}
            seen={[first, end]}
            {...columnActions}
            onFit={(index) =>
              fit(
                index,
                Array.from({ length: view.count }, (_, row) => rows.at(view.first + row) ?? []),
              )
            }
          />
          <div className={classes.rows} role="rowgroup" style={{ transform: `translateY(${view.offset}px)` }}>
            {Array.from({ length: view.count }, (_, offset) => view.first + offset).map((row) => (
              <div
                key={row}
                className={classes.row}
                role="row"
                aria-rowindex={row + 2}
                data-edit={edits?.kindOf(row)}
                style={{ height: rowHeight }}
              >
                <div className={classes.fixed}>
                  <div
                    className={classes.number}
                    role="rowheader"
                    data-row={row}
                    data-column={-1}
                    style={{ width: gutter }}
                  >
                    <StagedMark kind={edits?.kindOf(row)} />
                    {numberText((rows.numberOf?.(row) ?? row) + 1)}
                  </div>
                  {cellsOf(row, 0, pinned)}
                </div>
                <div style={{ width: (edges[first] ?? 0) - pinnedWidth, flex: 'none' }} />
                {cellsOf(row, first, end)}
              </div>
            ))}
          </div>
        </div>
      </div>
      <GridMenu
        at={menu}
        onClose={() => setMenu(null)}
        onOpen={selection && onOpenCell && links?.label === undefined ? () => open(selection.head) : undefined}
        onProfile={selection && onProfile ? () => onProfile(order[selection.head.column] ?? 0) : undefined}
        links={(selection && links?.of(selection.head.row, order[selection.head.column] ?? 0)) ?? []}
        edits={
          edits && selection && range
            ? { edit: () => edit(selection.head), deleteRows: () => deleteRange(edits, range) }
            : undefined
        }
        onCopy={(format) => void copy(format)}
      />
    </>
  )
}

const isFollow = (target: EventTarget) => target instanceof Element && target.closest('[data-follow]') !== null

const deleteRange = (edits: GridEdits, { top, bottom }: GridRange) =>
  edits.onDelete(Array.from({ length: bottom - top + 1 }, (_, offset) => top + offset))

const marks = { insert: '+', update: '~', delete: '−' } as const

/** A staged row says what becomes of it by more than its color. */
function StagedMark({ kind }: { kind: 'insert' | 'update' | 'delete' | undefined }) {
  const { t } = useTranslation()
  if (!kind) return null
  return (
    <span className={classes.mark} role="img" aria-label={t(`grid.staged.${kind}`)}>
      {marks[kind]}
    </span>
  )
}
