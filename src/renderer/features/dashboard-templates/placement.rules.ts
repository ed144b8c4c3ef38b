/** Moving and resizing widgets on the grid: no two ever end up on top of each other. Pure. */
import type { Placement } from '../../../language/dashboard/dashboard.types.ts'
import { overlaps } from '../../../language/dashboard/layout.ts'
import { GRID_COLUMNS, MAX_GRID_ROWS, MAX_WIDGET_HEIGHT } from '../../../language/dashboard/limits.ts'

export interface Placed {
  id: string
  at: Placement
}
export type Direction = 'left' | 'right' | 'up' | 'down'
/** Why a widget stays as it is: the end of the grid, or the id of the widget in the way. */
export type Refused = { refused: 'edge' } | { refused: 'overlap'; by: string }
export type Change = { at: Placement } | Refused

const steps = { left: [-1, 0], right: [1, 0], up: [0, -1], down: [0, 1] } as const

export const isOnGrid = ([x, y, w, h]: Placement) =>
  x >= 0 && y >= 0 && w >= 1 && h >= 1 && h <= MAX_WIDGET_HEIGHT && x + w <= GRID_COLUMNS && y <= MAX_GRID_ROWS

/** The first widget that stands where `at` is. */
export const inTheWay = (at: Placement, others: readonly Placed[]) => others.find((one) => overlaps(one.at, at))

/** The nearest free place in that direction: one that is in the way is passed. */
export function moved([x, y, w, h]: Placement, direction: Direction, others: readonly Placed[]): Change {
  const [dx, dy] = steps[direction]
  let by: string | null = null
  for (let step = 1; ; step += 1) {
    const at: Placement = [x + dx * step, y + dy * step, w, h]
    if (!isOnGrid(at)) return by === null ? { refused: 'edge' } : { refused: 'overlap', by }
    const other = inTheWay(at, others)
    if (!other) return { at }
    by ??= other.id
  }
}

/** One column or row more or less: its left upper corner stays. */
export function resized([x, y, w, h]: Placement, direction: Direction, others: readonly Placed[]): Change {
  const [dx, dy] = steps[direction]
  return placed([x, y, w + dx, h + dy], others)
}

/** Exactly there. */
export function placed(at: Placement, others: readonly Placed[]): Change {
  if (!isOnGrid(at)) return { refused: 'edge' }
  const other = inTheWay(at, others)
  return other ? { refused: 'overlap', by: other.id } : { at }
}

const within = (value: number, least: number, most: number) => Math.min(Math.max(value, least), Math.max(least, most))

/** How many rows the upper edge of one is from the edge that is nearest to it after `pixels`. */
export function rowsDragged(row: number, pixels: number, heightOf: (row: number) => number): number {
  let rows = 0
  let left = pixels
  for (let height = heightOf(row); left > height / 2; height = heightOf(row + rows)) {
    left -= height
    rows += 1
  }
  for (let height = heightOf(row + rows - 1); left < -height / 2 && row + rows > 0; height = heightOf(row + rows - 1)) {
    left += height
    rows -= 1
  }
  return rows
}

/** Where a widget is dragged to: it stays on the grid. */
export function dragged([x, y, w, h]: Placement, how: 'move' | 'size', columns: number, rows: number): Placement {
  return how === 'move'
    ? [within(x + columns, 0, GRID_COLUMNS - w), within(y + rows, 0, MAX_GRID_ROWS), w, h]
    : [x, y, within(w + columns, 1, GRID_COLUMNS - x), within(h + rows, 1, MAX_WIDGET_HEIGHT)]
}
