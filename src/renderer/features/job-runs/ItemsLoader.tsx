import { useEffect } from 'react'
import type { LoadedItems } from './tree-rows.ts'
import { useItems } from './use-node-run.ts'

export interface ItemsLoaderProps {
  jobRunId: number
  nodeKey: string
  /** The end of the items that are here is in sight. */
  wantsMore: boolean
  onItems(key: string, items: LoadedItems): void
}

/** Reads the items of one unfolded task, page by page as they come into sight; draws nothing. */
export function ItemsLoader({ jobRunId, nodeKey, wantsMore, onItems }: ItemsLoaderProps) {
  const { rows, hasNext, isFetchingNext, fetchNext, error, retry } = useItems(jobRunId, nodeKey, true)
  const failed = error !== null
  useEffect(
    () => onItems(nodeKey, { items: rows, hasMore: hasNext, failed }),
    [nodeKey, rows, hasNext, failed, onItems],
  )
  useEffect(() => {
    // Unfolded again after a failure: tried again.
    if (failed) retry()
    // oxlint-disable-next-line react/exhaustive-deps
  }, [])
  useEffect(() => {
    if (wantsMore && hasNext && !isFetchingNext && !failed) fetchNext()
  }, [wantsMore, hasNext, isFetchingNext, failed, fetchNext])
  return null
}
