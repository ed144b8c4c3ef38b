/** Puts known fields of one record into every answer that shows it. */
import type { InfiniteData, QueryClient, QueryKey } from '@tanstack/react-query'
import type { Paginated } from '../../contract/common.ts'
import type { Operation } from '../../contract/operation.ts'
import type { CallInput } from './client.ts'
import type { Effect } from './event-rules.ts'
import { patchPages } from './pages.ts'

interface Row {
  id: number
  [field: string]: unknown
}
type Pages = InfiniteData<Paginated<Row>, string | null>
export type Patch = NonNullable<Effect['patch']>

export const isList = (key: QueryKey) => key[2] === 'list'
export const inputOf = (key: QueryKey) => (key[1] ?? {}) as CallInput<Operation>
export const idIn = (key: QueryKey) => (inputOf(key).params as { id?: number } | undefined)?.id

export function applyPatch(client: QueryClient, patch: Patch): void {
  client.setQueriesData<Row>(
    { predicate: (query) => query.queryKey[0] === patch.record && idIn(query.queryKey) === patch.id },
    (record) => (record ? { ...record, ...patch.fields } : record),
  )
  client.setQueriesData<Pages>(
    { predicate: (query) => query.queryKey[0] === patch.list && isList(query.queryKey) },
    (data) => {
      if (!data) return data
      const pages = patchPages(data.pages, patch.id, patch.fields as Partial<Row>)
      return pages === data.pages ? data : { ...data, pages: [...pages] }
    },
  )
}

/** What the answers show of the record now. */
function shownOf(client: QueryClient, { record, list, id }: Patch): Row | undefined {
  const single = client
    .getQueriesData<Row>({ predicate: ({ queryKey }) => queryKey[0] === record && idIn(queryKey) === id })
    .map(([, row]) => row)
    .find((row) => row !== undefined)
  if (single) return single
  return client
    .getQueriesData<Pages>({ predicate: ({ queryKey }) => queryKey[0] === list && isList(queryKey) })
    .flatMap(([, data]) => data?.pages.flatMap((page) => page.result) ?? [])
    .find((row) => row.id === id)
}

/** The same before the server has said so; the function that is given puts back what was shown. */
export function patchAhead(client: QueryClient, patch: Patch): () => void {
  const before = shownOf(client, patch)
  applyPatch(client, patch)
  return () => {
    if (!before) return
    const fields = Object.fromEntries(Object.keys(patch.fields).map((name) => [name, before[name]]))
    applyPatch(client, { ...patch, fields })
  }
}
