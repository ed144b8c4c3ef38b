import { type RefObject, useLayoutEffect } from 'react'

/** What a bar gives up to stay on one line, in this order: the names of its views, its count, and more of its search field. */
const steps = ['', 'views', 'views count', 'views count search']

const wraps = (bar: HTMLElement) => {
  const [first, last] = [bar.firstElementChild, bar.lastElementChild]
  return Boolean(first && last && last.getBoundingClientRect().top >= first.getBoundingClientRect().bottom)
}

/** Gives up one thing after the other, for as long as it wraps. */
function tighten(bar: HTMLElement): void {
  for (const step of steps) {
    bar.dataset['tight'] = step
    if (!wraps(bar)) return
  }
}

/** Says in `data-tight` what a bar has given up; a second line comes only after all of it. */
export function useTight(of: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const bar = of.current
    if (!bar) return
    const fit = () => tighten(bar)
    // It calls at once, too: after the layout of the page, which need not be made for this.
    const resized = new ResizeObserver(fit)
    resized.observe(bar)
    const changed = new MutationObserver(fit)
    changed.observe(bar, { childList: true, characterData: true, subtree: true })
    return () => {
      resized.disconnect()
      changed.disconnect()
    }
  }, [of])
}
