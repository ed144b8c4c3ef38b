/** How large a dashboard is on a screen that is read from across the room. Pure. */
import type { Widget } from '../../../language/dashboard/dashboard.types.ts'

/** As wide as a dashboard is on a desk: one that fits is drawn as the first, one that has to be scrolled as the second. */
const deskWidth = { least: 1200, most: 1440 }
/** Of the bar and of the filters, and of a row of the grid with its gap. */
const barHeight = 36
const filtersHeight = 68
const rowHeight = 80
const gridPadding = 8

interface Wall {
  width: number
  height: number
}

/** Rows that the grid has. */
export const rowsOf = (widgets: readonly Pick<Widget, 'at'>[]): number =>
  widgets.reduce((rows, { at: [, y, , height] }) => Math.max(rows, y + height), 1)

/** How many times larger: within these limits as large as all of it can be seen, and never smaller than on a desk. */
export function wallScale({ width, height }: Wall, rows: number, hasFilters: boolean): number {
  const needed = barHeight + (hasFilters ? filtersHeight : 0) + rows * rowHeight + gridPadding
  const fitting = Math.min(width / deskWidth.least, height / needed)
  return Math.floor(Math.max(1, width / deskWidth.most, fitting) * 100) / 100
}
