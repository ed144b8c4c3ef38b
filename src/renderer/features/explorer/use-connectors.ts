import { useEffect, useMemo } from 'react'
import { listConnectors } from '../../../contract/connectors.ts'
import { useList } from '../../api/queries.ts'
import { compareNames } from '../../ui/format.ts'
import { languageOf } from './statements.rules.ts'

/** All connectors that can be asked, however many pages they take. */
export function useConnectors() {
  const list = useList(listConnectors, { query: { sort: 'name', order: 'asc', limit: 200 } })
  const { hasNext, fetchNext } = list
  useEffect(() => {
    if (hasNext) fetchNext()
  })
  const connectors = useMemo(
    () => list.rows.filter(({ type }) => languageOf(type) !== null).toSorted((a, b) => compareNames(a.name, b.name)),
    [list.rows],
  )
  return { connectors, isLoading: list.isLoading || hasNext, error: list.error, retry: list.retry }
}
