/** Applies the effects of events to the query cache, gathered so that a storm of events costs a few requests a second. */
import {
  type InfiniteData,
  type Query,
  type QueryClient,
  type QueryFilters,
  type QueryKey,
  isCancelledError,
} from '@tanstack/react-query'
import type { Paginated } from '../../contract/common.ts'
import type { ServerEvent } from '../../contract/events.ts'
import type { Operation } from '../../contract/operation.ts'
import type { OperationId } from '../../contract/operations.ts'
import { call } from './client.ts'
import { effectOf } from './event-rules.ts'
import { mergeHead } from './pages.ts'
import { applyPatch, idIn, inputOf, isList } from './patch-cache.ts'

interface Row {
  id: number
  [field: string]: unknown
}
type Pages = InfiniteData<Paginated<Row>, string | null>

/**
 * Fetches again what is shown of the queries, and marks the others stale. A first answer that is on its way may be older than
 * the event, and a query without data is never asked twice at once: it is asked again when that answer is here.
 */
function renew(client: QueryClient, filters: QueryFilters): void {
  for (const query of client.getQueryCache().findAll(filters)) {
    if (query.state.data !== undefined || query.state.fetchStatus !== 'fetching') continue
    const again = () => void client.invalidateQueries({ queryKey: query.queryKey, exact: true })
    // In a turn of its own: the answer is put into the cache first.
    const later = () => setTimeout(again, 0)
    query.promise?.then(later, later)
  }
  void client.invalidateQueries(filters)
}

/** Requests for the heads of lists, counted: an answer that a later one has overtaken is dropped. */
let headsAsked = 0
const headShown = new WeakMap<Query, number>()

/** One request brings the list up to date, however many pages of it are loaded. */
async function refreshHead(client: QueryClient, query: Query, op: Operation): Promise<void> {
  const input = inputOf(query.queryKey)
  headsAsked += 1
  const turn = headsAsked
  const head = (await call(op, input)) as Paginated<Row>
  if ((headShown.get(query) ?? 0) > turn) return
  headShown.set(query, turn)
  client.setQueryData<Pages>(query.queryKey, (data) => {
    if (!data) return data
    const pages = mergeHead(head, data.pages)
    return { pages, pageParams: [null, ...data.pageParams.slice(1, pages.length)] }
  })
}

/** Sorted by something that changes, a row of any page can move to another: the head alone doesn't tell where the rest continues. */
const movesRows = (key: QueryKey): boolean => Object.hasOwn(inputOf(key).query ?? {}, 'sort')

function refreshList(client: QueryClient, op: OperationId): void {
  for (const query of client.getQueryCache().findAll({ queryKey: [op] })) {
    const data = query.state.data as Pages | undefined
    // `useList` puts it there.
    const list = query.meta?.op as Operation | undefined
    const idle = query.isActive() && query.state.fetchStatus !== 'fetching'
    if (!list || !isList(query.queryKey) || !data || !idle || (data.pages.length > 1 && movesRows(query.queryKey))) {
      renew(client, { queryKey: query.queryKey, exact: true })
      continue
    }
    refreshHead(client, query, list).catch((error: unknown) => {
      // The list itself says what is wrong when it cannot be brought up to date.
      if (!isCancelledError(error)) renew(client, { queryKey: query.queryKey, exact: true })
    })
  }
}

export interface EventEffects {
  apply: (event: ServerEvent) => void
  reset: () => void
  stop: () => void
}

/** `intervalMs` is the shortest time between two rounds of requests; the first one after a pause goes out at once. */
export function createEventEffects(client: QueryClient, intervalMs = 700): EventEffects {
  const lists = new Set<OperationId>()
  const all = new Set<OperationId>()
  const records = new Map<string, { op: OperationId; id: number }>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let lastFlush = 0

  const flush = () => {
    timer = undefined
    lastFlush = Date.now()
    for (const op of lists) refreshList(client, op)
    for (const op of all) renew(client, { queryKey: [op] })
    for (const { op, id } of records.values()) {
      renew(client, { predicate: (query) => query.queryKey[0] === op && idIn(query.queryKey) === id })
    }
    lists.clear()
    all.clear()
    records.clear()
  }
  const schedule = () => {
    timer ??= setTimeout(flush, Math.max(30, lastFlush + intervalMs - Date.now()))
  }
  return {
    apply: (event) => {
      const effect = effectOf(event)
      if (effect.patch) applyPatch(client, effect.patch)
      for (const op of effect.refreshLists) lists.add(op)
      for (const op of effect.refreshAll) all.add(op)
      for (const record of effect.refreshRecords) records.set(`${record.op} ${record.id}`, record)
      if (lists.size + all.size + records.size > 0) schedule()
    },
    reset: () => renew(client, {}),
    stop: () => clearTimeout(timer),
  }
}
