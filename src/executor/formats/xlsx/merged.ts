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

/** Gives every cell of a merged range within the first columns the value of its first one. Rows come in their order. */
export function repeatMerged(ranges: readonly MergedRange[]): (row: MergedRow, columns: number) => void {
  const coming = ranges.toSorted((a, b) => a.top - b.top)
  let next = 0
  let open: { range: MergedRange; value: FieldValue }[] = []
  return ({ number, cells }, columns) => {
    open = open.filter(({ range }) => range.bottom >= number)
    for (let range = coming[next]; range && range.top <= number; range = coming[++next]) {
      if (range.bottom >= number) open.push({ range, value: range.top === number ? (cells[range.left] ?? null) : null })
    }
    for (const { range, value } of open)
      if (value !== null) for (let at = range.left; at <= Math.min(range.right, columns - 1); at++) cells[at] = value
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
