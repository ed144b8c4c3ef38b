/**
 * What is to be done about a trigger whose time has come, or has passed while nobody could fire.
 *
 * At most one start at a time: what else is waiting stays due, so that whatever happens in between is picked up where it was.
 * Times that have passed long ago are looked at from the newest back, and no further than `mostLookedAt`.
 */
import type { misfirePolicies } from '../../../contract/triggers.ts'
import type { Schedule } from './schedule.rules.ts'

/** A firing that starts later than this after its time has been missed, and its trigger's policy says what becomes of it. */
export const lateAfterMs = 60_000
/** Missed firings that `fire_all` starts. */
export const mostCaughtUp = 100
const mostLookedAt = 200

export interface Timetable {
  /** The first scheduled time after this moment; null: none. */
  next(after: number): number | null
  /** When a scheduled time is to be started. */
  due(scheduled: number): number
}
interface FiringPlan {
  /** Recorded as missed. */
  missed: number[]
  /** To be started now; null: nothing. */
  start: number | null
  /** The scheduled time to wait for from now on, which may have passed already. */
  next: number | null
}

/** The schedule with a trigger's jitter: always the same for one firing, and never beyond the next one. */
export function timetable(
  schedule: Schedule,
  { id, jitter_seconds }: { id: number; jitter_seconds: number },
): Timetable {
  return {
    next: schedule.next,
    due(scheduled) {
      if (jitter_seconds === 0) return scheduled
      const following = schedule.next(scheduled) ?? Infinity
      const room = Math.min(jitter_seconds * 1000, following - scheduled)
      return scheduled + Math.floor(spread(id, scheduled) * room)
    },
  }
}

/** 0 ≤ … < 1, evenly, from nothing but which firing it is. */
function spread(id: number, scheduled: number): number {
  let hash = Math.imul(id, 0x9e3779b1) ^ Math.imul(Math.floor(scheduled / 1000) | 0, 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 16), 0x21f0aaad)
  hash = Math.imul(hash ^ (hash >>> 15), 0x735a2d97)
  return ((hash ^ (hash >>> 15)) >>> 0) / 2 ** 32
}

/**
 * `waited`: the scheduled time that the trigger has waited for. `missedUntil`: what was to be started until then has been missed, as
 * all triggers were paused.
 */
export function planFiring(
  policy: (typeof misfirePolicies)[number],
  table: Timetable,
  waited: number,
  now: number,
  missedUntil = -Infinity,
): FiringPlan {
  const times = passed(table, waited, now)
  const newest = times.at(-1)
  // Its start is still to come; or the zone has changed its rules, and there is no such time any more.
  if (newest === undefined) return { missed: [], start: null, next: table.next(waited - 1) }
  const later = () => table.next(newest)
  if (policy === 'fire_once') return { missed: times.slice(0, -1), start: newest, next: later() }
  if (policy === 'fire_all') {
    const [start = newest, next = later()] = times.slice(-mostCaughtUp)
    return { missed: times.slice(0, -mostCaughtUp), start, next }
  }
  const inTime = times.findIndex((scheduled) => {
    const due = table.due(scheduled)
    return now - due <= lateAfterMs && due > missedUntil
  })
  if (inTime < 0) return { missed: times, start: null, next: later() }
  return { missed: times.slice(0, inTime), start: times[inTime]!, next: times[inTime + 1] ?? later() }
}

/** Scheduled times from `waited` on that are due, oldest first; of many the newest. */
function passed(table: Timetable, waited: number, now: number): number[] {
  let span = 3_600_000
  for (;;) {
    const from = Math.max(waited, now - span)
    const times: number[] = []
    for (let at = table.next(from - 1); at !== null && at <= now; at = table.next(at)) times.push(at)
    if (from === waited || times.length >= mostLookedAt) {
      // Only the newest can have a start that is still to come: each starts before the next one's time.
      if (times.length > 0 && table.due(times.at(-1)!) > now) times.pop()
      return times.slice(-mostLookedAt)
    }
    span *= 2
  }
}
