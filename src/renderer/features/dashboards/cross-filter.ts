import type { CrossFilter } from '../../../language/dashboard/dashboard.types.ts'
import { cellOf } from '../../ui/grid/cell.rules.ts'
import { valueOf } from './dashboard-choice.rules.ts'
import { useViewing } from './dashboard-source.ts'
import type { TableRows } from './table.rules.ts'

/** A click sets a filter to the value of a column; the same click again takes it back. */
export function useCrossFilter(cross: CrossFilter | null, usual: string) {
  const { filters, choice, setFilter } = useViewing()
  const filter = cross && Object.hasOwn(filters, cross.filter) ? filters[cross.filter] : undefined
  if (!cross || !filter || !setFilter) return { chosen: null, toggle: undefined }
  const now = valueOf(cross.filter, filter, choice)
  const chosen =
    typeof now === 'string' && now !== '' ? now : Array.isArray(now) && now.length === 1 ? (now[0] ?? null) : null
  const column = cross.column ?? usual
  const toggle = ({ fields, rows }: TableRows, row: number) => {
    const at = fields.findIndex(({ name }) => name === column)
    const text = at < 0 ? undefined : cellOf(rows[row]?.[at], fields[at]!.type).text
    if (typeof text === 'string') setFilter(cross.filter, text === chosen ? null : text)
  }
  return { chosen: column === usual ? chosen : null, toggle }
}
