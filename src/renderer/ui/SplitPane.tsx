import { useLocalStorage } from '@mantine/hooks'
import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './SplitPane.module.css'
import { splitKey } from './layout-memory.ts'

export interface SplitPaneProps {
  /** Remembers the division under this name. */
  id: string
  /** `horizontal`: side by side. */
  direction?: 'horizontal' | 'vertical'
  /** Share of the first pane, 0 to 1; `content`: as much as what is in it needs, within reason. */
  initial?: number | 'content'
  /** Pixels that neither pane goes below. */
  minSize?: number
  /** Without the second, the first takes all the room, and stays what it is when the second comes. */
  children: [ReactNode, ReactNode | null]
}

/** Share of a pane that is as large as what is in it, at most. */
const mostContent = 0.4

const clamp = (value: number, low: number, high: number) => Math.min(Math.max(value, low), Math.max(low, high))

/** Two panes with a divider that is dragged, moved by arrow keys, and reset by a double click or Enter. */
export function SplitPane({ id, direction = 'horizontal', initial = 0.5, minSize = 200, children }: SplitPaneProps) {
  const { t } = useTranslation()
  const [kept, store, forget] = useLocalStorage<number | null>({
    key: splitKey(id),
    defaultValue: null,
    getInitialValueInEffect: false,
  })
  // Until someone moves it, the divider follows what the page proposes.
  const stored = kept ?? (initial === 'content' ? mostContent : initial)
  const [dragged, setDragged] = useState<number | null>(null)
  const box = useRef<HTMLDivElement>(null)
  const share = dragged ?? stored
  const row = direction === 'horizontal'
  const follows = kept === null && dragged === null && initial === 'content'
  /** Share of the first pane as it is drawn. */
  const drawn = () => {
    const pane = box.current?.firstElementChild
    if (!follows || !box.current || !pane) return stored
    return row ? pane.clientWidth / box.current.clientWidth : pane.clientHeight / box.current.clientHeight
  }

  const limit = (next: number) => {
    const size = (row ? box.current?.clientWidth : box.current?.clientHeight) ?? 1
    const least = Math.min(0.45, minSize / size)
    return clamp(next, least, 1 - least)
  }
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    event.preventDefault()
    event.currentTarget.setPointerCapture(event.pointerId)
    event.currentTarget.focus()
    setDragged(drawn())
  }
  const onPointerMove = (event: PointerEvent) => {
    const bounds = box.current?.getBoundingClientRect()
    if (dragged === null || !bounds) return
    setDragged(limit(row ? (event.clientX - bounds.left) / bounds.width : (event.clientY - bounds.top) / bounds.height))
  }
  const drop = () => {
    if (dragged !== null) store(dragged)
    setDragged(null)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // Ctrl-Enter is a command of the page.
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const steps: Record<string, number> = { ArrowLeft: -0.02, ArrowUp: -0.02, ArrowRight: 0.02, ArrowDown: 0.02 }
    const step = steps[event.key]
    if (step === undefined && event.key !== 'Enter') return
    event.preventDefault()
    if (step === undefined) forget()
    else store(limit(drawn() + step))
  }
  return (
    <div ref={box} className={classes.split} data-direction={direction}>
      <div
        className={classes.pane}
        style={
          children[1] === null
            ? { flex: '1 1 auto' }
            : follows
              ? { flex: 'none', [row ? 'maxWidth' : 'maxHeight']: `${mostContent * 100}%` }
              : { flex: `${share} 1 0px`, [row ? 'minWidth' : 'minHeight']: minSize }
        }
      >
        {children[0]}
      </div>
      {children[1] === null ? null : (
        <>
          {/* A separator that is focusable and moves is a widget: the pattern's own role. */}
          <div
            className={classes.divider}
            role="separator"
            tabIndex={0}
            aria-label={t('resizePanes')}
            aria-orientation={row ? 'vertical' : 'horizontal'}
            aria-valuenow={Math.round(share * 100)}
            aria-valuemin={0}
            aria-valuemax={100}
            data-dragging={dragged !== null || undefined}
            onPointerDown={onPointerDown}
            onPointerMove={onPointerMove}
            onPointerUp={drop}
            onPointerCancel={drop}
            onDoubleClick={forget}
            onKeyDown={onKeyDown}
          />
          <div
            className={classes.pane}
            // Beside a pane as large as what is in it, all that is left: shares below 1 would leave room empty.
            style={{ flex: follows ? '1 1 0px' : `${1 - share} 1 0px`, [row ? 'minWidth' : 'minHeight']: minSize }}
          >
            {children[1]}
          </div>
        </>
      )}
    </div>
  )
}
