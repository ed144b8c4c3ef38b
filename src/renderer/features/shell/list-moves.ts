const lists = '[role="grid"], [role="tree"], [role="treegrid"], [role="listbox"]'

/** The part of a list that takes keys: itself, or its one row that Tab reaches. */
const reachable = (list: Element) =>
  list instanceof HTMLElement && list.tabIndex >= 0 ? list : list.querySelector<HTMLElement>('[tabindex="0"]')

/** Puts the keyboard into the list that the page shows and moves there, as its own arrow keys do. */
export function walkList(way: 'down' | 'up'): void {
  const list = [...document.querySelectorAll(`#content :is(${lists})`)].find((one) => one.checkVisibility())
  const target = list && reachable(list)
  if (!target) return
  target.focus()
  const key = way === 'down' ? 'ArrowDown' : 'ArrowUp'
  target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
}
