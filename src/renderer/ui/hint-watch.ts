import { findCommand } from '../commands/commands.ts'
import { reaches } from './hint.rules.ts'

/** So long the pointer or the keyboard rests on a control before its tooltip comes. */
const patience = 350

/** A control that says more in a title of its own has that one alone. */
function hintedAt(target: EventTarget | null): HTMLElement | null {
  const found = target instanceof Element ? target.closest<HTMLElement>('[data-hint], [data-hint-command]') : null
  return found?.title === '' ? found : null
}

/** A dialog has come over it, by its shortcut for one. */
function isCovered(control: Element | null): boolean {
  const dialog = [...document.querySelectorAll('[role="dialog"][aria-modal="true"]')].at(-1)
  return dialog !== undefined && !dialog.contains(control)
}

/**
 * Finds out whose tooltip is to be shown, by pointer or by keyboard, for the whole window at once. It goes by Escape (which then does nothing
 * else), by use of the control, when the control moves or is taken away; the pointer may go onto it. `tip` lets the pointer through.
 */
export function watchHints(tip: HTMLElement, show: (anchor: HTMLElement | null) => void): () => void {
  const off = new AbortController()
  const { signal } = off
  /** Whose turn it is: shown, or soon. */
  let turn: HTMLElement | null = null
  let by: 'pointer' | 'focus' = 'pointer'
  let open = false
  /** Pressed or dismissed: says nothing until pointer or keyboard have been elsewhere. */
  let silent: HTMLElement | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let at = { x: Number.NaN, y: Number.NaN }

  const changes = new MutationObserver((records) => {
    if (!turn?.isConnected || isCovered(turn)) leave()
    else if (records.some((record) => record.type === 'attributes' && record.target === turn)) show(turn)
  })
  function leave() {
    clearTimeout(timer)
    turn = null
    if (!open) return
    open = false
    changes.disconnect()
    show(null)
  }
  const dismiss = () => {
    silent = turn
    leave()
  }
  const begin = () => {
    if (!turn?.isConnected || isCovered(turn)) return leave()
    open = true
    changes.observe(document.body, { childList: true, subtree: true, attributeFilter: ['data-hint'] })
    show(turn)
  }
  const turnTo = (anchor: HTMLElement, how: typeof by) => {
    if (anchor === turn || anchor === silent) return
    // From one to the next there is nothing to wait for.
    const soon = open
    leave()
    turn = anchor
    by = how
    if (soon) begin()
    else timer = setTimeout(begin, patience)
  }

  document.addEventListener(
    'pointermove',
    ({ target, clientX: x, clientY: y, pointerType }) => {
      // A page that changes under a pointer at rest asks for nothing.
      if (pointerType === 'touch' || (at.x === x && at.y === y)) return
      at = { x, y }
      const anchor = hintedAt(target)
      if (silent !== anchor) silent = null
      if (open && anchor !== turn && reaches(tip.getBoundingClientRect(), x, y)) return
      if (anchor) turnTo(anchor, 'pointer')
      else if (by === 'pointer') leave()
    },
    { signal, passive: true },
  )
  document.documentElement.addEventListener('pointerleave', () => by === 'pointer' && leave(), { signal })
  document.addEventListener(
    'focusin',
    ({ target }) => {
      const anchor = hintedAt(target)
      if (anchor?.matches(':focus-visible')) turnTo(anchor, 'focus')
    },
    { signal },
  )
  document.addEventListener(
    'focusout',
    ({ target }) => {
      if (target instanceof Node && silent?.contains(target)) silent = null
      if (by === 'focus') leave()
    },
    { signal },
  )
  document.addEventListener(
    'pointerdown',
    ({ target }) => {
      const pressed = hintedAt(target)
      if (pressed?.dataset.hintStays) return
      leave()
      silent = pressed
    },
    { signal, capture: true },
  )
  // Before every other listener: what lies behind, a dialog for one, stays as it is.
  globalThis.addEventListener(
    'keydown',
    (event) => {
      if ((event.key === 'Enter' || event.key === ' ') && !turn?.dataset.hintStays) dismiss()
      if (event.key !== 'Escape' || !tip.matches(':popover-open')) return
      // The very key that the tooltip tells of does what it says.
      const own = findCommand(turn?.dataset.hintCommand ?? '')?.shortcut === 'Escape'
      dismiss()
      if (own) return
      event.preventDefault()
      event.stopImmediatePropagation()
    },
    { signal, capture: true },
  )
  document.addEventListener(
    'scroll',
    ({ target }) => {
      if (open && target instanceof Node && target.contains(turn)) leave()
    },
    { signal, capture: true, passive: true },
  )
  globalThis.addEventListener('resize', leave, { signal })
  globalThis.addEventListener('blur', leave, { signal })
  return () => {
    leave()
    off.abort()
  }
}
