/** Widths of the columns of a table. Pure. */
import type { TableColumn } from './table.types.ts'

/** Pixels that somebody chose, by column. */
export type ColumnSizes = Readonly<Record<string, number>>

type Sized = Pick<TableColumn<never>, 'id' | 'width' | 'minWidth' | 'grow' | 'yields' | 'uncut'>

export const widest = 2000
const narrowest = 48
/** Of one that shares what is left with others. */
const flexible = 120

/** Nothing that was chosen makes a column narrower than this. */
export const leastOf = ({ minWidth }: Sized) => minWidth ?? narrowest

/** A width within the limits of a column, in whole pixels. */
export const fitting = (column: Sized, width: number) => Math.round(Math.min(widest, Math.max(leastOf(column), width)))

/**
 * As their rows need it, once that is known: those that are never cut are at least as wide, and those that don’t grow leave what
 * they don’t need to others.
 */
export const fittedColumns = <Column extends Sized>(
  columns: readonly Column[],
  needs: ReadonlyMap<string, number>,
): readonly Column[] =>
  columns.map((column) => {
    const { id, uncut, width, minWidth = flexible, grow } = column
    const need = needs.get(id)
    if (need === undefined) return column
    if (uncut) return { ...column, width: Math.max(need, width ?? minWidth) }
    return width === undefined && grow === 0 ? { ...column, minWidth: Math.min(minWidth, need) } : column
  })

/** Tracks for `grid-template-columns`; `needed`: of the columns that give up what they don’t need, or get what they need. */
export const tracksOf = (columns: readonly Sized[], sizes: ColumnSizes, needed: ColumnSizes = {}): string =>
  columns
    .map(({ id, width, minWidth, grow = 1 }) => {
      const chosen = sizes[id] ?? needed[id] ?? width
      return chosen === undefined ? `minmax(${minWidth ?? flexible}px, ${grow}fr)` : `${chosen}px`
    })
    .join(' ')

/** Pixels that the columns take at least: in a narrower table they are scrolled. */
export const leastWidth = (columns: readonly Sized[], sizes: ColumnSizes, needed: ColumnSizes = {}): number =>
  columns.reduce(
    (sum, { id, width, minWidth }) =>
      sum + (sizes[id] ?? (width === undefined ? (minWidth ?? flexible) : (needed[id] ?? width))),
    0,
  )

/** Pixels of each flexible column, as the grid shares them. */
function partsOf(columns: readonly Sized[], room: number): Map<Sized, number> {
  const parts = new Map(columns.map((one) => [one, one.minWidth ?? flexible]))
  const growing = new Set(columns)
  for (;;) {
    const taken = columns.reduce((sum, one) => sum + (growing.has(one) ? 0 : (parts.get(one) ?? 0)), 0)
    const shares = [...growing].reduce((sum, { grow = 1 }) => sum + grow, 0)
    const partOf = ({ grow = 1 }: Sized) => (grow === 0 ? 0 : ((room - taken) * grow) / shares)
    const least = [...growing].filter((one) => partOf(one) < (parts.get(one) ?? 0))
    for (const one of least) growing.delete(one)
    if (least.length > 0) continue
    for (const one of growing) parts.set(one, partOf(one))
    return parts
  }
}

/**
 * Widths of columns where one would be cut while another has more than it needs. If there is room for all that share what is left,
 * those that would be cut get what they need; otherwise the others keep no more than they need, and columns of a fixed width give
 * up what is missing, as far as their rows don’t need it.
 */
export function neededOf(
  columns: readonly Sized[],
  sizes: ColumnSizes,
  needs: ReadonlyMap<string, number>,
  room: number,
): ColumnSizes {
  const sharing = columns.filter(({ id, width }) => (sizes[id] ?? width) === undefined)
  if (room === 0 || sharing.length === 0 || sharing.some(({ id }) => !needs.has(id))) return {}
  const needOf = ({ id }: Sized) => needs.get(id) ?? 0
  const left = room - columns.reduce((sum, { id, width }) => sum + (sizes[id] ?? width ?? 0), 0)
  const missing = sharing.reduce((sum, one) => sum + needOf(one), 0) - left
  const given = missing > 0 ? givenUp(columns, sizes, needs, missing) : {}
  const freed = columns.reduce((sum, { id, width = 0 }) => sum + (id in given ? width - (given[id] ?? 0) : 0), 0)
  return { ...given, ...sharedOf(sharing, needOf, left + freed) }
}

/** What columns of a fixed width keep, where others miss so many pixels. */
function givenUp(
  columns: readonly Sized[],
  sizes: ColumnSizes,
  needs: ReadonlyMap<string, number>,
  missing: number,
): ColumnSizes {
  const spare = columns.flatMap((one) => {
    const need = needs.get(one.id)
    if (one.width === undefined || sizes[one.id] !== undefined || need === undefined) return []
    const more = one.width - Math.max(need, leastOf(one))
    return more > 0 ? [{ id: one.id, width: one.width, more }] : []
  })
  const part = Math.min(1, missing / spare.reduce((sum, { more }) => sum + more, 0))
  return Object.fromEntries(spare.map(({ id, width, more }) => [id, width - Math.ceil(more * part)]))
}

/** Widths of columns that share so many pixels: of those that get what they need, or keep no more. */
function sharedOf(sharing: readonly Sized[], needOf: (one: Sized) => number, left: number): ColumnSizes {
  /** Gives columns what they need, round by round, as long as one that grows is cut; null: then there is no room for the others. */
  const given = (who: 'cut' | 'spare'): ColumnSizes | null => {
    const widths: Record<string, number> = {}
    let [others, rest] = [sharing, left]
    for (;;) {
      const parts = partsOf(others, rest)
      const partOf = (one: Sized) => parts.get(one) ?? 0
      if ([...parts.values()].reduce((sum, part) => sum + part, 0) > rest + 1) return who === 'cut' ? null : widths
      const cut = others.filter((one) => one.grow !== 0 && needOf(one) > partOf(one))
      const chosen = who === 'cut' ? cut : others.filter((one) => needOf(one) < partOf(one))
      if (cut.length === 0 || chosen.length === 0) return widths
      for (const one of chosen) rest -= widths[one.id] = needOf(one)
      others = others.filter((one) => !chosen.includes(one))
      if (!others.some(({ grow }) => grow !== 0)) return null
    }
  }
  return given('cut') ?? given('spare') ?? {}
}

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
