import { useEffect, useLayoutEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { useShortcutOf } from '../commands/commands.ts'
import classes from './Hint.module.css'
import { watchHints } from './hint-watch.ts'
import { type HintSide, placeHint } from './hint.rules.ts'
import { Kbd } from './Kbd.tsx'

interface Shown {
  anchor: HTMLElement
  label: string | undefined
  command: string | undefined
  side: HintSide
}

const sides: readonly HintSide[] = ['bottom', 'left', 'right', 'top']

function readHint(anchor: HTMLElement): Shown {
  const { hint, hintCommand, hintSide } = anchor.dataset
  return { anchor, label: hint, command: hintCommand, side: sides.find((side) => side === hintSide) ?? 'bottom' }
}

/** In the top layer, wherever it stands in the document: nothing cuts it or lies over it. */
function makeTip(): HTMLElement {
  const tip = document.createElement('div')
  tip.id = 'hg-hint'
  tip.role = 'tooltip'
  tip.popover = 'manual'
  tip.className = classes.hint ?? ''
  return tip
}

function standBeside(tip: HTMLElement, anchor: HTMLElement, side: HintSide): void {
  const room = { width: document.documentElement.clientWidth, height: document.documentElement.clientHeight }
  const { left, top } = placeHint(anchor.getBoundingClientRect(), tip.getBoundingClientRect(), room, side)
  tip.style.left = `${left}px`
  tip.style.top = `${top}px`
}

/** The one tooltip of the window. It stands in the landmark of its control, so that those who cannot see it find it there. */
export function HintLayer() {
  const [tip] = useState(makeTip)
  const [shown, setShown] = useState<Shown | null>(null)
  const keys = useShortcutOf(shown?.command)
  useEffect(() => watchHints(tip, (anchor) => setShown(anchor && readHint(anchor))), [tip])
  const hasText = shown !== null && Boolean(shown.label ?? keys)
  useLayoutEffect(() => {
    // Its control may have gone in this very drawing.
    if (!hasText || !shown?.anchor.isConnected) return
    const { anchor, label, side } = shown
    const home = anchor.closest('[role="dialog"], main, nav') ?? document.body
    home.append(tip)
    tip.showPopover()
    standBeside(tip, anchor, side)
    // Its name alone need not be heard twice.
    const more = keys !== undefined || label !== (anchor.getAttribute('aria-label') ?? anchor.textContent)
    const describes = more && !anchor.hasAttribute('aria-describedby')
    if (describes) anchor.setAttribute('aria-describedby', tip.id)
    return () => {
      tip.remove()
      if (describes) anchor.removeAttribute('aria-describedby')
    }
  }, [tip, shown, hasText, keys])
  return createPortal(
    hasText ? (
      <>
        {shown.label}
        {keys ? <Kbd keys={keys} /> : null}
      </>
    ) : null,
    tip,
  )
}
