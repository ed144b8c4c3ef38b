import { useEffect } from 'react'
import { type JobRunItem, type JobRunNode, listJobRunItems } from '../../../contract/job-runs.ts'
import { type ListState, useList } from '../../api/queries.ts'
import { itemText } from './tree-rows.ts'

const pageRows = 200

/** Items of a `for_each`; the tree, the table and the search for one item share what was read. */
export function useItems(jobRunId: number, key: string, enabled: boolean): ListState<JobRunItem> {
  return useList(listJobRunItems, { params: { id: jobRunId, key }, query: { limit: pageRows } }, { enabled })
}

/** What the outputs of a `for_each` are called in their list: its items, as far as they are read. */
export function useItemNames(jobRunId: number, node: JobRunNode): readonly string[] {
  const { rows } = useItems(jobRunId, node.key, node.outputs !== null && (node.item_total ?? 0) > 0)
  return rows.map(({ item }) => itemText(item))
}

/** The chosen item: from the node where it came with it, else looked for along the list. */
export function useChosenItem(
  jobRunId: number,
  node: JobRunNode,
  index: number | null,
): { item: JobRunItem | null; searching: boolean } {
  const known = node.items.find((one) => one.index === index) ?? null
  const wanted = index !== null && known === null
  const list = useItems(jobRunId, node.key, wanted)
  const found = wanted ? (list.rows.find((one) => one.index === index) ?? null) : known
  const { hasNext, isFetchingNext, fetchNext, isLoading } = list
  const searching = wanted && found === null && (isLoading || hasNext)
  useEffect(() => {
    if (searching && hasNext && !isFetchingNext) fetchNext()
  }, [searching, hasNext, isFetchingNext, fetchNext])
  return { item: found, searching }
}
