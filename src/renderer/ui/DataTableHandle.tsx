import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './DataTable.module.css'
import { widest } from './column-sizes.rules.ts'

export interface ColumnResizing {
  onResize(columnId: string, width: number): void
  /** Gives the column its first width back. */
  onReset(columnId: string): void
}

interface DataTableHandleProps extends ColumnResizing {
  id: string
  name: string
  /** Pixels, as chosen or given; of a flexible column null. */
  width: number | null
  least: number
  /** All handles are one stop of Tab; arrow keys lead from one to the next. */
  reachable: boolean
  onReached(columnId: string): void
}

const step = 8
const bigStep = 40

/** As wide as the column is drawn. */
const drawn = (handle: HTMLElement) => handle.parentElement?.offsetWidth ?? 0

/** Puts the keyboard on the handle of the column before or after. */
function goTo(handle: HTMLElement, by: 1 | -1): void {
  const all = [...(handle.closest('[role="row"]')?.querySelectorAll<HTMLElement>('[role="separator"]') ?? [])]
  all[all.indexOf(handle) + by]?.focus()
}

/** The right edge of a column: dragged, or moved by arrow keys; a double click or Enter gives the first width back. */
export function DataTableHandle(props: DataTableHandleProps) {
  const { id, name, width, least, reachable, onResize, onReset, onReached } = props
  const { t } = useTranslation()
  const [drag, setDrag] = useState<{ from: number; width: number } | null>(null)
  const [seen, setSeen] = useState(least)
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return
    event.preventDefault()
    event.currentTarget.setPointerCapture(event.pointerId)
    setDrag({ from: event.clientX, width: drawn(event.currentTarget) })
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const handle = event.currentTarget
    const by = event.shiftKey ? bigStep : step
    const deeds: Readonly<Record<string, () => void>> = {
      ArrowLeft: () => onResize(id, drawn(handle) - by),
      ArrowRight: () => onResize(id, drawn(handle) + by),
      ArrowUp: () => goTo(handle, -1),
      ArrowDown: () => goTo(handle, 1),
      Enter: () => onReset(id),
    }
    const deed = deeds[event.key]
    if (!deed) return
    event.preventDefault()
    deed()
  }
  return (
    // A separator that is focusable and moves is a widget: the pattern's own role.
    <span
      role="separator"
      tabIndex={reachable ? 0 : -1}
      aria-orientation="vertical"
      aria-label={t('table.resize', { name })}
      aria-valuenow={width ?? seen}
      aria-valuemin={least}
      aria-valuemax={widest}
      className={classes.handle}
      data-active={drag !== null || undefined}
      title={t('table.resizeHow')}
      onPointerDown={onPointerDown}
      onPointerMove={(event) => drag && onResize(id, drag.width + event.clientX - drag.from)}
      onPointerUp={() => setDrag(null)}
      onPointerCancel={() => setDrag(null)}
      onDoubleClick={() => onReset(id)}
      onFocus={(event) => {
        setSeen(drawn(event.currentTarget))
        onReached(id)
      }}
      onKeyDown={onKeyDown}
    />
  )
}
