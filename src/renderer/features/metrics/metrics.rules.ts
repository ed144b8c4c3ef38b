/** Times that metrics are shown for, and what their figures say beside those of the time before. */
import type { queryMetrics } from '../../../contract/metrics.ts'
import type { BodyOf } from '../../../contract/operation.ts'

export type MetricQuery = BodyOf<typeof queryMetrics>

export const periods = { '24h': 1, '7d': 7, '30d': 30, '90d': 90 } as const
export type PeriodName = keyof typeof periods

export interface Period {
  from: string
  to: string
  bucket: 'hour' | 'day'
}

const dayMs = 86_400_000
const minuteMs = 60_000
const iso = (ms: number) => new Date(ms).toISOString()

export const periodOf = (text: string | null): PeriodName =>
  Object.keys(periods).includes(text ?? '') ? (text as PeriodName) : '7d' // as just looked up

/** Up to now, in whole minutes, and the time of the same length before it. */
export function timesOf(name: PeriodName, now: number): { period: Period; before: Period } {
  const days = periods[name]
  const to = Math.ceil(now / minuteMs) * minuteMs
  const bucket = name === '24h' ? 'hour' : 'day'
  const from = to - days * dayMs
  return {
    period: { from: iso(from), to: iso(to), bucket },
    before: { from: iso(from - days * dayMs), to: iso(from), bucket },
  }
}

export type Tone = 'better' | 'worse' | 'same'

export interface Change {
  /** Of the value before; in a ratio the difference itself. */
  by: number
  tone: Tone
}

/** Null where there is nothing to compare. */
export function changeOf(
  now: number | null,
  before: number | null,
  { ratio = false, good }: { ratio?: boolean; good: 'more' | 'less' | 'neither' },
): Change | null {
  if (now === null || before === null || (!ratio && before === 0)) return null
  const by = ratio ? now - before : (now - before) / before
  // What is not seen in the figure is none.
  if (Math.round(by * (ratio ? 1000 : 100)) === 0) return { by: 0, tone: 'same' }
  const much = Math.abs(by) >= (ratio ? 0.005 : 0.05)
  if (!much || good === 'neither') return { by, tone: 'same' }
  return { by, tone: by > 0 === (good === 'more') ? 'better' : 'worse' }
}

export interface TaskFigure {
  id: number
  name: string
  value: number
}
export interface Regression extends TaskFigure {
  before: number
}

/** Less is chance. */
const runsNeeded = 5
const timesSlower = 1.5
const slowerByMs = 1000

/** Tasks whose p95 of this week is clearly above that of the four weeks before, the worst first. */
export function regressionsIn(
  week: readonly TaskFigure[],
  before: ReadonlyMap<number, number>,
  runs: ReadonlyMap<number, number>,
): Regression[] {
  return week
    .flatMap((task) => {
      const earlier = before.get(task.id)
      if (earlier === undefined || (runs.get(task.id) ?? 0) < runsNeeded) return []
      const slower = task.value >= earlier * timesSlower && task.value - earlier >= slowerByMs
      return slower ? [{ ...task, before: earlier }] : []
    })
    .toSorted((a, b) => b.value / b.before - a.value / a.before)
}
