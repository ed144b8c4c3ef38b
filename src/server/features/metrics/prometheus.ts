/**
 * What Prometheus scrapes. Tasks have series of their own up to a limit; all others are `_other`. Which ones is decided at the first
 * scrape after a start, and a new one joins while there is room: a series that moved to and fro would look like runs that never were.
 * A task has every status from the beginning: to Prometheus, what appears with its first failure has never increased.
 */
import type { Metric } from '../../../contract/metrics.ts'
import type { Store } from '../../platform/store.ts'
import { type Bins, addTo } from './histogram.rules.ts'
import { endStatuses } from '../runs/runs.service.ts'
import { type Distribution, type Sample, histogram, simple } from './prometheus.rules.ts'
import { type TaskTotals, createPrometheusStore } from './prometheus.store.ts'

interface Totals {
  byStatus: Map<string, number>
  items: number
  rejects: number
  bytes: number
  attempts: number
  duration_ms: number
  durations: Bins
  delay_ms: number
  delays: Bins
}
const nothing = (): Totals => ({
  byStatus: new Map(),
  items: 0,
  rejects: 0,
  bytes: 0,
  attempts: 0,
  duration_ms: 0,
  durations: new Map(),
  delay_ms: 0,
  delays: new Map(),
})

function addBins(to: Bins, bins: Bins, sign: number): void {
  for (const [bin, count] of bins) to.set(bin, (to.get(bin) ?? 0) + sign * count)
}
function add(to: Totals, row: TaskTotals, sign: 1 | -1): void {
  to.byStatus.set(row.status, (to.byStatus.get(row.status) ?? 0) + sign * row.runs)
  to.items += sign * row.items
  to.rejects += sign * row.rejects
  to.bytes += sign * row.bytes
  to.attempts += sign * row.attempts
  to.duration_ms += sign * row.duration_ms
  to.delay_ms += sign * row.delay_ms
  for (const histogramName of ['durations', 'delays'] as const) {
    const bins: Bins = new Map()
    addTo(bins, row[histogramName])
    addBins(to[histogramName], bins, sign)
  }
}

/** Custom metrics: their newest value, and whether their threshold or deadline is violated. */
function customGauges(metrics: readonly Metric[]): string {
  const own = metrics.flatMap(({ name, unit, custom }) => (custom ? [{ labels: { metric: name, unit }, custom }] : []))
  return [
    simple(
      'gauge',
      { name: 'headgate_custom_metric', help: 'Newest value of a custom metric, in its unit.' },
      own.flatMap(({ labels, custom: { value } }) => (value === null ? [] : [{ labels, value }])),
    ),
    simple(
      'gauge',
      { name: 'headgate_custom_metric_violated', help: 'Whether a threshold or deadline is violated: 1 or 0.' },
      own.map(({ labels: { metric }, custom: { state } }) => ({
        labels: { metric },
        value: state === 'violated' ? 1 : 0,
      })),
    ),
  ].join('')
}

export function createPrometheus(
  store: Pick<Store, 'sqlite'>,
  version: string,
  mostTasks: () => number,
  custom: () => readonly Metric[],
) {
  const rows = createPrometheusStore(store)
  const chosen = new Set<number>()

  function choose(): number[] {
    const most = mostTasks()
    if (chosen.size < most) {
      for (const task of rows.busiest(most)) if (chosen.size < most) chosen.add(task)
    }
    return [...chosen].slice(0, most)
  }

  /** By task, then all others together where there are any. */
  function totals(): { labels: { task: string; task_id: string }; of: Totals }[] {
    const tasks = choose()
    const names = rows.names(tasks)
    const byTask = new Map<number, Totals>(tasks.map((id) => [id, nothing()]))
    const other = nothing()
    for (const row of rows.ofTasks([0])) add(other, row, 1)
    for (const row of rows.ofTasks(tasks)) {
      add(byTask.get(row.task_id)!, row, 1)
      add(other, row, -1)
    }
    const found = [...byTask].map(([id, of]) => ({ labels: { task: names.get(id) ?? '', task_id: String(id) }, of }))
    const rest = [...other.byStatus.values()].some((runs) => runs > 0)
    return rest ? [...found, { labels: { task: '_other', task_id: '' }, of: other }] : found
  }

  return function scrape(): string {
    const tasks = totals()
    const each = (value: (of: Totals) => number): Sample[] =>
      tasks.map(({ labels, of }) => ({ labels, value: value(of) }))
    const spread = (bins: 'durations' | 'delays', sum: 'duration_ms' | 'delay_ms'): Distribution[] =>
      tasks.map(({ labels, of }) => ({ labels, bins: of[bins], sum: of[sum] }))
    const current = new Map(rows.current().map(({ status, n }) => [status, n]))
    return [
      simple('gauge', { name: 'headgate_build_info', help: 'Version of Headgate.' }, [
        { labels: { version }, value: 1 },
      ]),
      simple('gauge', { name: 'headgate_runs_queued', help: 'Runs that wait for an executor or a retry.' }, [
        { labels: {}, value: current.get('pending') ?? 0 },
      ]),
      simple('gauge', { name: 'headgate_runs_running', help: 'Runs that an executor is working on.' }, [
        { labels: {}, value: current.get('running') ?? 0 },
      ]),
      simple(
        'counter',
        { name: 'headgate_runs_total', help: 'Runs that have ended, by status.' },
        tasks.flatMap(({ labels, of }) =>
          endStatuses.map((status) => ({ labels: { ...labels, status }, value: of.byStatus.get(status) ?? 0 })),
        ),
      ),
      simple(
        'counter',
        { name: 'headgate_run_attempts_total', help: 'Attempts of runs that have ended.' },
        each(({ attempts }) => attempts),
      ),
      simple(
        'counter',
        { name: 'headgate_rows_total', help: 'Rows that runs have written.' },
        each(({ items }) => items),
      ),
      simple(
        'counter',
        { name: 'headgate_rejected_rows_total', help: 'Rows that runs have rejected.' },
        each(({ rejects }) => rejects),
      ),
      simple(
        'counter',
        { name: 'headgate_written_bytes_total', help: 'Bytes that runs have written, where the target tells.' },
        each(({ bytes }) => bytes),
      ),
      simple(
        'counter',
        { name: 'headgate_run_errors_total', help: 'Runs that have failed, by error code.' },
        rows.errors().map(({ error_code, runs }) => ({ labels: { error_code }, value: runs })),
      ),
      simple(
        'counter',
        {
          name: 'headgate_executor_busy_seconds_total',
          help: 'Time that executors have spent on runs, one second for each busy slot and second.',
        },
        rows.executors().map(({ name, busy_ms }) => ({ labels: { executor: name }, value: busy_ms / 1000 })),
      ),
      histogram(
        { name: 'headgate_run_duration_seconds', help: 'How long runs took.' },
        spread('durations', 'duration_ms'),
      ),
      histogram(
        { name: 'headgate_run_queue_delay_seconds', help: 'How long runs waited for an executor.' },
        spread('delays', 'delay_ms'),
      ),
      customGauges(custom()),
    ].join('')
  }
}
