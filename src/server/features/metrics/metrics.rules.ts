/** The metrics that there are, and how each follows from sums over runs. */
import type { Metric, metricUnits } from '../../../contract/metrics.ts'
import { type Bins, addTo, percentile, totalOf } from './histogram.rules.ts'

/** Of the runs of one group in one time. */
export interface Sums {
  runs: number
  succeeded: number
  failed: number
  items: number
  rejects: number
  bytes: number
  attempts: number
  duration_ms: number
  earlier_ms: number
  delay_ms: number
  durations: Bins
  durations_max: number
  delays: Bins
  delays_max: number
}
/** As the store puts them together: histograms one behind the other. It says null where there is nothing. */
export type StoredSums = Partial<
  Record<SumName, number> & Record<Histogram, string | null> & Record<`${Histogram}_max`, number | null>
>
const names = [
  'runs',
  'succeeded',
  'failed',
  'items',
  'rejects',
  'bytes',
  'attempts',
  'duration_ms',
  'earlier_ms',
  'delay_ms',
] as const
export type SumName = (typeof names)[number]
export const noSums = (): Sums => ({
  runs: 0,
  succeeded: 0,
  failed: 0,
  items: 0,
  rejects: 0,
  bytes: 0,
  attempts: 0,
  duration_ms: 0,
  earlier_ms: 0,
  delay_ms: 0,
  durations: new Map(),
  durations_max: 0,
  delays: new Map(),
  delays_max: 0,
})

export function addSums(to: Sums, more: Sums): void {
  for (const name of names) to[name] += more[name]
  for (const name of ['durations', 'delays'] as const) {
    for (const [bin, count] of more[name]) to[name].set(bin, (to[name].get(bin) ?? 0) + count)
    to[`${name}_max`] = Math.max(to[`${name}_max`], more[`${name}_max`])
  }
}
/** Of a row that may have only some of them. */
export function addStored(to: Sums, more: StoredSums): void {
  for (const name of names) to[name] += more[name] ?? 0
  for (const name of ['durations', 'delays'] as const) {
    addTo(to[name], more[name] ?? '')
    to[`${name}_max`] = Math.max(to[`${name}_max`], more[`${name}_max`] ?? 0)
  }
}

type Histogram = 'durations' | 'delays'
export interface Definition {
  unit: (typeof metricUnits)[number]
  empty: 0 | null
  /** What is read for it. */
  histogram?: Histogram | undefined
  sums: readonly SumName[]
  value(sums: Sums): number | null
}

const sum = (unit: Definition['unit'], name: SumName): Definition => ({
  unit,
  empty: 0,
  sums: [name],
  value: (sums) => sums[name],
})
/** Of the two together, the first. */
const ratio = (part: SumName, rest: SumName): Definition => ({
  unit: 'ratio',
  empty: null,
  sums: [part, rest],
  value(sums) {
    const all = sums[part] + sums[rest]
    return all === 0 ? null : sums[part] / all
  },
})
const share = (histogram: Histogram, of: number): Definition => ({
  unit: 'ms',
  empty: null,
  histogram,
  sums: [],
  value: (sums) => percentile(sums[histogram], of, sums[`${histogram}_max`]),
})
const average = (histogram: Histogram, total: 'duration_ms' | 'delay_ms'): Definition => ({
  unit: 'ms',
  empty: null,
  histogram,
  sums: [total],
  value(sums) {
    const count = totalOf(sums[histogram])
    return count === 0 ? null : sums[total] / count
  },
})

export const definitions: ReadonlyMap<string, Definition> = new Map(
  Object.entries({
    runs: sum('runs', 'runs'),
    succeeded_runs: sum('runs', 'succeeded'),
    failed_runs: sum('runs', 'failed'),
    success_rate: ratio('succeeded', 'failed'),
    rows: sum('rows', 'items'),
    rejects: sum('rows', 'rejects'),
    reject_rate: ratio('rejects', 'items'),
    bytes: sum('bytes', 'bytes'),
    attempts: sum('attempts', 'attempts'),
    busy_time: {
      unit: 'ms',
      empty: 0,
      sums: ['duration_ms', 'earlier_ms'],
      value: (sums) => sums.duration_ms + sums.earlier_ms,
    },
    duration_avg: average('durations', 'duration_ms'),
    duration_p50: share('durations', 0.5),
    duration_p95: share('durations', 0.95),
    duration_p99: share('durations', 0.99),
    queue_delay_avg: average('delays', 'delay_ms'),
    queue_delay_p50: share('delays', 0.5),
    queue_delay_p95: share('delays', 0.95),
    queue_delay_p99: share('delays', 0.99),
  }),
)

export const listed: readonly Metric[] = [...definitions].map(([name, { unit, empty }]) => ({
  name,
  unit,
  empty,
  custom: null,
}))
