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
import { type OperationId, operations } from '../../contract/operations.ts'
import { type CallInput, call } from './client.ts'
import { type Effect, effectOf } from './event-rules.ts'
import { mergeHead, patchPages } from './pages.ts'

interface Row {
  id: number
  [field: string]: unknown
}
type Pages = InfiniteData<Paginated<Row>, string | null>

const isList = (key: QueryKey) => key[2] === 'list'
const inputOf = (key: QueryKey) => (key[1] ?? {}) as CallInput<Operation>
const idIn = (key: QueryKey) => (inputOf(key).params as { id?: number } | undefined)?.id

function applyPatch(client: QueryClient, patch: NonNullable<Effect['patch']>): void {
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
async function refreshHead(client: QueryClient, query: Query): Promise<void> {
  const input = inputOf(query.queryKey)
  const op: Operation = operations[query.queryKey[0] as OperationId]
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

function refreshList(client: QueryClient, op: OperationId): void {
  for (const query of client.getQueryCache().findAll({ queryKey: [op] })) {
    const data = query.state.data as Pages | undefined
    if (!isList(query.queryKey) || !query.isActive() || !data || query.state.fetchStatus === 'fetching') {
      renew(client, { queryKey: query.queryKey, exact: true })
      continue
    }
    refreshHead(client, query).catch((error: unknown) => {
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
