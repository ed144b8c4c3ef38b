/** The rows behind a mark: those with its values in the columns of the same name. Pure. */
import type { ChartWidget } from '../../../language/dashboard/dashboard.types.ts'
import { cellOf } from '../../ui/grid/cell.rules.ts'
import type { TableRows } from './table.rules.ts'

export interface MarkValue {
  column: string
  /** Exact; null: NULL. */
  text: string | null
}

/** Columns whose values tell one mark of a chart from another. */
export const markColumns = ({ chart, x, y, series }: ChartWidget): string[] =>
  chart === 'scatter' ? [x, ...y] : [x, ...(chart === 'heatmap' ? y : series === null ? [] : [series])]

export const valuesAt = (columns: readonly string[], { fields, rows }: TableRows, row: number): MarkValue[] =>
  columns.flatMap((column): MarkValue[] => {
    const at = fields.findIndex(({ name }) => name === column)
    return at < 0 ? [] : [{ column, text: cellOf(rows[row]?.[at], fields[at]!.type).text ?? null }]
  })

/** Those of the values that the rows have a column for; the others say nothing about them. */
export const valuesOf = ({ fields }: Pick<TableRows, 'fields'>, values: readonly MarkValue[]): MarkValue[] =>
  values.filter(({ column }) => fields.some(({ name }) => name === column))
