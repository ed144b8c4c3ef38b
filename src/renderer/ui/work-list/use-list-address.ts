import { useMemo } from 'react'
import type { TableSort } from '../table.types.ts'
import { useAddress } from '../use-address.ts'
import { joinValues, splitValues } from './list-address.rules.ts'
import { type TimeSpan, spanOf } from './span.rules.ts'

export interface ListAddress {
  q: string
  archived: boolean
  span: TimeSpan
  sort: TableSort | undefined
  /** Whether anything but the archive narrows the list. */
  filtered: boolean
  /** Whether it is the search alone. */
  onlySearched: boolean
  values(filter: string): string[]
  search(text: string): void
  choose(filter: string, values: readonly string[]): void
  setSpan(span: TimeSpan): void
  setArchived(archived: boolean): void
  setSort(sort: TableSort): void
  clear(): void
}

const noColumns: readonly string[] = []
const spanParts = ['from', 'to', 'last']

/**
 * A list as the address tells it: searched, filtered, sorted. `filters`: the names of what narrows it; `unless`: how it is sorted where the
 * address doesn’t say, so that the order always has its arrow.
 */
export function useListAddress(
  filters: readonly string[],
  ...[sortable = noColumns, unless]: [] | [sortable: readonly string[], unless: TableSort]
): ListAddress {
  const [address, set] = useAddress()
  return useMemo(() => {
    const field = sortable.find((one) => one === address.get('sort'))
    const q = address.get('q') ?? ''
    const span = spanOf(address)
    const narrowing = [...filters, 'q']
    const isFiltered = Object.keys(span).length > 0 || filters.some((name) => Boolean(address.get(name)))
    return {
      q,
      archived: address.get('archived') === 'true',
      span,
      sort: field ? { id: field, order: address.get('order') === 'asc' ? 'asc' : 'desc' } : unless,
      filtered: isFiltered || q !== '',
      onlySearched: !isFiltered && q !== '',
      values: (filter) => splitValues(address.get(filter)),
      search: (text) => set({ q: text }),
      choose: (filter, values) => set({ [filter]: joinValues(values) }),
      setSpan: ({ from = null, to = null, last }) => set({ from, to, last: last ? String(last) : null }),
      setArchived: (archived) => set({ archived: archived ? 'true' : null }),
      setSort: ({ id, order }) => set({ sort: id, order }),
      clear: () => set(Object.fromEntries([...narrowing, ...spanParts].map((name) => [name, null]))),
    }
  }, [address, set, filters, sortable, unless])
}
