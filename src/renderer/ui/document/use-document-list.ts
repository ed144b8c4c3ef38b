import type { TableSort } from '../table.types.ts'
import { type AddressChange, useAddress } from '../use-address.ts'

const sortable = ['name', 'updated_at', 'created_at'] as const
type SortField = (typeof sortable)[number]

export interface DocumentListAddress {
  q: string
  tag: string | null
  archived: boolean
  sort: TableSort | undefined
  /** What the address asks of the list's operation. */
  query: { limit: number; q?: string; tag?: string; archived?: boolean; sort?: SortField; order?: 'asc' | 'desc' }
  set(change: AddressChange): void
  onSort(next: TableSort): void
}

/** A list of documents as the address tells it: searched, sorted, narrowed. */
export function useDocumentList(): DocumentListAddress {
  const [search, set] = useAddress()
  const q = search.get('q') ?? ''
  const tag = search.get('tag')
  const archived = search.get('archived') === 'true'
  const sort = sortable.find((field) => field === search.get('sort'))
  const order = search.get('order') === 'asc' ? 'asc' : 'desc'
  return {
    q,
    tag,
    archived,
    sort: sort ? { id: sort, order } : undefined,
    query: {
      limit: 100,
      ...(q ? { q } : {}),
      ...(tag ? { tag } : {}),
      ...(archived ? { archived } : {}),
      ...(sort ? { sort, order } : {}),
    },
    set,
    onSort: (next) => {
      if (sortable.some((field) => field === next.id)) set({ sort: next.id, order: next.order })
    },
  }
}
