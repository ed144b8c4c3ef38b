/**
 * When a trigger fires. Cron is read on the clocks of its zone:
 *
 * - Where the clocks go forward, the times that they skip fall together on the first moment after the gap. An expression of every
 *   hour skips them instead: it has its next time within the hour anyway.
 * - Where the clocks go back, a time that comes twice counts the first time. An expression of every hour, or with `*` in the
 *   minutes, goes on through the second time, too: each 15 minutes are 15 real ones.
 */
import { type Message, msg } from '../../../contract/messages.ts'
import type { triggerKinds } from '../../../contract/triggers.ts'
import { type CronCalendar, parseCron } from './cron.rules.ts'
import { type Zone, zoneOf } from '../../platform/zones.ts'

export interface Schedule {
  /** The first firing after this moment; null: none. */
  next(after: number): number | null
}
interface ScheduleFields {
  type: (typeof triggerKinds)[number]
  cron_expression: string
  timezone: string
}
type Field = 'cron_expression' | 'timezone'
export type ScheduleVerdict = { ok: true; schedule: Schedule } | { ok: false; field: Field; problem: Message }

/** Never throws. */
export function readSchedule({ type, cron_expression, timezone }: ScheduleFields): ScheduleVerdict {
  const zone = zoneOf(timezone)
  if (!zone) {
    const problem = msg('zone_unknown', { zone: timezone })
    return { ok: false, field: 'timezone', problem }
  }
  if (type === 'one_off') return readMoment(keptExpression(type, cron_expression))
  const parsed = parseCron(cron_expression)
  if (!parsed.ok) return { ok: false, field: 'cron_expression', problem: parsed.problem }
  const { calendar } = parsed
  return { ok: true, schedule: { next: (after) => nextFiring(calendar, zone, after) } }
}

const moment = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})(:\d{2}(\.\d{1,3})?)?(Z|\+00:?00)$/

/** As it is kept: a moment without an offset gets the `Z` that it means, so that nobody takes it for local time. */
export function keptExpression(type: ScheduleFields['type'], text: string): string {
  const expression = text.trim()
  return type === 'one_off' && moment.exec(`${expression}Z`) ? `${expression}Z` : expression
}

function readMoment(text: string): ScheduleVerdict {
  const at = Date.parse(normalMoment(text) ?? '')
  if (Number.isNaN(at)) {
    const problem = msg('moment_invalid')
    return { ok: false, field: 'cron_expression', problem }
  }
  return { ok: true, schedule: { next: (after) => (at > after ? at : null) } }
}

/** With seconds and `Z`; null: no such day, or not of the form. */
function normalMoment(text: string): string | null {
  const match = moment.exec(text.trim())
  if (!match) return null
  const [, day, time, seconds = ':00'] = match
  const normal = `${day}T${time}${seconds}Z`
  const parsed = new Date(normal)
  // Date moves 30 February into March.
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(`${day}T${time}`) ? normal : null
}

/** How long clocks that were set back repeat themselves: a whole day, where a place has moved over the date line. */
const longestRepeat = 25 * 3_600_000

export function nextFiring(calendar: CronCalendar, zone: Zone, after: number): number | null {
  const repeats = calendar.everyHour || calendar.stepsMinutes
  let offset = zone.offsetAt(after)
  let changedAt = after
  const last = repeats ? null : zone.lastTransition(after, longestRepeat)
  // Local times before the end of the last change have been before.
  let local = calendar.next(Math.max(after + offset, last ? last.at + last.before - 1 : -Infinity))
  while (local !== null) {
    const change = zone.nextTransition(changedAt, local - offset + 1)
    if (!change) return local - offset
    // The clocks change before that time, or just then: is it one of those that they skip?
    if (local < change.at + change.after && !calendar.everyHour) return change.at
    offset = change.after
    changedAt = change.at
    const comesAgain = repeats && change.after < change.before
    if (comesAgain || local < change.at + change.after) local = calendar.next(change.at + change.after - 1)
  }
  return null
}
