/** Writes the roll-ups. Needs nothing but the database: the command line rebuilds them without a server. */
import type { Database } from 'better-sqlite3'
import { compact } from './histogram.rules.ts'
import {
  type EarlierAttempt,
  type EndedRun,
  type Rollup,
  createSummary,
  grainMs,
  grains,
  placesOf,
  quarterMs,
  rollupsOf,
} from './rollup.rules.ts'

const columns = `id, task_id, job_id, executor_id, trigger_type, status, error_code, completed_at, ready_at, started_at, duration_ms,
  item_count, reject_count, attempt,
  (SELECT sum(bytes) FROM run_steps WHERE run_steps.run_id = runs.id AND run_steps.attempt = runs.attempt) AS bytes`
const runsAtOnce = 20_000
const ended = "status IN ('success', 'completed', 'failed', 'cancelled')"
/** Grains that are let go after some time, and how long a bucket of each is. */
const ageing = [
  [grains.quarter, grainMs(grains.quarter)],
  [grains.hour, grainMs(grains.hour)],
  [grains.day, grainMs(grains.day)],
  [grains.goneQuarter, quarterMs],
] as const

/** What a run counts that is about to be removed. */
export interface LeavingRun {
  id: number
  rollups: readonly Rollup[]
}

export function createRollupsStore(sqlite: Database) {
  sqlite.function('histogram_of_both', { deterministic: true }, (a, b) => compact(`${String(a)}${String(b)}`))
  const add = sqlite.prepare<[Rollup]>(`
    INSERT INTO metric_rollups (grain, task_id, bucket, job_id, executor_id, trigger_type, status, error_code, runs, items, rejects,
      bytes, attempts, duration_ms, earlier_ms, durations, durations_max, delay_ms, delays, delays_max)
    VALUES (@grain, @task_id, @bucket, @job_id, @executor_id, @trigger_type, @status, @error_code, @runs, @items, @rejects,
      @bytes, @attempts, @duration_ms, @earlier_ms, @durations, @durations_max, @delay_ms, @delays, @delays_max)
    ON CONFLICT DO UPDATE SET runs = runs + excluded.runs, items = items + excluded.items, rejects = rejects + excluded.rejects,
      bytes = bytes + excluded.bytes, attempts = attempts + excluded.attempts,
      duration_ms = duration_ms + excluded.duration_ms, earlier_ms = earlier_ms + excluded.earlier_ms,
      durations = histogram_of_both(durations, excluded.durations), durations_max = max(durations_max, excluded.durations_max),
      delay_ms = delay_ms + excluded.delay_ms, delays = histogram_of_both(delays, excluded.delays),
      delays_max = max(delays_max, excluded.delays_max)`)
  const run = sqlite.prepare<[number], EndedRun>(`SELECT ${columns} FROM runs WHERE id = ? AND ${ended}`)
  const bytesOf = sqlite
    .prepare<[number, number], number | null>('SELECT sum(bytes) FROM run_steps WHERE run_id = ? AND attempt = ?')
    .pluck()
  const earlier = sqlite.prepare<[number], EarlierAttempt>(
    'SELECT executor_id, duration_ms FROM run_attempts WHERE run_id = ?',
  )
  const rollupsOfRun = (row: EndedRun): Rollup[] => rollupsOf(row, row.attempt > 1 ? earlier.all(row.id) : [])
  const runs = sqlite.prepare<[number, number], EndedRun & { ended: 0 | 1 }>(
    `SELECT ${columns}, ${ended} AS ended FROM runs WHERE id > ? ORDER BY id LIMIT ?`,
  )
  const tasks = sqlite.prepare<[], number>('SELECT id FROM tasks').pluck()
  const ofTask = sqlite.prepare<[number, number], Rollup>(
    'SELECT * FROM metric_rollups WHERE grain = ? AND task_id = ?',
  )
  const clear = sqlite.prepare<[number]>('DELETE FROM metric_rollups WHERE grain <= ?')
  const old = sqlite.prepare<[number, number, number, number], Rollup>(
    'SELECT * FROM metric_rollups WHERE grain = ? AND task_id = ? AND bucket < ? LIMIT ?',
  )
  const remove = sqlite.prepare<[Rollup]>(`
    DELETE FROM metric_rollups WHERE grain = @grain AND task_id = @task_id AND bucket = @bucket AND job_id = @job_id
      AND executor_id = @executor_id AND trigger_type = @trigger_type AND status = @status AND error_code = @error_code`)
  const place = sqlite.prepare<[], number | null>('SELECT uncounted_after FROM metric_settings').pluck()
  const setPlace = sqlite.prepare<[number | null]>('UPDATE metric_settings SET uncounted_after = ?')
  const lastRun = sqlite.prepare<[], number | null>('SELECT max(id) FROM runs').pluck()

  function write(rollups: Iterable<Rollup>): void {
    for (const rollup of rollups) {
      add.run({ ...rollup, durations: compact(rollup.durations), delays: compact(rollup.delays) })
    }
  }
  /** Of quarter hours; where they are too old to be kept, they count as what was ever only. */
  function spread(quarters: Iterable<Rollup>, oldest: number): void {
    const sums = createSummary()
    for (const quarter of quarters) {
      for (const place of placesOf(quarter))
        if (place.grain === grains.ever || quarter.bucket >= oldest) sums.add(place)
    }
    write(sums.rows())
  }
  /** What is known of runs that were removed, and nothing else. */
  function clearToRemoved(oldest: number): void {
    clear.run(grains.ever)
    for (const task of tasks.all()) {
      spread(ofTask.all(grains.goneQuarter, task), oldest)
      for (const row of ofTask.all(grains.goneEver, task)) {
        write([
          { ...row, grain: grains.ever },
          { ...row, grain: grains.ever, task_id: 0, job_id: 0 },
        ])
      }
    }
  }
  /** Goes on counting in a transaction of the caller's: `limit` runs. How many of them had ended; null: all are counted. */
  function countSome(before: number, limit: number): number | null {
    const after = place.get() ?? null
    if (after === null) return null
    const oldest = Math.ceil(before / quarterMs)
    if (after === 0) clearToRemoved(oldest)
    const page = runs.all(after, limit)
    const quarters = createSummary()
    for (const row of page) if (row.ended) rollupsOfRun(row).forEach(quarters.add)
    spread(quarters.rows(), oldest)
    setPlace.run(page.at(-1)?.id ?? null)
    return page.filter((row) => row.ended).length
  }
  return {
    /** Runs that have ended, in the transaction in which they did. */
    note(endedRuns: readonly Omit<EndedRun, 'bytes'>[]): void {
      const quarters = createSummary()
      const uncountedAfter = place.get() ?? Infinity
      for (const row of endedRuns) {
        // Otherwise counting the runs anew comes by.
        if (row.id > uncountedAfter) continue
        rollupsOfRun({ ...row, bytes: bytesOf.get(row.id, row.attempt) ?? null }).forEach(quarters.add)
      }
      spread(quarters.rows(), -Infinity)
    },

    /** A run, as long as it is there: about to be removed. Undefined for one that has not ended. */
    leaving(id: number): LeavingRun | undefined {
      const row = run.get(id)
      return row && { id, rollups: rollupsOfRun(row) }
    },
    /** Runs that were removed stay counted, whatever is rebuilt. */
    keep(removed: readonly LeavingRun[]): void {
      const quarters = createSummary()
      const missed = createSummary()
      // At 0, what was removed is counted at the beginning.
      const uncountedAfter = place.get() || Infinity
      for (const { id, rollups } of removed) {
        for (const rollup of rollups) {
          quarters.add({ ...rollup, grain: grains.goneQuarter })
          if (id > uncountedAfter) missed.add(rollup)
        }
      }
      write(quarters.rows())
      spread(missed.rows(), -Infinity)
    },

    /** Everything is to be counted anew, by `countSome`, from the runs that are left and what is known of those that were removed. */
    startAgain: () => void setPlace.run(0),
    /** Which share of the runs is counted; null: all of them. */
    counted(): number | null {
      const uncountedAfter = place.get() ?? null
      return uncountedAfter === null ? null : uncountedAfter / Math.max(lastRun.get() ?? 0, 1)
    },
    countSome,
    /** All at once, in a transaction of the caller's. */
    rebuild(before: number): { runs: number } {
      setPlace.run(0)
      let runs = 0
      for (let some: number | null = 0; some !== null; some = countSome(before, runsAtOnce)) runs += some
      return { runs }
    },

    /** Every task, and 0 for all of them. */
    owners: (): number[] => [0, ...tasks.all()],
    /** A few roll-ups of a task that ended before this time; true: there may be more. */
    dropBefore(task: number, before: number, limit: number): boolean {
      for (const [grain, ms] of ageing) {
        const found = old.all(grain, task, Math.floor(before / ms), limit)
        for (const row of found) remove.run(row)
        // Whatever is counted since the beginning never becomes less.
        if (grain === grains.goneQuarter) {
          const sums = createSummary()
          for (const row of found) sums.add({ ...row, grain: grains.goneEver, bucket: 0 })
          write(sums.rows())
        }
        if (found.length === limit) return true
      }
      return false
    },
  }
}
