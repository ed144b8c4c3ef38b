import type { ListState } from '../api/queries.ts'
import type { DataTableProps } from './table.types.ts'

type ListProps = Pick<
  DataTableProps<unknown>,
  'loading' | 'refreshing' | 'error' | 'onRetry' | 'hasMore' | 'onMore' | 'loadingMore'
>

/** What a table has to know of the list whose rows it shows: how far it has come and how to go on. */
export const listProps = (list: Omit<ListState<unknown>, 'rows' | 'readAll'>): ListProps => ({
  loading: list.isLoading,
  refreshing: list.isRefreshing,
  error: list.error,
  onRetry: list.retry,
  hasMore: list.hasNext,
  onMore: list.fetchNext,
  loadingMore: list.isFetchingNext,
})
