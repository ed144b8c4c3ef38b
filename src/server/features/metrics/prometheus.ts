/**
 * What Prometheus scrapes. Tasks have series of their own up to a limit; all others are `_other`. Which ones is decided at the first
 * scrape after a start, and a new one joins while there is room: a series that moved to and fro would look like runs that never were.
 * A task has every status from the beginning: to Prometheus, what appears with its first failure has never increased.
 */
import { setImmediate as otherRequests } from 'node:timers/promises'
import type { Metric } from '../../../contract/metrics.ts'
import type { Store } from '../../platform/store.ts'
import { createTaskSeries } from './prometheus-tasks.ts'
import { simple } from './prometheus.rules.ts'
import { createPrometheusStore } from './prometheus.store.ts'

/** Tasks whose lines are made in one go: some milliseconds. */
const renewedAtOnce = 100

/** Custom metrics: their newest value, and whether their threshold or deadline is violated. */
function customGauges(metrics: readonly Metric[]): string {
  const own = metrics.flatMap(({ name, unit, custom }) => {
    if (!custom) return []
    // An age, in the base unit; others have a unit of their own.
    const isAge = custom.kind === 'freshness'
    const value = isAge && custom.value !== null ? custom.value / 1000 : custom.value
    return [{ labels: { metric: name, unit: isAge ? 's' : unit }, value, state: custom.state }]
  })
  return [
    simple(
      'gauge',
      { name: 'headgate_custom_metric', help: 'Newest value of a custom metric, in its unit; ages in seconds.' },
      own.flatMap(({ labels, value }) => (value === null ? [] : [{ labels, value }])),
    ),
    simple(
      'gauge',
      { name: 'headgate_custom_metric_violated', help: 'Whether a threshold or deadline is violated: 1 or 0.' },
      own.map(({ labels: { metric }, state }) => ({
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
  const series = createTaskSeries(rows)
  const chosen = new Set<number>()

  function choose(): number[] {
    const most = mostTasks()
    if (chosen.size < most) {
      for (const task of rows.busiest(most)) if (chosen.size < most) chosen.add(task)
    }
    return [...chosen].slice(0, most)
  }

  return async function scrape(): Promise<string> {
    // Many at once would hold up everyone else.
    const stale = series.stale(choose())
    for (let at = 0; at < stale.length; at += renewedAtOnce) {
      series.renew(stale.slice(at, at + renewedAtOnce))
      await otherRequests()
    }
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
      series.text(choose()),
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
      customGauges(custom()),
    ].join('')
  }
}
