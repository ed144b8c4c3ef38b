import type { FieldValue } from '../../sources/record-values.ts'
import { columnIndex } from './columns.ts'
import { attribute, readXml } from './xml.ts'

/** Cells that Excel shows as one. Only the first one has a value. Rows count from 1, columns from 0; both ends are in it. */
export interface MergedRange {
  top: number
  left: number
  bottom: number
  right: number
}

/** `B2:C4`; null where nothing is merged. */
export function mergedRange(attributes: string): MergedRange | null {
  const [, from = '', top, to = '', bottom] =
    /^\$?([A-Z]{1,3})\$?(\d{1,7}):\$?([A-Z]{1,3})\$?(\d{1,7})$/i.exec(attribute(attributes, 'ref') ?? '') ?? []
  if (top === undefined) return null
  return { top: Number(top), left: columnIndex(from), bottom: Number(bottom), right: columnIndex(to) }
}

/** Those of a sheet, which stand behind its rows. */
export async function readMerged(bytes: AsyncIterable<Uint8Array>): Promise<MergedRange[]> {
  const ranges: MergedRange[] = []
  await readXml(bytes, {
    open(name, attributes) {
      const range = name === 'mergeCell' ? mergedRange(attributes) : null
      if (range) ranges.push(range)
    },
  })
  return ranges
}

interface MergedRow {
  number: number
  cells: FieldValue[]
}

/** Gives every cell of a merged range within the first columns the value of its first one. */
export class RepeatedCells {
  readonly #coming: MergedRange[]
  #next = 0
  #open: { range: MergedRange; value: FieldValue }[] = []
  /** The row before. */
  #last = 0

  constructor(ranges: readonly MergedRange[]) {
    this.#coming = ranges.toSorted((a, b) => a.top - b.top)
  }

  /**
   * A row, behind those that have cells of ranges and nothing else: a sheet may lack them, as their cells are empty. Such a range begins
   * below the header, as what repeats that is no row. Rows come in their order; null: there are no more.
   */
  *through(row: MergedRow | null, header: number, columns: number): Iterable<MergedRow> {
    const number = row?.number ?? Infinity
    for (let between = this.#last + 1; between < number; between++) {
      this.#open = this.#open.filter(({ range }) => range.bottom >= between)
      if (!this.#open.some(({ range }) => range.top > header && range.left < columns)) break
      yield this.#filled({ number: between, cells: [] }, columns)
    }
    if (row === null) return
    this.#last = number
    this.#open = this.#open.filter(({ range }) => range.bottom >= number)
    for (let range = this.#coming[this.#next]; range && range.top <= number; range = this.#coming[++this.#next]) {
      const value = range.top === number ? row.cells[range.left] : undefined
      if (range.bottom >= number && value !== undefined) this.#open.push({ range, value })
    }
    yield this.#filled(row, columns)
  }

  #filled(row: MergedRow, columns: number): MergedRow {
    for (const { range, value } of this.#open)
      for (let at = range.left; at <= Math.min(range.right, columns - 1); at++) row.cells[at] = value
    return row
  }
}

/** Ranges below a row and within the first columns, and the cells in them that have no value. */
export function mergedBelow(
  ranges: readonly MergedRange[],
  header: number,
  columns: number,
): { ranges: number; cells: number } {
  const below = ranges.filter(({ bottom, left }) => bottom > header && left < columns)
  const cells = below.map(
    ({ top, left, bottom, right }) =>
      (bottom - Math.max(top, header + 1) + 1) * (Math.min(right, columns - 1) - left + 1) - 1,
  )
  return { ranges: below.length, cells: cells.reduce((sum, count) => sum + count, 0) }
}
