/** Spans of time that lists are filtered by, and the days of their picker. Pure but for the machine's zone. */

/** When the records of a list were created. */
export interface TimeSpan {
  /** ISO 8601, UTC. */
  from?: string
  to?: string
  /** Hours back from now, kept relative in the address so that a bookmark stays true. */
  last?: number
}

export const lastHours = [1, 24, 168, 720] as const

export function instant(text: string | null): string | undefined {
  if (!text) return undefined
  const time = Date.parse(text)
  return Number.isNaN(time) ? undefined : new Date(time).toISOString()
}

/** What of an address names a span. */
export function spanOf(search: URLSearchParams): TimeSpan {
  const last = Number(search.get('last'))
  const from = instant(search.get('from'))
  const to = instant(search.get('to'))
  return {
    ...(Number.isInteger(last) && last > 0 && last < 1_000_000 ? { last } : {}),
    ...(from ? { from } : {}),
    ...(to ? { to } : {}),
  }
}

/** The query of a span. `last` becomes a whole minute, so that it names the same list until the minute is over. */
export function spanQuery({ last, from, to }: TimeSpan, now: number): { from?: string; to?: string } {
  if (!last) return { ...(from ? { from } : {}), ...(to ? { to } : {}) }
  const minute = Math.floor(now / 60_000) * 60_000
  return { from: new Date(minute - last * 3_600_000).toISOString() }
}

const midnight = (at: Date, days = 0) => new Date(at.getFullYear(), at.getMonth(), at.getDate() + days)
const monday = (at: Date) => midnight(at, -((at.getDay() + 6) % 7))

export const dayPresets = ['today', 'yesterday', 'week', 'month'] as const
export type DayPreset = (typeof dayPresets)[number]

/** Whole days by the calendar; open at the end where they are not over. */
export function presetSpan(preset: DayPreset, now: Date): TimeSpan {
  if (preset === 'today') return { from: midnight(now).toISOString() }
  if (preset === 'yesterday') return { from: midnight(now, -1).toISOString(), to: midnight(now).toISOString() }
  if (preset === 'week') return { from: monday(now).toISOString() }
  return { from: new Date(now.getFullYear(), now.getMonth(), 1).toISOString() }
}

/** Six weeks from Monday that hold the month of `at`. */
export function monthDays(at: Date): Date[] {
  const first = monday(new Date(at.getFullYear(), at.getMonth(), 1))
  return Array.from({ length: 42 }, (_, index) => midnight(first, index))
}

export const sameDay = (a: Date, b: Date) => midnight(a).getTime() === midnight(b).getTime()

/** The next span when a day is picked: the first day, then the last one, whichever way round. */
export function pickDay(picked: readonly Date[], day: Date): Date[] {
  const [start] = picked
  return picked.length === 1 && start ? [start, day].toSorted((a, b) => a.getTime() - b.getTime()) : [day]
}

/** From the start of the first day to the end of the last. */
export function daysSpan([first, last = first]: readonly Date[]): TimeSpan {
  if (!first || !last) return {}
  return { from: midnight(first).toISOString(), to: midnight(last, 1).toISOString() }
}

const two = (value: number) => String(value).padStart(2, '0')

/** `2026-11-24 18:30`, in this machine's zone. */
export function momentInput(iso: string | undefined): string {
  if (!iso) return ''
  const at = new Date(iso)
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}`
}

/** `2026-03-01T08:30:00+01:00`: with the offset of this machine’s zone, so that it says the same everywhere. */
export function offsetMoment(at: Date): string {
  const offset = -at.getTimezoneOffset()
  const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60]
  const zone = offset === 0 ? 'Z' : `${offset < 0 ? '-' : '+'}${two(hours)}:${two(minutes)}`
  return `${dayInput(at)}T${two(at.getHours())}:${two(at.getMinutes())}:00${zone}`
}

/** undefined: nothing was typed; null: no moment. */
export function readMoment(text: string): string | null | undefined {
  if (text.trim() === '') return undefined
  const parts = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[ T](\d{1,2}):(\d{2}))?$/.exec(text.trim())
  if (!parts) return null
  const [year, month, day, hour, minute] = parts.slice(1).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
  ]
  const at = new Date(year, month - 1, day, hour, minute)
  return at.getMonth() === month - 1 && at.getDate() === day && hour < 24 && minute < 60 ? at.toISOString() : null
}

/** `2026-11-24`: a day of the calendar, in no zone. */
export const dayInput = (day: Date): string => `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`

/** The day that `2026-11-24` names; null: it names none. */
export function readDay(text: string): Date | null {
  const [, year, month, date] = (/^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text.trim()) ?? []).map(Number)
  if (year === undefined || month === undefined || date === undefined) return null
  const day = new Date(year, month - 1, date)
  return day.getMonth() === month - 1 && day.getDate() === date ? day : null
}
