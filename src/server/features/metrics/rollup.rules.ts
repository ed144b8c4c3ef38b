/**
 * What a run that has ended adds to the roll-ups: to its quarter hour, hour and day, and to everything since the beginning, each
 * once for its task and once for all tasks. Quarter hours, so that the hours and days of every time zone can be put together.
 */
import { binOf, written } from './histogram.rules.ts'

export const grains = { quarter: 0, hour: 1, day: 2, ever: 3, goneQuarter: 4, goneEver: 5 } as const
export const quarterMs = 900_000
/** Quarter hours in a bucket. */
const span = { [grains.quarter]: 1, [grains.hour]: 4, [grains.day]: 96 } as const
/** Of the grains that have a time. */
export const grainMs = (grain: 0 | 1 | 2): number => span[grain] * quarterMs

/** An ended run, as the store has it. */
export interface EndedRun {
  id: number
  task_id: number
  job_id: number | null
  executor_id: number | null
  trigger_type: string
  status: string
  error_code: string | null
  completed_at: string | null
  ready_at: string
  started_at: string | null
  duration_ms: number | null
  item_count: number | null
  reject_count: number | null
  attempt: number
  bytes: number | null
}
/** What an attempt took that another one followed. */
export interface EarlierAttempt {
  executor_id: number | null
  duration_ms: number
}

export interface RollupKey {
  grain: number
  task_id: number
  bucket: number
  job_id: number
  executor_id: number
  trigger_type: string
  status: string
  error_code: string
}
export interface RollupSums {
  runs: number
  items: number
  rejects: number
  bytes: number
  attempts: number
  duration_ms: number
  /** Of attempts that another one followed. */
  earlier_ms: number
  durations: string
  durations_max: number
  delay_ms: number
  delays: string
  delays_max: number
}
export type Rollup = RollupKey & RollupSums

/** In its quarter hour and its task, which is the finest there is. */
function rollupOf(run: EndedRun): Rollup {
  const { duration_ms, started_at, ready_at } = run
  // A clock that was put back between the two makes no delay.
  const delay = started_at === null ? null : Math.max(0, Date.parse(started_at) - Date.parse(ready_at))
  return {
    grain: grains.quarter,
    task_id: run.task_id,
    bucket: Math.floor(Date.parse(run.completed_at ?? ready_at) / quarterMs),
    job_id: run.job_id ?? 0,
    executor_id: run.executor_id ?? 0,
    trigger_type: run.trigger_type,
    status: run.status,
    error_code: run.error_code ?? '',
    runs: 1,
    items: run.item_count ?? 0,
    rejects: run.reject_count ?? 0,
    bytes: run.bytes ?? 0,
    attempts: run.attempt,
    duration_ms: duration_ms ?? 0,
    earlier_ms: 0,
    durations: duration_ms === null ? '' : written(binOf(duration_ms), 1),
    durations_max: duration_ms ?? 0,
    delay_ms: delay ?? 0,
    delays: delay === null ? '' : written(binOf(delay), 1),
    delays_max: delay ?? 0,
  }
}

/** That, and what its earlier attempts took, where their executors count it: there it is no run. */
export function rollupsOf(run: EndedRun, earlier: readonly EarlierAttempt[]): Rollup[] {
  const own = rollupOf(run)
  const none = {
    runs: 0,
    items: 0,
    rejects: 0,
    bytes: 0,
    attempts: 0,
    duration_ms: 0,
    durations: '',
    durations_max: 0,
    delay_ms: 0,
    delays: '',
    delays_max: 0,
  }
  return [
    own,
    ...earlier.map(({ executor_id, duration_ms }) => ({
      ...own,
      ...none,
      executor_id: executor_id ?? 0,
      earlier_ms: duration_ms,
    })),
  ]
}

/** What the roll-up of a quarter hour and task is part of, itself among it. */
export function* placesOf(of: Rollup): Generator<Rollup> {
  for (const grain of [grains.quarter, grains.hour, grains.day, grains.ever] as const) {
    const bucket = grain === grains.ever ? 0 : Math.floor(of.bucket / span[grain])
    yield { ...of, grain, bucket }
    yield { ...of, grain, bucket, task_id: 0, job_id: 0 }
  }
}

/** Roll-ups with the same key as one. Histograms are put one behind the other. */
export function createSummary() {
  const byKey = new Map<string, Rollup>()
  return {
    add(more: Rollup): void {
      const { grain, task_id, bucket, job_id, executor_id, trigger_type, status, error_code } = more
      const key = `${grain} ${task_id} ${bucket} ${job_id} ${executor_id} ${trigger_type} ${status} ${error_code}`
      const sum = byKey.get(key)
      if (!sum) return void byKey.set(key, { ...more })
      sum.runs += more.runs
      sum.items += more.items
      sum.rejects += more.rejects
      sum.bytes += more.bytes
      sum.attempts += more.attempts
      sum.duration_ms += more.duration_ms
      sum.earlier_ms += more.earlier_ms
      sum.durations += more.durations
      sum.durations_max = Math.max(sum.durations_max, more.durations_max)
      sum.delay_ms += more.delay_ms
      sum.delays += more.delays
      sum.delays_max = Math.max(sum.delays_max, more.delays_max)
    },
    rows: (): Iterable<Rollup> => byKey.values(),
    size: () => byKey.size,
  }
}
