import { useMemo } from 'react'
import { byName } from '../work-list/list-address.rules.ts'
import { type ListAddress, useListAddress } from '../work-list/use-list-address.ts'

const sortable = ['name', 'updated_at', 'created_at'] as const
const filters = ['tag']

interface DocumentQuery {
  limit: number
  q?: string
  tag?: string[]
  archived?: boolean
  sort?: (typeof sortable)[number]
  order?: 'asc' | 'desc'
}

/** A list of documents as the address tells it, and what that asks of its operation. */
export function useDocumentList(): { address: ListAddress; query: DocumentQuery } {
  const address = useListAddress(filters, sortable, byName)
  const query = useMemo(() => {
    const { q, archived, sort, values } = address
    const tag = values('tag')
    const field = sortable.find((one) => one === sort?.id)
    return {
      limit: 100,
      ...(q ? { q } : {}),
      ...(tag.length > 0 ? { tag } : {}),
      ...(archived ? { archived } : {}),
      ...(field && sort ? { sort: field, order: sort.order } : {}),
    }
  }, [address])
  return { address, query }
}
