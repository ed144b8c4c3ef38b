import { reaches } from './hint.rules.ts'

/** So long the pointer or the keyboard rests on a control before its tooltip comes. */
const patience = 350

/** A control that says more in a title of its own has that one alone. */
function hintedAt(target: EventTarget | null): HTMLElement | null {
  const found = target instanceof Element ? target.closest<HTMLElement>('[data-hint], [data-hint-command]') : null
  return found?.title === '' ? found : null
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
    if (!turn?.isConnected) leave()
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
    else timer = setTimeout(() => (anchor.isConnected ? begin() : leave()), patience)
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
    () => {
      if (by !== 'focus') return
      silent = null
      leave()
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
      if (event.key !== 'Escape' || !open) return
      event.preventDefault()
      event.stopImmediatePropagation()
      dismiss()
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
