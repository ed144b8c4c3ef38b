/** The logical dates of a backfill: the first instant of each day, by the clocks of a zone. */
import { type Message, msg } from '../../../contract/messages.ts'
import { type Zone, zoneOf } from '../../platform/zones.ts'

export const mostDates = 1_000
const hourMs = 3_600_000
const dayMs = 24 * hourMs

export interface BackfillRange {
  /** Days as `YYYY-MM-DD`, both included. */
  from: string
  to: string
  every: 'day' | 'week' | 'month'
}
export type BackfillDates =
  | { kind: 'dates'; dates: string[] }
  | { kind: 'mistake'; field: 'from' | 'to' | 'timezone'; reason: Message }

/**
 * Oldest first. Months go on at the day of the first one, or at their last day where they have none such. A day that a
 * zone skipped altogether (Apia’s 30 December 2011) is left out.
 */
export function backfillDates(range: BackfillRange, timezone: string): BackfillDates {
  const zone = zoneOf(timezone)
  if (!zone) return { kind: 'mistake', field: 'timezone', reason: msg('not_a_zone') }
  if (range.to < range.from) return { kind: 'mistake', field: 'to', reason: msg('before_from') }
  const dates: string[] = []
  for (const day of days(range)) {
    const start = startOfDay(day, zone)
    if (start === null) continue
    if (dates.length === mostDates) {
      return { kind: 'mistake', field: 'to', reason: msg('too_many_dates', { most: mostDates }) }
    }
    dates.push(new Date(start).toISOString())
  }
  return { kind: 'dates', dates }
}

/** As if every place were at UTC. */
function* days({ from, to, every }: BackfillRange): Generator<number> {
  const [first, last] = [Date.parse(from), Date.parse(to)]
  for (let step = 0; ; step++) {
    const day = every === 'month' ? monthsLater(first, step) : first + step * (every === 'week' ? 7 : 1) * dayMs
    if (day > last) return
    yield day
  }
}

function monthsLater(first: number, months: number): number {
  const start = new Date(first)
  const [year, month] = [start.getUTCFullYear(), start.getUTCMonth() + months]
  const lastDay = dayOf(year, month + 1, 0).getUTCDate()
  return dayOf(year, month, Math.min(start.getUTCDate(), lastDay)).getTime()
}

/** `Date.UTC` takes years below 100 for those of the last century. */
function dayOf(year: number, month: number, day: number): Date {
  const date = new Date(0)
  date.setUTCFullYear(year, month, day)
  return date
}

/** The first instant of a local day; null when the place has no such day. */
function startOfDay(day: number, { offsetAt }: Zone): number | null {
  // Offsets lie between −16 and +16 hours, local mean times of the past included.
  const around = [offsetAt(day - 16 * hourMs), offsetAt(day + 16 * hourMs)]
  const candidates = around.map((offset) => day - offset).filter((at) => at + offsetAt(at) === day)
  if (candidates.length > 0) return Math.min(...candidates)
  // Clocks went forward over midnight: the day begins where they stood afterwards.
  const start = firstAfter(day - 16 * hourMs, day + 16 * hourMs, (at) => at + offsetAt(at) >= day)
  return start + offsetAt(start) < day + dayMs ? start : null
}

function firstAfter(from: number, to: number, holds: (at: number) => boolean): number {
  let [low, high] = [from, to]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (holds(middle)) high = middle
    else low = middle
  }
  return high
}
