/** Widths of the columns of a table. Pure. */
import type { TableColumn } from './table.types.ts'

/** Pixels that somebody chose, by column. */
export type ColumnSizes = Readonly<Record<string, number>>

type Sized = Pick<TableColumn<never>, 'id' | 'width' | 'minWidth' | 'grow' | 'yields'>

export const widest = 2000
const narrowest = 48
/** Of one that shares what is left with others. */
const flexible = 120

/** Nothing that was chosen makes a column narrower than this. */
export const leastOf = ({ minWidth }: Sized) => minWidth ?? narrowest

/** A width within the limits of a column, in whole pixels. */
export const fitting = (column: Sized, width: number) => Math.round(Math.min(widest, Math.max(leastOf(column), width)))

/** Tracks for `grid-template-columns`. */
export const tracksOf = (columns: readonly Sized[], sizes: ColumnSizes): string =>
  columns
    .map(({ id, width, minWidth, grow = 1 }) => {
      const chosen = sizes[id] ?? width
      return chosen === undefined ? `minmax(${minWidth ?? flexible}px, ${grow}fr)` : `${chosen}px`
    })
    .join(' ')

/** Pixels that the columns take at least: in a narrower table they are scrolled. */
export const leastWidth = (columns: readonly Sized[], sizes: ColumnSizes): number =>
  columns.reduce((sum, { id, width, minWidth }) => sum + (sizes[id] ?? width ?? minWidth ?? flexible), 0)

/** The columns that fit so many pixels: the others have yielded. 0: nobody knows yet how many there are. */
export function fittingColumns<Column extends Sized>(
  columns: readonly Column[],
  sizes: ColumnSizes,
  room: number,
): readonly Column[] {
  const next = columns.reduce<Column | null>(
    (found, column) => ((column.yields ?? 0) > (found?.yields ?? 0) ? column : found),
    null,
  )
  if (room === 0 || !next || leastWidth(columns, sizes) <= room) return columns
  return fittingColumns(
    columns.filter((column) => column !== next),
    sizes,
    room,
  )
}
