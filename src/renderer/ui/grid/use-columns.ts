import { useState } from 'react'
import type { QueryField } from '../../../contract/query-values.ts'
import { type GridColumns, edgesOf, hidden, measuredWidth, moved, pinned } from './columns.rules.ts'
import type { GridLinks, GridRows } from './grid.types.ts'

/** Of the arrow in cells whose values lead somewhere. */
const linkWidth = 16

/** Which columns are shown, how wide, and in which order. Another result is another grid. */
export function useColumns(fields: readonly QueryField[], rows: GridRows, links: GridLinks | undefined) {
  const [columns, setColumns] = useState<GridColumns>(() => ({
    order: fields.map((_, index) => index),
    pinned: 0,
    widths: {},
  }))
  // Once: columns that move under the eye are worse than narrow ones.
  const [measured] = useState(() => {
    const first = Array.from({ length: Math.min(60, rows.count) }, (_, row) => rows.at(row) ?? [])
    return fields.map((field, index) => measuredWidth(field, index, first))
  })
  const own = (index: number) => (measured[index] ?? 100) + (links?.isLinked(index) ? linkWidth : 0)
  const shown = columns.order.map((index) => columns.widths[index] ?? own(index))
  const resize = (index: number, width: number) =>
    setColumns((now) => ({ ...now, widths: { ...now.widths, [index]: width } }))
  return {
    columns: { ...columns, shown, edges: edgesOf(shown) },
    /** To what these rows hold. */
    fit(index: number, inSight: readonly (readonly unknown[])[]): void {
      const field = fields[index]
      if (field) resize(index, measuredWidth(field, index, inSight))
    },
    onResize: (index: number, width: number) => resize(index, Math.max(32, Math.round(width))),
    onPin: (column: number) => setColumns((now) => pinned(now, column)),
    onMove: (column: number, by: -1 | 1) => setColumns((now) => moved(now, column, by)),
    onHide: (column: number) => setColumns((now) => hidden(now, column)),
    onReset: () => setColumns({ order: fields.map((_, index) => index), pinned: 0, widths: {} }),
  }
}
