import type { QueryField } from '../../../contract/query-values.ts'
import { cellOf, isNumber, shownText } from './cell.rules.ts'

/** Where columns stand beside each other. Pure. */

export interface GridColumns {
  /** Numbers of the fields that are shown, in order; the pinned ones first. */
  order: readonly number[]
  pinned: number
  /** That somebody has chosen, by the number of the field. */
  widths: Readonly<Record<number, number>>
}

/** Pixels of a character of the 12 px fixed-width type, and of the padding of a cell. */
const characterWidth = 7.3
const padding = 18
const [narrowest, widest] = [72, 340]
/** Of documents, which have no other columns beside them. */
const widestDocument = 800
/** Room for later rows, whose numbers and texts are longer. */
const [numberRoom, textRoom] = [20, 48]

/** Wide enough for the header and what these rows hold, within reason, with room for more where they differ in length. */
export function measuredWidth(field: QueryField, position: number, rows: readonly (readonly unknown[])[]): number {
  const header = field.name.length + 2
  let [shortest, longest] = [Infinity, 0]
  const most = field.type === 'document' ? widestDocument : widest
  for (const row of rows) {
    const cell = cellOf(row[position], field.type)
    if (typeof cell.text !== 'string') longest = Math.max(longest, 4)
    else {
      const { length } = shownText({ type: cell.type, text: cell.text })
      shortest = Math.min(shortest, length)
      longest = Math.max(longest, length)
    }
    if (longest * characterWidth > most) break
  }
  const room = isNumber(field.type) ? numberRoom : field.type === 'text' || field.type === 'any' ? textRoom : 0
  const needed = padding + longest * characterWidth + (shortest < longest ? room : 0)
  return Math.round(Math.min(most, Math.max(narrowest + room, padding + header * characterWidth, needed)))
}

/** Left edges of columns of these widths, and the sum of all at the end. */
export function edgesOf(widths: readonly number[]): number[] {
  const edges = [0]
  for (const width of widths) edges.push((edges.at(-1) ?? 0) + width)
  return edges
}

/** Columns to be drawn when `width` pixels are seen from `left` on: the first, and one behind the last. */
export function columnsIn(edges: readonly number[], left: number, width: number, overscan = 2): [number, number] {
  const count = edges.length - 1
  const first = Math.max(0, before(edges, left) - overscan)
  const end = Math.min(count, before(edges, left + width) + 1 + overscan)
  return [Math.min(first, count), Math.max(end, Math.min(first, count))]
}

/** The last column that begins at or before `x`. */
function before(edges: readonly number[], x: number): number {
  let [low, high] = [0, edges.length - 2]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((edges[middle] ?? 0) <= x) low = middle
    else high = middle - 1
  }
  return Math.max(0, low)
}

/** Pins a column behind those that are pinned, or unpins it in front of the others. */
export function pinned(columns: GridColumns, column: number): GridColumns {
  const index = columns.order[column] ?? 0
  const others = columns.order.filter((other) => other !== index)
  const isPinned = column < columns.pinned
  const place = isPinned ? columns.pinned - 1 : columns.pinned
  return {
    ...columns,
    order: [...others.slice(0, place), index, ...others.slice(place)],
    pinned: columns.pinned + (isPinned ? -1 : 1),
  }
}

/** Changes places with the neighbour; pinned columns stay beside each other. */
export function moved(columns: GridColumns, column: number, by: -1 | 1): GridColumns {
  const target = column + by
  const { order } = columns
  if (target < 0 || target >= order.length || target < columns.pinned !== column < columns.pinned) return columns
  const next = [...order]
  ;[next[column], next[target]] = [next[target] ?? 0, next[column] ?? 0]
  return { ...columns, order: next }
}

/** The last one stays. */
export function hidden(columns: GridColumns, column: number): GridColumns {
  if (columns.order.length === 1) return columns
  return {
    ...columns,
    order: columns.order.filter((_, other) => other !== column),
    pinned: columns.pinned - (column < columns.pinned ? 1 : 0),
  }
}
