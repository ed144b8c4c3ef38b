/** Which cells of a grid are selected, and how keys move that. Pure. */
export interface GridPlace {
  row: number
  column: number
}
export interface GridSelection {
  /** Where the selection began. */
  anchor: GridPlace
  /** Where the keyboard stands. */
  head: GridPlace
}
export interface GridRange {
  top: number
  bottom: number
  left: number
  right: number
}
export interface GridSize {
  rows: number
  columns: number
  /** Rows of a page. */
  page: number
}

export function rangeOf({ anchor, head }: GridSelection): GridRange {
  return {
    top: Math.min(anchor.row, head.row),
    bottom: Math.max(anchor.row, head.row),
    left: Math.min(anchor.column, head.column),
    right: Math.max(anchor.column, head.column),
  }
}

export const holds = ({ top, bottom, left, right }: GridRange, row: number, column: number): boolean =>
  row >= top && row <= bottom && column >= left && column <= right

export const at = (row: number, column: number): GridSelection => ({ anchor: { row, column }, head: { row, column } })

/** Whole rows; the keyboard stands in their first column. */
export const rowsSelected = (from: number, to: number, columns: number): GridSelection => ({
  anchor: { row: from, column: Math.max(0, columns - 1) },
  head: { row: to, column: 0 },
})

export interface GridKey {
  key: string
  shift: boolean
  /** Ctrl or Cmd. */
  mod: boolean
}

/** The selection after a key; null: the key is not the grid's. */
export function moved(
  selection: GridSelection | null,
  { key, shift, mod }: GridKey,
  size: GridSize,
): GridSelection | null {
  if (size.rows === 0 || size.columns === 0) return null
  const [lastRow, lastColumn] = [size.rows - 1, size.columns - 1]
  if (mod && key.toLowerCase() === 'a')
    return { anchor: { row: 0, column: 0 }, head: { row: lastRow, column: lastColumn } }
  const from = selection?.head ?? { row: 0, column: 0 }
  const target = targetOf(key, mod, from, { lastRow, lastColumn, page: size.page })
  if (!target) return null
  // The first key brings the selection to where the eye expects it, and moves nothing yet.
  const place = selection ? { row: clamp(target.row, lastRow), column: clamp(target.column, lastColumn) } : from
  return shift && selection ? { anchor: selection.anchor, head: place } : { anchor: place, head: place }
}

const clamp = (value: number, last: number): number => Math.max(0, Math.min(last, value))

function targetOf(
  key: string,
  mod: boolean,
  { row, column }: GridPlace,
  { lastRow, lastColumn, page }: { lastRow: number; lastColumn: number; page: number },
): GridPlace | null {
  switch (key) {
    case 'ArrowUp':
      return { row: mod ? 0 : row - 1, column }
    case 'ArrowDown':
      return { row: mod ? lastRow : row + 1, column }
    case 'ArrowLeft':
      return { row, column: mod ? 0 : column - 1 }
    case 'ArrowRight':
      return { row, column: mod ? lastColumn : column + 1 }
    case 'Home':
      return { row: mod ? 0 : row, column: 0 }
    case 'End':
      return { row: mod ? lastRow : row, column: lastColumn }
    case 'PageUp':
      return { row: row - page, column }
    case 'PageDown':
      return { row: row + page, column }
    default:
      return null
  }
}
