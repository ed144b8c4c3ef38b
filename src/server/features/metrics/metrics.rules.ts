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
  delay_ms: number
  /** Only where the metric needs them. */
  durations: string | null
  delays: string | null
}
export const noSums = (): Sums => ({
  runs: 0,
  succeeded: 0,
  failed: 0,
  items: 0,
  rejects: 0,
  bytes: 0,
  attempts: 0,
  duration_ms: 0,
  delay_ms: 0,
  durations: '',
  delays: '',
})

export function addSums(to: Sums, more: Sums): void {
  to.runs += more.runs
  to.succeeded += more.succeeded
  to.failed += more.failed
  to.items += more.items
  to.rejects += more.rejects
  to.bytes += more.bytes
  to.attempts += more.attempts
  to.duration_ms += more.duration_ms
  to.delay_ms += more.delay_ms
  to.durations = (to.durations ?? '') + (more.durations ?? '')
  to.delays = (to.delays ?? '') + (more.delays ?? '')
}

type Histogram = 'durations' | 'delays'
interface Definition {
  unit: (typeof metricUnits)[number]
  empty: 0 | null
  histogram?: Histogram
  value(sums: Sums): number | null
}

function binsOf(text: string | null): Bins {
  const bins: Bins = new Map()
  addTo(bins, text ?? '')
  return bins
}
const sum = (unit: Definition['unit'], value: (sums: Sums) => number): Definition => ({ unit, empty: 0, value })
const ratio = (of: (sums: Sums) => [number, number]): Definition => ({
  unit: 'ratio',
  empty: null,
  value(sums) {
    const [part, all] = of(sums)
    return all === 0 ? null : part / all
  },
})
const share = (histogram: Histogram, of: number): Definition => ({
  unit: 'ms',
  empty: null,
  histogram,
  value: (sums) => percentile(binsOf(sums[histogram]), of),
})
const average = (histogram: Histogram, total: 'duration_ms' | 'delay_ms'): Definition => ({
  unit: 'ms',
  empty: null,
  histogram,
  value(sums) {
    const count = totalOf(binsOf(sums[histogram]))
    return count === 0 ? null : sums[total] / count
  },
})

export const definitions: ReadonlyMap<string, Definition> = new Map(
  Object.entries({
    runs: sum('runs', ({ runs }) => runs),
    succeeded_runs: sum('runs', ({ succeeded }) => succeeded),
    failed_runs: sum('runs', ({ failed }) => failed),
    success_rate: ratio(({ succeeded, failed }) => [succeeded, succeeded + failed]),
    rows: sum('rows', ({ items }) => items),
    rejects: sum('rows', ({ rejects }) => rejects),
    reject_rate: ratio(({ items, rejects }) => [rejects, items + rejects]),
    bytes: sum('bytes', ({ bytes }) => bytes),
    attempts: sum('attempts', ({ attempts }) => attempts),
    busy_time: sum('ms', ({ duration_ms }) => duration_ms),
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

export const listed: readonly Metric[] = [...definitions].map(([name, { unit, empty }]) => ({ name, unit, empty }))
