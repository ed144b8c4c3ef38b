import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type RecentRuns, type RecentSubject, listRecentRuns } from '../../../contract/recent-runs.ts'
import { operationQuery } from '../../api/queries.ts'

/** As many as a page of a list brings, so that each page asks once. */
const pageRows = 100

/** Runs shown of each record. */
export const shownRuns = 20

/** The newest runs of the rows of a list by id; of rows that have just come there is nothing yet. */
export function useRecentRuns(of: RecentSubject, rows: readonly { id: number }[]): ReadonlyMap<number, RecentRuns> {
  const pages = useMemo(() => {
    const found: number[][] = []
    for (let at = 0; at < rows.length; at += pageRows) found.push(rows.slice(at, at + pageRows).map(({ id }) => id))
    return found
  }, [rows])
  return useQueries({
    queries: pages.map((ids) => operationQuery(listRecentRuns, { query: { of, ids, limit: shownRuns } })),
    combine: byId,
  })
}

const byId = (results: readonly { data?: readonly RecentRuns[] | undefined }[]): ReadonlyMap<number, RecentRuns> =>
  new Map(results.flatMap(({ data = [] }) => data.map((one) => [one.id, one])))
