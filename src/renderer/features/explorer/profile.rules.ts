/** The profile of a column over rows that the window has. Pure; values compare with every digit. */
import { type ColumnProfile, type ProfileValue, mostTopValues } from '../../../contract/column-profile.ts'
import type { QueryField, ValueType } from '../../../contract/query-values.ts'
import { cellOf } from '../../ui/grid/cell.rules.ts'
import { type OrderKey, compareKeys, keyOf } from '../../ui/grid/order.rules.ts'

const unordered: ReadonlySet<ValueType> = new Set(['json', 'document'])

interface Known {
  value: unknown
  key: OrderKey
}

/** `field`: the number of the column. */
export function profileOf(
  rows: readonly (readonly unknown[])[],
  field: number,
  { type }: QueryField,
): Omit<ColumnProfile, 'statements'> {
  const known = rows
    .flatMap((row): Known[] => {
      const value = row[field]
      const key = keyOf(cellOf(value, type))
      return key ? [{ value, key }] : []
    })
    .toSorted((a, b) => compareKeys(a.key, b.key))
  const groups: { value: unknown; rows: number }[] = []
  for (const [at, { value, key }] of known.entries()) {
    const before = known[at - 1]
    const last = groups.at(-1)
    if (before && last && compareKeys(before.key, key) === 0) last.rows += 1
    else groups.push({ value, rows: 1 })
  }
  const ordered = !unordered.has(type)
  const shown = (one: { value: unknown } | undefined): ProfileValue | null =>
    one && ordered ? { type, value: one.value, cut: false } : null
  const isUnique = groups.length === known.length
  return {
    rows: rows.length,
    nulls: rows.length - known.length,
    distinct: groups.length,
    ordered,
    min: shown(groups[0]),
    max: shown(groups.at(-1)),
    top: isUnique
      ? []
      : groups
          .toSorted((a, b) => b.rows - a.rows)
          .slice(0, mostTopValues)
          .map(({ value, rows: count }) => ({ value: { type, value, cut: false }, rows: count })),
  }
}
