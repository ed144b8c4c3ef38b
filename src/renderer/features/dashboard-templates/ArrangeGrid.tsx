import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { FilterValue, Placement, Widget } from '../../../language/dashboard/dashboard.types.ts'
import { GRID_COLUMNS } from '../../../language/dashboard/limits.ts'
import { placeOf } from '../dashboards/DashboardGrid.tsx'
import { titleOf } from '../dashboards/WidgetFrame.tsx'
import dashboards from '../dashboards/dashboards.module.css'
import { LiveWidget } from './LiveWidget.tsx'
import classes from './dashboard-templates.module.css'
import { type Direction, dragged, inTheWay, moved, placed, resized, rowsDragged } from './placement.rules.ts'
import type { Arrange } from './use-arrange.ts'
import type { LiveData } from './use-live-data.ts'

interface ArrangeGridProps {
  widgets: readonly Widget[]
  data: LiveData | null
  selected: string | null
  /** `open`: the text is where the keyboard goes. */
  onSelect(id: string, open: boolean): void
  /** Absent where widgets stay where they are. */
  arrange: Arrange | undefined
  onRemove(id: string): void
  onUndo(back: boolean): void
  onFilter(name: string, value: FilterValue): void
  /** The widget that is used instead of arranged. */
  tried: string | null
  onStopTrying(): void
}

interface Drag {
  id: string
  how: 'move' | 'size'
  from: Placement
  at: Placement
  /** How far it was dragged. */
  columns: number
  rows: number
  /** Where the pointer was, from the corner of the grid. */
  x: number
  y: number
}

const directions: Readonly<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
}
/** As in the style of the grid, whose rows are higher where a widget needs it. */
const gap = 8
const rowHeight = 72

/** The widgets at their places: chosen, moved, and resized by pointer and by keys. What they show is only looked at, but for the one that is tried. */
export function ArrangeGrid(props: ArrangeGridProps) {
  const { widgets, data, selected, onSelect, arrange, onRemove, onUndo, onFilter, tried, onStopTrying } = props
  const { t } = useTranslation('dashboardTemplates')
  const grid = useRef<HTMLDivElement>(null)
  const [drag, setDrag] = useState<Drag | null>(null)
  const wasDragged = useRef(false)
  useEffect(() => {
    const content = grid.current?.querySelector<HTMLElement>('[data-tried]')
    if (tried === null || !content) return
    content.querySelector('input')?.focus()
    const leave = (event: globalThis.KeyboardEvent) => {
      // An open list of options is closed first.
      if (event.key !== 'Escape' || (event.target as Element).getAttribute('aria-expanded') === 'true') return
      event.stopPropagation()
      onStopTrying()
    }
    content.addEventListener('keydown', leave)
    return () => content.removeEventListener('keydown', leave)
  }, [tried, onStopTrying])
  useEffect(() => {
    const chosen = grid.current?.querySelector(`[data-widget="${selected ?? ''}"]`)
    if (chosen && chosen !== document.activeElement) chosen.scrollIntoView({ block: 'nearest' })
  }, [selected])

  const pointIn = ({ clientX, clientY }: PointerEvent) => {
    const { left = 0, top = 0 } = grid.current?.getBoundingClientRect() ?? {}
    return { x: clientX - left, y: clientY - top }
  }
  const begin = (event: PointerEvent, { id, at }: Widget, how: Drag['how']) => {
    wasDragged.current = false
    if (!arrange || event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    setDrag({ id, how, from: at, at, columns: 0, rows: 0, ...pointIn(event) })
  }
  const follow = (event: PointerEvent) => {
    if (!drag || !grid.current) return
    const { x, y } = pointIn(event)
    const { offsetWidth } = grid.current
    const columns = Math.round((x - drag.x) / ((offsetWidth - gap) / GRID_COLUMNS))
    const [, top, , height] = drag.from
    const heights = getComputedStyle(grid.current).gridTemplateRows.split(' ').map(Number.parseFloat)
    const row = drag.how === 'move' ? top : top + height
    const rows = rowsDragged(row, y - drag.y, (at) => (heights[at] ?? rowHeight) + gap)
    const at = dragged(drag.from, drag.how, columns, rows)
    if (at.join() === drag.at.join()) return
    wasDragged.current = true
    setDrag({ ...drag, at, columns, rows })
  }
  const drop = () => {
    if (!drag) return
    setDrag(null)
    const { id, how, columns, rows } = drag
    if (drag.at.join() === drag.from.join()) return
    // From where the text has it, which may have changed since the grid was drawn.
    arrange?.(id, (at, others) => placed(dragged(at, how, columns, rows), others))
  }
  const cancel = () => setDrag(null)
  const keysOf =
    ({ id }: Widget) =>
    (event: KeyboardEvent) => {
      const direction = directions[event.key]
      const isMod = event.ctrlKey || event.metaKey
      if (event.key === 'Escape' && drag) cancel()
      else if (event.key === 'Enter' && !isMod) onSelect(id, true)
      else if (arrange && (event.key === 'Delete' || event.key === 'Backspace') && !isMod) onRemove(id)
      else if (arrange && isMod && event.key.toLowerCase() === 'z') onUndo(!event.shiftKey)
      else if (arrange && direction && !isMod && !event.altKey) {
        const change = event.shiftKey ? resized : moved
        arrange(id, (at, others) => change(at, direction, others))
      } else return
      event.preventDefault()
      event.stopPropagation()
    }
  const others = drag ? widgets.filter((one) => one.id !== drag.id) : []
  const pointer = { onPointerMove: follow, onPointerUp: drop, onPointerCancel: cancel }
  return (
    <div ref={grid} className={`${dashboards.grid} ${classes.grid}`} role="group" aria-label={t('live.widgets')}>
      {widgets.map((widget) => {
        const [x, y, w, h] = widget.at
        const isTried = widget.id === tried
        return (
          <div
            key={widget.id}
            className={`${dashboards.place} ${classes.place}`}
            style={placeOf(widget.at)}
            data-type={widget.type}
            data-low={h === 1 || undefined}
            data-selected={widget.id === selected || undefined}
            data-tried={isTried || undefined}
            data-dragged={widget.id === drag?.id || undefined}
          >
            <div inert={!isTried} className={classes.content}>
              <LiveWidget widget={widget} data={data} onFilter={onFilter} />
            </div>
            {isTried ? null : (
              <button
                type="button"
                className={classes.handle}
                data-widget={widget.id}
                data-fixed={arrange ? undefined : true}
                aria-pressed={widget.id === selected}
                aria-label={t('arrange.place', {
                  title: titleOf(widget),
                  type: t(`types.${widget.type}`),
                  column: x + 1,
                  row: y + 1,
                  width: w,
                  height: h,
                })}
                aria-describedby={arrange && widget.id === selected ? 'dashboard-arrange-keys' : undefined}
                onFocus={() => onSelect(widget.id, false)}
                onClick={() => !wasDragged.current && onSelect(widget.id, false)}
                onKeyDown={keysOf(widget)}
                onPointerDown={(event) => begin(event, widget, 'move')}
                {...pointer}
              />
            )}
            {arrange && !isTried ? (
              <span
                className={classes.corner}
                aria-hidden
                onPointerDown={(event) => begin(event, widget, 'size')}
                {...pointer}
              />
            ) : null}
          </div>
        )
      })}
      {drag ? (
        <div
          className={classes.ghost}
          style={placeOf(drag.at)}
          data-overlaps={inTheWay(drag.at, others) ? true : undefined}
        />
      ) : null}
    </div>
  )
}
