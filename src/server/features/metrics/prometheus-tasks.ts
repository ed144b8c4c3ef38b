/**
 * Series of tasks, and of all others together. The text of a task is kept until one of its runs ends: with thousands of tasks, most
 * of a scrape is as it was.
 */
import { endStatuses } from '../runs/runs.service.ts'
import { type Bins, addTo } from './histogram.rules.ts'
import { type Family, headOf, histogramLines, sampleLines } from './prometheus.rules.ts'
import type { PrometheusStore, TaskTotals } from './prometheus.store.ts'

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

type Labels = { task: string; task_id: string }
interface TaskFamily extends Family {
  type: 'counter' | 'histogram'
  lines(name: string, labels: Labels, of: Totals): string
}

const counter = (name: string, help: string, value: (of: Totals) => number): TaskFamily => ({
  name,
  help,
  type: 'counter',
  lines: (family, labels, of) => sampleLines(family, [{ labels, value: value(of) }]),
})
const histogram = (
  name: string,
  help: string,
  bins: 'durations' | 'delays',
  sum: 'duration_ms' | 'delay_ms',
): TaskFamily => ({
  name,
  help,
  type: 'histogram',
  lines: (family, labels, of) => histogramLines(family, { labels, bins: of[bins], sum: of[sum] }),
})

const families: readonly TaskFamily[] = [
  {
    name: 'headgate_runs_total',
    help: 'Runs that have ended, by status.',
    type: 'counter',
    lines: (name, labels, of) =>
      sampleLines(
        name,
        endStatuses.map((status) => ({ labels: { ...labels, status }, value: of.byStatus.get(status) ?? 0 })),
      ),
  },
  counter('headgate_run_attempts_total', 'Attempts of runs that have ended.', ({ attempts }) => attempts),
  counter('headgate_rows_total', 'Rows that runs have written.', ({ items }) => items),
  counter('headgate_rejected_rows_total', 'Rows that runs have rejected.', ({ rejects }) => rejects),
  counter(
    'headgate_written_bytes_total',
    'Bytes that runs have written, where the target tells.',
    ({ bytes }) => bytes,
  ),
  histogram('headgate_run_duration_seconds', 'How long runs took.', 'durations', 'duration_ms'),
  histogram('headgate_run_queue_delay_seconds', 'How long runs waited for an executor.', 'delays', 'delay_ms'),
]
const linesOf = (labels: Labels, of: Totals): string[] => families.map(({ name, lines }) => lines(name, labels, of))

/** A task whose lines are known. */
interface Known {
  /** What they were made of. */
  name: string
  sums: string
  rows: readonly TaskTotals[]
  /** Of each family. */
  lines: readonly string[]
}

export function createTaskSeries(store: PrometheusStore) {
  const known = new Map<number, Known>()
  /** Of the tasks that are known. */
  const together = nothing()

  function forget(id: number): void {
    for (const row of known.get(id)?.rows ?? []) add(together, row, -1)
    known.delete(id)
  }

  /** Tasks whose lines are not those of now, and what they are made of now. */
  function stale(tasks: readonly number[]): { id: number; name: string; sums: string }[] {
    const names = store.names(tasks)
    const sums = store.sums(tasks)
    return tasks.flatMap((id) => {
      const now = { id, name: names.get(id) ?? '', sums: sums.get(id) ?? '' }
      const before = known.get(id)
      return before?.name === now.name && before.sums === now.sums ? [] : now
    })
  }

  function renew(tasks: ReturnType<typeof stale>): void {
    const rows = Map.groupBy(store.ofTasks(tasks.map(({ id }) => id)), ({ task_id }) => task_id)
    for (const { id, name, sums } of tasks) {
      forget(id)
      const own = rows.get(id) ?? []
      const of = nothing()
      for (const row of own) {
        add(of, row, 1)
        add(together, row, 1)
      }
      known.set(id, { name, sums, rows: own, lines: linesOf({ task: name, task_id: String(id) }, of) })
    }
  }

  return {
    stale,
    renew,
    /** By family; all tasks but these are one, where there are any. */
    text(tasks: readonly number[]): string {
      const wanted = new Set(tasks)
      for (const id of known.keys()) if (!wanted.has(id)) forget(id)
      renew(stale(tasks))
      const other = nothing()
      for (const row of store.ofTasks([0])) add(other, row, 1)
      for (const [status, runs] of together.byStatus)
        other.byStatus.set(status, (other.byStatus.get(status) ?? 0) - runs)
      for (const sum of ['items', 'rejects', 'bytes', 'attempts', 'duration_ms', 'delay_ms'] as const)
        other[sum] -= together[sum]
      for (const bins of ['durations', 'delays'] as const) addBins(other[bins], together[bins], -1)
      const rest = [...other.byStatus.values()].some((runs) => runs > 0)
      const all = [
        ...tasks.map((id) => known.get(id)?.lines ?? []),
        ...(rest ? [linesOf({ task: '_other', task_id: '' }, other)] : []),
      ]
      if (all.length === 0) return ''
      return families.map((family, at) => headOf(family, family.type) + all.map((lines) => lines[at]).join('')).join('')
    },
  }
}
