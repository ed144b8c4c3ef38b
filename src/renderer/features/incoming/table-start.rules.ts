/** Where in a file its table begins and ends: titles and account numbers stand above the names of columns, sums below the rows. Pure. */

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
  const isSparse = ({ filled }: StartRow) => filled <= Math.max(1, width / 2)
  const isAbove = (row: StartRow) => (row.width === width ? row.filled <= (width > 2 ? 1 : 0) : isSparse(row))
  const isBehindBlank = (row: StartRow, at: number) => {
    const before = rows[at - 1]
    return before !== undefined && (row.number > before.number + 1 || before.filled === 0)
  }
  // Pairs such as an account and its number may be as wide as the table: a blank line ends them.
  const block = rows.findLastIndex(
    (row, at) =>
      at <= mostAbove &&
      isBehindBlank(row, at) &&
      rows.slice(0, at).every((one) => one.width !== width || one.filled < width),
  )
  const first = rows.findIndex((row, at) => at >= block && !isAbove(row))
  const start = rows[first]
  if (first < 1 || first > mostAbove || start?.width !== width) return 0
  return start.number - 1
}

const totals =
  'total,grand total,sum,subtotal,summe,gesamt,somme,suma,soma,totale,totaal,toplam,celkem,razem,összesen,ukupno,σύνολο,итого,всего,разом,合計,合计,总计,總計,합계'.split(
    ',',
  )
const mostBelow = 3

/** How many of the last records are no rows: sums, which say so, and what stands beside them. */
export function totalsBelow(records: readonly (readonly string[])[]): number {
  const filled = records.map((record) => record.map((field) => field.trim()).filter((field) => field !== ''))
  const width = records[0]?.length ?? 0
  const isSparse = (at: number) => (filled[at]?.length ?? 0) <= width / 2
  const isLabeled = (at: number) => totals.some((word) => (filled[at]?.[0] ?? '').toLowerCase().startsWith(word))
  let rows = records.length
  while (rows > 0 && records.length - rows < mostBelow && (isLabeled(rows - 1) || isSparse(rows - 1))) rows--
  const below = records.length - rows
  // Where rows have gaps anyway, only words tell.
  const others = filled.slice(0, rows)
  const isTable = others.length >= 2 && !others.some((_, at) => isSparse(at) || isLabeled(at))
  return isTable && filled.some((_, at) => at >= rows && isLabeled(at)) ? below : 0
}
