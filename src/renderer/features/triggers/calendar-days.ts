/** Firings gathered by day for the calendar. Days are those of the reader's own zone. Pure but for that zone. */
import { translateKept } from '../../i18n/translate.ts'
import type { CalendarEntry } from '../../../contract/triggers.ts'

export type CalendarView = 'month' | 'week'
export type CellOutcome = NonNullable<CalendarEntry['outcome']> | 'coming'

/** All firings of one trigger within a day, or within an hour of it. */
export interface SlotEntry {
  trigger_id: number
  job_id: number
  job_name: string
  task_key: string | null
  enabled: boolean
  first: string
  last: string
  count: number
  /** The gravest of them. */
  outcome: CellOutcome
  /** Of the gravest, when it started one. */
  job_run_id: number | null
  message: string | null
}
export interface CalendarDay {
  /** `2026-03-29` */
  date: string
  day: Date
  inSpan: boolean
  /** Some or all of its firings were too many to be shown. */
  isCut: boolean
  entries: SlotEntry[]
  /** The same by hour, 0 to 23. */
  hours: SlotEntry[][]
}

const gravity: Record<CellOutcome, number> = { coming: 0, started: 1, overlap: 2, missed: 3, failed: 4 }
const two = (value: number) => String(value).padStart(2, '0')
export const dateKey = (at: Date) => `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`

const midnight = (at: Date, days = 0) => new Date(at.getFullYear(), at.getMonth(), at.getDate() + days)
const monday = (at: Date) => midnight(at, -((at.getDay() + 6) % 7))

/** First and last day shown (the last not included): seven days from the anchor on, or a month in whole weeks from Monday. */
export function spanOf(view: CalendarView, anchor: Date): { from: Date; to: Date } {
  if (view === 'week') return { from: midnight(anchor), to: midnight(anchor, 7) }
  const from = monday(new Date(anchor.getFullYear(), anchor.getMonth(), 1))
  const last = new Date(anchor.getFullYear(), anchor.getMonth() + 1, 0)
  return { from, to: midnight(monday(last), 7) }
}

/** The anchor of the span before or after. */
export function moved(view: CalendarView, anchor: Date, by: -1 | 1): Date {
  return view === 'week' ? midnight(anchor, 7 * by) : new Date(anchor.getFullYear(), anchor.getMonth() + by, 1)
}

/** The day that an address names, or today. */
export function anchorOf(text: string | null, today: Date): Date {
  const found = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text ?? '')
  if (!found) return midnight(today)
  const [, year, month, day] = found
  return new Date(Number(year), Number(month) - 1, Number(day))
}

function slotEntries(entries: readonly CalendarEntry[]): SlotEntry[] {
  const byTrigger = new Map<number, SlotEntry>()
  for (const entry of entries) {
    const outcome: CellOutcome = entry.outcome ?? 'coming'
    const weight = {
      outcome,
      job_run_id: entry.job_run_id,
      message: translateKept(entry.message, entry.message_params),
    }
    const known = byTrigger.get(entry.trigger_id)
    if (known) {
      known.count += 1
      known.last = entry.at
      if (gravity[outcome] > gravity[known.outcome]) Object.assign(known, weight)
      continue
    }
    const { at, trigger_id, job_id, job_name, task_key, enabled } = entry
    byTrigger.set(trigger_id, {
      trigger_id,
      job_id,
      job_name,
      task_key,
      enabled: enabled === 1,
      first: at,
      last: at,
      count: 1,
      ...weight,
    })
  }
  return [...byTrigger.values()]
}

/** `isCut`: there are more than these entries, which are the earliest ones. */
export function daysOf(
  view: CalendarView,
  anchor: Date,
  entries: readonly CalendarEntry[],
  isCut: boolean,
): CalendarDay[] {
  const { from, to } = spanOf(view, anchor)
  const last = isCut ? entries.at(-1) : undefined
  const lastDate = last && dateKey(new Date(last.at))
  const byDay = Map.groupBy(entries, ({ at }) => dateKey(new Date(at)))
  const days: CalendarDay[] = []
  for (let day = from; day < to; day = midnight(day, 1)) {
    const date = dateKey(day)
    const ofDay = byDay.get(date) ?? []
    const byHour = Map.groupBy(ofDay, ({ at }) => new Date(at).getHours())
    days.push({
      date,
      day,
      inSpan: view === 'week' || day.getMonth() === anchor.getMonth(),
      isCut: lastDate !== undefined && date >= lastDate,
      entries: slotEntries(ofDay),
      hours: Array.from({ length: 24 }, (_, hour) => slotEntries(byHour.get(hour) ?? [])),
    })
  }
  return days
}
