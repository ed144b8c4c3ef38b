/** So many places that had the focus are remembered. */
const most = 12
/** The dialog gives the focus back by itself where it can: first it has its turn. */
const turnMs = 30

/** Over everything else, while it is there. */
const topDialog = () => [...document.querySelectorAll<HTMLElement>('[role="dialog"][aria-modal="true"]')].at(-1)

/**
 * A dialog that goes takes the focus with it when it was taken out rather than closed, or had the focus before it knew who had it. Then the
 * keyboard would begin at the top of the window. It goes on at what had it last and is still there, or at the head of the page.
 */
export function bringFocusHome(): void {
  let trail: HTMLElement[] = []
  let watched: Element | null = null
  const gone = new MutationObserver(() => {
    if (watched?.isConnected) return
    gone.disconnect()
    watched = null
    setTimeout(recover, turnMs)
  })

  function recover() {
    const { activeElement: focused } = document
    if (focused !== null && focused !== document.body) return
    const dialog = topDialog()
    const heads = dialog
      ? [dialog.querySelector<HTMLElement>('[data-autofocus]'), dialog]
      : [document.querySelector<HTMLElement>('main h1')]
    // What is gone, hidden or disabled does not take it; then it is the turn of the one before.
    for (const one of [...trail.toReversed().filter((had) => dialog?.contains(had) ?? true), ...heads]) {
      one?.focus({ preventScroll: true })
      if (document.activeElement !== document.body) return
    }
  }

  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement)) return
    trail = [...trail.filter((one) => one !== target && one.isConnected), target].slice(-most)
    const dialog = target.closest('[role="dialog"][aria-modal="true"]')
    if (dialog === null || dialog === watched) return
    gone.disconnect()
    watched = dialog
    // Whichever of them is taken out.
    for (let above = dialog.parentElement; above; above = above.parentElement) gone.observe(above, { childList: true })
  })
}
