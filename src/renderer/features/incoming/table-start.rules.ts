/** Where in a file its table begins: titles, dates of export and account numbers stand above the names of columns. Pure. */

/** A line of delimited text, or a row of a sheet. */
export interface StartRow {
  /** Counted from 1; blank ones are not listed. */
  number: number
  /** As many values as it has, empty ones included. */
  width: number
  /** Those that are not empty. */
  filled: number
}

const mostAbove = 30

/** How many values most rows have; of as many the most values. 0: one or none. */
export function usualWidth(rows: readonly Pick<StartRow, 'width'>[]): number {
  const counts = new Map<number, number>()
  for (const { width } of rows) if (width > 1) counts.set(width, (counts.get(width) ?? 0) + 1)
  return [...counts].toSorted(([a, x], [b, y]) => y - x || b - a)[0]?.[0] ?? 0
}

/** Lines or rows above the table, counted as a task skips them. 0: it begins with the first one. */
export function rowsAbove(rows: readonly StartRow[]): number {
  const width = usualWidth(rows)
  const isAbove = (row: StartRow, at: number): boolean => {
    if (row.width === width) return width > 2 && row.filled <= 1
    const next = rows[at + 1]
    const endsBlock = next !== undefined && next.number > row.number + 1
    return row.filled <= Math.max(1, width / 2) || endsBlock
  }
  const first = rows.findIndex((row, at) => !isAbove(row, at))
  const start = rows[first]
  if (first < 1 || first > mostAbove || start?.width !== width) return 0
  return start.number - 1
}
