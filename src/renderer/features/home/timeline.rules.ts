/** Firings of the last hours and the next day as marks on lanes, a lane for each job. Pure. */
import type { CalendarEntry } from '../../../contract/triggers.ts'

export type MarkOutcome = NonNullable<CalendarEntry['outcome']> | 'coming'

export interface Mark {
  /** Share of the span, 0 to 1. */
  at: number
  outcome: MarkOutcome
  count: number
  first: string
  job_run_id: number | null
  message: string | null
}

export interface Lane {
  job_id: number
  job_name: string
  marks: readonly Mark[]
  /** The next firing that is to come; null: none in the span. */
  next: string | null
  /** Firings that did not start what they should have. */
  amiss: number
}

const gravity: Record<MarkOutcome, number> = { coming: 0, started: 0, overlap: 1, missed: 2, failed: 3 }
const isAmiss = (outcome: MarkOutcome) => outcome === 'missed' || outcome === 'failed'

/** So many places a lane has; firings that fall into one are one mark, as grave as the gravest of them. */
const places = 120

function marksOf(entries: readonly CalendarEntry[], from: number, to: number): Mark[] {
  const marks = new Map<number, Mark>()
  for (const entry of entries) {
    const at = (Date.parse(entry.at) - from) / (to - from)
    if (at < 0 || at > 1) continue
    const outcome = entry.outcome ?? 'coming'
    const place = Math.min(places - 1, Math.floor(at * places))
    const known = marks.get(place)
    const { job_run_id, message } = entry
    if (!known) marks.set(place, { at, outcome, count: 1, first: entry.at, job_run_id, message })
    else {
      const graver = gravity[outcome] > gravity[known.outcome]
      marks.set(place, { ...known, ...(graver ? { outcome, job_run_id, message } : {}), count: known.count + 1 })
    }
  }
  return [...marks.values()].toSorted((a, b) => a.at - b.at)
}

/** Lanes with something amiss first, then by what fires soonest; of triggers that are off only what was. */
export function lanesOf(entries: readonly CalendarEntry[], from: Date, to: Date): Lane[] {
  const byJob = Map.groupBy(
    entries.filter(({ enabled, outcome }) => enabled === 1 || outcome !== null),
    ({ job_id }) => job_id,
  )
  const lanes = [...byJob].map(([job_id, of]): Lane => ({
    job_id,
    job_name: of[0]?.job_name ?? '',
    marks: marksOf(of, from.getTime(), to.getTime()),
    next: of.reduce<string | null>(
      (next, { at, outcome }) => (outcome === null && (next === null || at < next) ? at : next),
      null,
    ),
    amiss: of.filter(({ outcome }) => outcome !== null && isAmiss(outcome)).length,
  }))
  return lanes.toSorted(
    (a, b) =>
      Number(b.amiss > 0) - Number(a.amiss > 0) ||
      ((a.next ?? '~') < (b.next ?? '~') ? -1 : (a.next ?? '~') > (b.next ?? '~') ? 1 : a.job_id - b.job_id),
  )
}

export interface Tick {
  at: number
  moment: Date
}

/** The full hours that are a multiple of `every`, in the zone of the machine, without those at the very edges. */
export function ticksOf(from: Date, to: Date, every: number): Tick[] {
  const first = new Date(from.getFullYear(), from.getMonth(), from.getDate(), from.getHours() + 1)
  const hours = Math.ceil((to.getTime() - from.getTime()) / 3_600_000)
  // Hour by hour on the clock: a day of 23 or 25 hours has its own.
  return Array.from({ length: hours }, (_, hour) => new Date(first.getTime() + hour * 3_600_000))
    .map((moment) => ({ at: (moment.getTime() - from.getTime()) / (to.getTime() - from.getTime()), moment }))
    .filter(({ at, moment }) => moment.getHours() % every === 0 && at > 0.03 && at < 0.97)
}
