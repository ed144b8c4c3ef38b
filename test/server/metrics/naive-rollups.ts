// The roll-ups as someone would count them who has every run that ever ended in front of them.
import type { Database } from 'better-sqlite3'
import { expect } from 'vitest'
import { type Bins, addTo, percentile } from '../../../src/server/features/metrics/histogram.rules.ts'

export interface LedgerRun {
  id: number
  task_id: number
  job_id: number | null
  executor_id: number | null
  trigger_type: string
  status: string
  error_code: string | null
  ready_at: string
  started_at: string | null
  completed_at: string
  duration_ms: number | null
  item_count: number | null
  reject_count: number | null
  attempt: number
  bytes: number | null
  earlier: readonly { executor_id: number; duration_ms: number }[]
}

/** Every run of the store that has ended. */
export const endedRuns = (sqlite: Database): LedgerRun[] =>
  sqlite
    .prepare<[], Omit<LedgerRun, 'earlier'> & { earlier: string }>(
      `SELECT runs.*, (SELECT json_group_array(json_object('executor_id', a.executor_id, 'duration_ms', a.duration_ms))
         FROM run_attempts a WHERE a.run_id = runs.id) AS earlier, (SELECT sum(bytes) FROM run_steps s WHERE s.run_id = runs.id AND s.attempt = runs.attempt) AS bytes
       FROM runs WHERE completed_at IS NOT NULL`,
    )
    .all()
    // As selected above.
    .map((run) => ({ ...run, earlier: JSON.parse(run.earlier) as LedgerRun['earlier'] }))

interface Counted {
  runs: number
  items: number
  rejects: number
  bytes: number
  attempts: number
  earlier_ms: number
  durations: number[]
  delays: number[]
}

const nothing = (): Counted => ({
  runs: 0,
  items: 0,
  rejects: 0,
  bytes: 0,
  attempts: 0,
  earlier_ms: 0,
  durations: [],
  delays: [],
})
const lengths = [15 * 60_000, 3_600_000, 86_400_000, Infinity]

function countNaively(ledger: readonly LedgerRun[]): Map<string, Counted> {
  const found = new Map<string, Counted>()
  for (const run of ledger) {
    for (const [grain, ms] of lengths.entries()) {
      for (const [task, job] of [
        [run.task_id, run.job_id ?? 0],
        [0, 0],
      ]) {
        const bucket = ms === Infinity ? 0 : Math.floor(new Date(run.completed_at).getTime() / ms)
        const sumOf = (executor: number | null): Counted => {
          const parts = [grain, task, bucket, job, executor ?? 0, run.trigger_type, run.status, run.error_code ?? '']
          const key = parts.join(' ')
          const sum = found.get(key) ?? nothing()
          found.set(key, sum)
          return sum
        }
        for (const { executor_id, duration_ms } of run.earlier) sumOf(executor_id).earlier_ms += duration_ms
        const sum = sumOf(run.executor_id)
        sum.runs++
        sum.items += run.item_count ?? 0
        sum.rejects += run.reject_count ?? 0
        sum.bytes += run.bytes ?? 0
        sum.attempts += run.attempt
        if (run.duration_ms !== null) sum.durations.push(run.duration_ms)
        if (run.started_at !== null) {
          sum.delays.push(Math.max(0, new Date(run.started_at).getTime() - new Date(run.ready_at).getTime()))
        }
      }
    }
  }
  return found
}

interface StoredRow {
  grain: number
  task_id: number
  bucket: number
  job_id: number
  executor_id: number
  trigger_type: string
  status: string
  error_code: string
  runs: number
  items: number
  rejects: number
  bytes: number
  attempts: number
  duration_ms: number
  earlier_ms: number
  durations: string
  durations_max: number
  delay_ms: number
  delays: string
  delays_max: number
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

function expectHistogram(text: string, most: number, values: readonly number[]): void {
  const bins: Bins = new Map()
  addTo(bins, text)
  expect(sum([...bins.values()])).toBe(values.length)
  const sorted = values.toSorted((a, b) => a - b)
  expect(most).toBe(sorted.at(-1) ?? 0)
  for (const share of [0.5, 0.95, 0.99, 1]) {
    const exact = sorted[Math.max(1, Math.ceil(share * sorted.length)) - 1]
    const told = percentile(bins, share, most)
    if (exact === undefined) expect(told).toBeNull()
    else {
      expect(Math.abs(told! - exact)).toBeLessThanOrEqual(exact * 0.0222 + 0.5)
      expect(told).toBeLessThanOrEqual(most)
    }
  }
}

/** The store's roll-ups are those of these runs, no more and no fewer. */
export function expectRollupsOf(sqlite: Database, ledger: readonly LedgerRun[]): void {
  const rows = sqlite.prepare<[], StoredRow>('SELECT * FROM metric_rollups WHERE grain <= 3').all()
  const naive = countNaively(ledger)
  const stored = new Map(
    rows.map((row) => [
      [
        row.grain,
        row.task_id,
        row.bucket,
        row.job_id,
        row.executor_id,
        row.trigger_type,
        row.status,
        row.error_code,
      ].join(' '),
      row,
    ]),
  )
  expect([...stored.keys()].toSorted()).toEqual([...naive.keys()].toSorted())
  for (const [key, { durations, delays, ...sums }] of naive) {
    const row = stored.get(key)!
    expect({ key, ...row }).toMatchObject({ key, ...sums, duration_ms: sum(durations), delay_ms: sum(delays) })
    expectHistogram(row.durations, row.durations_max, durations)
    expectHistogram(row.delays, row.delays_max, delays)
  }
}
