import { type UseQueryResult, keepPreviousData, useQuery } from '@tanstack/react-query'
import { type MetricResult, queryMetrics } from '../../../contract/metrics.ts'
import type { ApiFailure } from '../../api/client.ts'
import { call } from '../../api/client.ts'
import type { MetricQuery, TaskFigure } from './metrics.rules.ts'

const whileCountingMs = 5_000

/** Which share of the runs is counted; null: all of them. */
export const countedOf = (results: Readonly<Record<string, MetricResult>>): number | null =>
  Object.values(results).find(({ counted }) => counted !== null)?.counted ?? null

/** Several metrics at once; they come together. Asked again every minute, as their times move on. */
export function useMetrics<Name extends string>(
  queries: Readonly<Record<Name, MetricQuery>>,
): UseQueryResult<Record<Name, MetricResult>, ApiFailure> {
  return useQuery<Record<Name, MetricResult>, ApiFailure>({
    queryKey: [queryMetrics.id, queries],
    queryFn: async ({ signal }) => {
      const names = Object.keys(queries) as Name[] // of the record itself
      const results = await Promise.all(names.map((name) => call(queryMetrics, { body: queries[name], signal })))
      // One result for each name, in their order.
      return Object.fromEntries(names.map((name, at) => [name, results[at]])) as Record<Name, MetricResult>
    },
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data && countedOf(state.data) !== null ? whileCountingMs : false),
  })
}

export const totalOf = (result: MetricResult): number | null => result.series[0]?.total ?? null

/** Groups of tasks or executors that have a value. */
export const figuresOf = (result: MetricResult, by: 'task' | 'executor' = 'task'): TaskFigure[] =>
  result.series.flatMap(({ group, names, total }) =>
    typeof group[by] === 'number' && total !== null
      ? [{ id: group[by], name: names[by] ?? String(group[by]), value: total }]
      : [],
  )
