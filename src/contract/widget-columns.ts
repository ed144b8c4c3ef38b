/** Which columns of its data a widget shows. */
import type { Widget } from '../language/dashboard/dashboard.types.ts'
import { cellOf } from './query-cells.ts'
import type { QueryField, ValueType } from './query-values.ts'

interface Rows {
  fields: readonly QueryField[]
  rows: readonly (readonly unknown[])[]
}

export const isNumber = (type: ValueType): boolean => ['integer', 'bigint', 'decimal', 'double'].includes(type)

/** The number that a text is, as near as it comes; null: it is none. */
export const numberAt = (text: string | null | undefined): number | null => {
  const value = typeof text === 'string' && text !== '' ? Number(text) : Number.NaN
  return Number.isFinite(value) ? value : null
}

/** Where the number of a KPI is: in the column `value`, else in the first one with numbers. -1: there is none. */
export function kpiColumn(value: string | null, { fields, rows }: Rows): number {
  const looksNumeric = (at: number) => rows.some((row) => numberAt(cellOf(row[at], fields[at]!.type).text) !== null)
  return value === null
    ? fields.findIndex(({ type }, at) => isNumber(type) || (type === 'any' && looksNumeric(at)))
    : fields.findIndex(({ name }) => name === value)
}

/** Their names; null: all of them. */
export function shownColumns(widget: Widget, data: Rows): readonly string[] | null {
  switch (widget.type) {
    case 'chart': {
      const { x, y, series, value, cross_filter } = widget
      return [x, ...y, ...[series, value, cross_filter?.column ?? null].filter((name) => name !== null)]
    }
    case 'table': {
      const { columns, cross_filter, sort } = widget
      return columns && [...columns, ...[cross_filter?.column ?? null, sort].filter((name) => name !== null)]
    }
    case 'kpi': {
      const field = data.fields[kpiColumn(widget.value, data)]
      return field ? [field.name] : []
    }
    case 'text':
    case 'filter':
    case 'form':
    case 'field_mapping':
    case 'run_status':
    case 'run_list':
    case 'run_button':
    case 'log':
      return null
  }
}
