import type { MouseEvent } from 'react'

/**
 * The tooltip of a table's cells: what stands under the pointer has a title, or is cut and says its whole text. The link of a row
 * lies above all its cells, so that a click anywhere opens it; there it is the link that says so, elsewhere the cell.
 */
export function showCellTitle({ target, clientX, clientY }: MouseEvent): void {
  if (!(target instanceof Element)) return
  const row = target.closest('[data-row]')
  const host = row?.querySelector<HTMLElement>('[data-row-link]') ?? target.closest<HTMLElement>('[role="gridcell"]')
  if (!row || !host) return
  let text = ''
  // Innermost first.
  for (const element of document.elementsFromPoint(clientX, clientY)) {
    if (element === row) break
    if (!row.contains(element)) continue
    const own = element === host ? null : element.getAttribute('title')
    text = own ?? (element.scrollWidth > element.clientWidth ? element.textContent : '')
    if (text) break
  }
  if (host.title !== text) host.title = text
}
