/** Reading and changing through TanStack Query. Keys are `[operation id, input]`, so that events can name what is stale. */
import {
  type InfiniteData,
  type QueryKey,
  type UseMutationResult,
  type UseQueryResult,
  hashKey,
  keepPreviousData,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useCallback, useLayoutEffect, useMemo, useRef } from 'react'
import { type Paginated, listLimit } from '../../contract/common.ts'
import type { Operation, QueryOf, ResultOf } from '../../contract/operation.ts'
import type { OperationId } from '../../contract/operations.ts'
import { type ApiFailure, type CallInput, call } from './client.ts'
import { flattenPages } from './pages.ts'
import { type Patch, patchAhead } from './patch-cache.ts'

export type QueryInput<T extends Operation> = Omit<CallInput<T>, 'signal' | 'headers' | 'body'>

export const queryKey = <T extends Operation>(op: T, input: QueryInput<T> = {}): QueryKey => [op.id, input]
/** Lists keep another shape in the cache than single answers. */
export const listKey = <T extends Operation>(op: T, input: QueryInput<T> = {}): QueryKey => [op.id, input, 'list']

export interface OperationOptions<T = unknown> {
  enabled?: boolean
  /** Shows the last answer while the next one (other input) is on its way. */
  keepPrevious?: boolean
  staleTime?: number
  /** Asked again so many ms later, by what was answered: for what is too big to follow every event. */
  renewMs?: (data: T | undefined) => number | false
}

/**
 * How one operation is asked and kept; whoever asks shares one answer, so all must ask by this. Records that carry an ETag keep their
 * identity, so that `etagOf(data)` finds it.
 */
export const operationQuery = <T extends Operation>(op: T, input: QueryInput<T> = {}) =>
  queryOptions<ResultOf<T>, ApiFailure>({
    queryKey: queryKey(op, input),
    queryFn: ({ signal }) => call(op, { ...input, signal }),
    structuralSharing: !op.etag,
  })

/** Reads one operation. */
export function useOperation<T extends Operation>(
  op: T,
  input: QueryInput<T> = {},
  options: OperationOptions<ResultOf<T>> = {},
): UseQueryResult<ResultOf<T>, ApiFailure> {
  return useQuery({
    ...operationQuery(op, input),
    enabled: options.enabled ?? true,
    ...(options.keepPrevious ? { placeholderData: keepPreviousData } : {}),
    ...(options.staleTime === undefined ? {} : { staleTime: options.staleTime }),
    refetchInterval: (query) => options.renewMs?.(query.state.data) ?? false,
  })
}

type PageRow<T extends Operation> = ResultOf<T> extends Paginated<infer Row> ? Row : never

export interface ListState<Row> {
  rows: Row[]
  /** Records that match the filters; undefined until the first page is here. */
  total: number | undefined
  /** The first page has not come yet. */
  isLoading: boolean
  isFetchingNext: boolean
  /** The rows are those of another question, kept until the answer to this one comes. */
  isRefreshing: boolean
  error: ApiFailure | null
  hasNext: boolean
  fetchNext: () => void
  retry: () => void
  /** Reads all that match, from the first to the `most`th, whatever is loaded. The same function as long as the list asks the same. */
  readAll: (given: { most: number; signal: AbortSignal; onRead: (count: number) => void }) => Promise<Row[]>
}

type ReadAll = Parameters<ListState<unknown>['readAll']>[0]

/** Pages of the largest size, one after the other, so that the server answers others between them. */
async function readPages<T extends Operation>(
  op: T,
  input: QueryInput<T>,
  { most, signal, onRead }: ReadAll,
): Promise<PageRow<T>[]> {
  const pages: Paginated<PageRow<T>>[] = []
  let cursor: string | null = null
  let count = 0
  do {
    // Every list takes a cursor and a limit beside its own filters (listQuery).
    const query = { ...input.query, limit: listLimit.maximum, ...(cursor ? { cursor } : {}) } as QueryOf<T>
    const page: Paginated<PageRow<T>> = await call(op, { ...input, query, signal })
    pages.push(page)
    count += page.result.length
    onRead(count)
    cursor = page.nextCursor
  } while (cursor !== null && count < most)
  return flattenPages(pages).slice(0, most)
}

/** Reads a list page by page along its cursor (`fetchNext` when the end is in sight). */
export function useList<T extends Operation>(
  op: T,
  input: QueryInput<T> = {},
  options: OperationOptions = {},
): ListState<PageRow<T>> {
  type Page = Paginated<PageRow<T>>
  const query = useInfiniteQuery<Page, ApiFailure, InfiniteData<Page, string | null>, QueryKey, string | null>({
    queryKey: listKey(op, input),
    queryFn: async ({ pageParam, signal }) => {
      // Every list takes a cursor beside its own filters (listQuery).
      const pageQuery = { ...input.query, ...(pageParam ? { cursor: pageParam } : {}) } as QueryOf<T>
      return await call(op, { ...input, query: pageQuery, signal })
    },
    initialPageParam: null,
    // Events bring the head of a list up to date; a table of all operations for that would be in the window's first script.
    meta: { op },
    getNextPageParam: (page) => page.nextCursor,
    enabled: options.enabled ?? true,
    ...(options.keepPrevious ? { placeholderData: keepPreviousData } : {}),
  })
  const rows = useMemo(() => flattenPages(query.data?.pages), [query.data])
  const asked = hashKey([op.id, input])
  const latest = useRef(input)
  useLayoutEffect(() => {
    latest.current = input
  })
  const readAll = useCallback<ListState<PageRow<T>>['readAll']>(
    // Reads what the list asks now: it is made anew when that changes.
    async ({ most, signal, onRead }) => await readPages<T>(op, latest.current, { most, signal, onRead }),
    // oxlint-disable-next-line react/exhaustive-deps
    [op, asked],
  )
  return {
    rows,
    total: query.data?.pages[0]?.total,
    isLoading: query.isPending && (options.enabled ?? true),
    isFetchingNext: query.isFetchingNextPage,
    isRefreshing: query.isPlaceholderData,
    error: query.error,
    hasNext: query.hasNextPage && !query.isFetchNextPageError,
    fetchNext: () => {
      if (query.hasNextPage && !query.isFetchingNextPage) void query.fetchNextPage()
    },
    readAll,
    retry: () => void (query.isFetchNextPageError ? query.fetchNextPage() : query.refetch()),
  }
}

export interface ActionOptions<T extends Operation> {
  /** Operations whose cached answers are stale once this one has succeeded. */
  invalidates?: readonly OperationId[]
  /** What pages show at once, before the server has answered; taken back when it refuses. */
  ahead?: (input: CallInput<T>) => Patch
}

/** Performs a change. The mutation's variables are the operation's input. */
export function useAction<T extends Operation>(
  op: T,
  options: ActionOptions<T> = {},
): UseMutationResult<ResultOf<T>, ApiFailure, CallInput<T>> {
  const client = useQueryClient()
  const { ahead } = options
  return useMutation<ResultOf<T>, ApiFailure, CallInput<T>>({
    mutationKey: [op.id],
    mutationFn: async (input) => {
      const takeBack = ahead ? patchAhead(client, ahead(input)) : undefined
      try {
        return await call(op, input)
      } catch (error) {
        takeBack?.()
        throw error
      }
    },
    onSuccess: () => {
      for (const id of options.invalidates ?? []) void client.invalidateQueries({ queryKey: [id] })
    },
  })
}
