import type { CrossFilter } from '../../../language/dashboard/dashboard.types.ts'
import { cellOf } from '../../ui/grid/cell.rules.ts'
import { valueOf } from './dashboard-choice.rules.ts'
import { useViewing } from './dashboard-source.ts'
import type { TableRows } from './table.rules.ts'

/** A click sets a filter to the value of a column; the same click again takes it back. */
export function useCrossFilter(cross: CrossFilter | null, usual: string) {
  const { filters, choice, setFilter } = useViewing()
  const filter = cross && Object.hasOwn(filters, cross.filter) ? filters[cross.filter] : undefined
  if (!cross || !filter || !setFilter)
    return { chosen: null, isUsual: true, toggle: undefined, valueAt: () => undefined }
  const now = valueOf(cross.filter, filter, choice)
  const chosen =
    typeof now === 'string' && now !== '' ? now : Array.isArray(now) && now.length === 1 ? (now[0] ?? null) : null
  const column = cross.column ?? usual
  /** null: NULL, which no filter can be set to. undefined: the rows lack the column. */
  const valueAt = ({ fields, rows }: TableRows, row: number): string | null | undefined => {
    const at = fields.findIndex(({ name }) => name === column)
    return at < 0 ? undefined : cellOf(rows[row]?.[at], fields[at]!.type).text
  }
  const toggle = (data: TableRows, row: number) => {
    const text = valueAt(data, row)
    if (typeof text === 'string') setFilter(cross.filter, text === chosen ? null : text)
  }
  return { chosen, isUsual: column === usual, toggle, valueAt }
}
