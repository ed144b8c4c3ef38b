import { type RunStatus, runStatuses, triggerTypes } from '../../../contract/runs.ts'
import { wholeNumber } from '../../ui/use-address.ts'

/** When the records of a list were created. */
export interface TimeSpan {
  /** ISO 8601, UTC. */
  from?: string
  to?: string
  /** Hours back from now, kept relative in the address so that a bookmark stays true. */
  last?: number
}

/** Filters of the list of runs as the address carries them. */
export interface RunFilters extends TimeSpan {
  status?: RunStatus
  task_id?: number
  trigger_type?: (typeof triggerTypes)[number]
}

export const lastHours = [1, 24, 168, 720] as const

export function instant(text: string | null): string | undefined {
  if (!text) return undefined
  const time = Date.parse(text)
  return Number.isNaN(time) ? undefined : new Date(time).toISOString()
}

/** What of an address makes sense; the rest is left out rather than refused. */
export function filtersOf(search: URLSearchParams): RunFilters {
  const status = runStatuses.find((one) => one === search.get('status'))
  const trigger = triggerTypes.find((one) => one === search.get('trigger_type'))
  const task = wholeNumber(search.get('task_id'))
  const last = wholeNumber(search.get('last'))
  const from = instant(search.get('from'))
  const to = instant(search.get('to'))
  return {
    ...(status ? { status } : {}),
    ...(trigger ? { trigger_type: trigger } : {}),
    ...(task ? { task_id: task } : {}),
    ...(last ? { last } : {}),
    ...(from ? { from } : {}),
    ...(to ? { to } : {}),
  }
}

/** Filters as parts of the address; null takes one out, one that is not named stays. */
export function addressOf(
  change: Readonly<Record<string, string | number | null | undefined>>,
): Record<string, string | null> {
  return Object.fromEntries(
    Object.entries(change).map(([name, value]) => [name, value === null || value === undefined ? null : String(value)]),
  )
}

/** The change that takes every filter out. */
export const noFilters: Record<string, null> = {
  status: null,
  task_id: null,
  trigger_type: null,
  from: null,
  to: null,
  last: null,
}

/** The list's query. `last` becomes a whole minute, so that it names the same list until the minute is over. */
export function queryOf<Filters extends TimeSpan>(filters: Filters, now: number): Omit<Filters, 'last'> {
  const { last, ...query } = filters
  if (!last) return query
  const minute = Math.floor(now / 60_000) * 60_000
  return { ...query, from: new Date(minute - last * 3_600_000).toISOString(), to: undefined }
}

export const anyFilter = (filters: object) => Object.keys(filters).length > 0

/** Value of an `<input type="datetime-local">` in the zone of this machine. */
export function toLocalInput(iso: string | undefined): string {
  if (!iso) return ''
  const at = new Date(iso)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:${two(at.getMinutes())}`
}
