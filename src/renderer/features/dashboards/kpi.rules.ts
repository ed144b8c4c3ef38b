/** The number of a KPI and what it is compared with. Pure; shown exactly, compared approximately. */
import type { WidgetData } from '../../../contract/dashboard-views.ts'
import type { KpiWidget } from '../../../language/dashboard/dashboard.types.ts'
import { kpiColumn, numberAt } from '../../../contract/widget-columns.ts'
import { cellOf } from '../../ui/grid/cell.rules.ts'

export interface Kpi {
  /** Exact; null: NULL. */
  text: string | null
  /** null: there is nothing to compare with. */
  direction: 'up' | 'down' | 'same' | null
  /** By how much of the value before, such as 0.12; null: there is none, or it is 0, of which nothing is a part. */
  change: number | null
  before: string | null
  /** It is to be compared, and nothing is earlier. */
  isAlone: boolean
  /** In the order of time. */
  line: readonly (number | null)[]
}

/** null: no rows. undefined: no column with numbers. */
export function kpiOf(
  { value, compare }: Pick<KpiWidget, 'value' | 'compare'>,
  { fields, rows }: Pick<WidgetData, 'fields' | 'rows'>,
  newestFirst = false,
): Kpi | null | undefined {
  if (rows.length === 0) return null
  const column = kpiColumn(value, { fields, rows })
  if (column < 0) return undefined
  const { type } = fields[column]!
  const texts = (newestFirst ? rows.toReversed() : rows).map((row) => cellOf(row[column], type).text ?? null)
  const text = texts.at(-1) ?? null
  const before = compare === 'previous' ? (texts.at(-2) ?? null) : null
  const [now, then] = [numberAt(text), numberAt(before)]
  const direction = now === null || then === null ? null : now > then ? 'up' : now < then ? 'down' : 'same'
  const change = now === null || then === null || then === 0 ? null : (now - then) / Math.abs(then)
  const isAlone = compare === 'previous' && before === null
  return { text, direction, change, before, isAlone, line: texts.map(numberAt) }
}

/** The line of a KPI as heights above its lowest point, or above zero where nothing is below it. */
export function heightsOf(line: readonly (number | null)[]): (number | null)[] {
  const lowest = Math.min(0, ...line.filter((value) => value !== null))
  return line.map((value) => (value === null ? null : value - lowest))
}
