/** How large a dashboard is on a screen that is read from across the room. Pure. */
import type { Widget } from '../../../language/dashboard/dashboard.types.ts'

/** Widths that a dashboard is laid out in, narrower than on a desk: titles, axes and filters are read from afar, as its numbers are.
 *  One that fits is drawn as the first, one that has several pages as the second. */
const layoutWidth = { least: 880, most: 985 }
/** Of the bar and of the filters, and the least of a row of the grid with its gap. */
const barHeight = 36
const filtersHeight = 33
const rowHeight = 64
const gridPadding = 8

interface Wall {
  width: number
  height: number
}

/** Rows that the grid has. */
export const rowsOf = (widgets: readonly Pick<Widget, 'at'>[]): number =>
  widgets.reduce((rows, { at: [, y, , height] }) => Math.max(rows, y + height), 1)

/** Rows that are on the screen together: from one, up to but without the other. */
export interface WallPage {
  from: number
  to: number
}

/** Rows that can be seen at once. */
export const rowsSeen = ({ height }: Wall, scale: number, hasFilters: boolean): number =>
  Math.max(1, Math.floor((height / scale - barHeight - (hasFilters ? filtersHeight : 0) - gridPadding) / rowHeight))

/** The widgets in pages of at most so many rows that none is cut, unless it is taller than the screen. */
export function pagesOf(widgets: readonly Pick<Widget, 'at'>[], most: number): WallPage[] {
  const rows = rowsOf(widgets)
  const isBetween = (row: number) => !widgets.some(({ at: [, y, , height] }) => y < row && y + height > row)
  const pages: WallPage[] = []
  for (let from = 0; from < rows; from = pages.at(-1)?.to ?? rows) {
    const ends = Array.from({ length: rows - from }, (_, index) => from + index + 1).filter(isBetween)
    pages.push({ from, to: ends.findLast((end) => end <= from + most) ?? ends[0] ?? rows })
  }
  return pages
}

/** The widgets of one page, at its top. */
export const widgetsOn = ({ from, to }: WallPage, widgets: readonly Widget[]): Widget[] =>
  widgets.flatMap((widget) => {
    const [x, y, width, height] = widget.at
    return y >= from && y < to ? [{ ...widget, at: [x, y - from, width, height] }] : []
  })

/** How many times larger: within these limits as large as all of it can be seen. */
export function wallScale({ width, height }: Wall, rows: number, hasFilters: boolean): number {
  const needed = barHeight + (hasFilters ? filtersHeight : 0) + rows * rowHeight + gridPadding
  const fitting = Math.min(width / layoutWidth.least, height / needed)
  return Math.floor(Math.max(1, width / layoutWidth.most, fitting) * 100) / 100
}
