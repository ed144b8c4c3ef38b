import type { Message } from '../message.ts'
import { msg } from '../messages.ts'
import { suggest } from '../nearest.ts'
import { isDate } from '../task/argument-values.ts'
import type { DashboardScope } from './dashboard-scope.ts'
import type { DashboardDocument, DashboardFilter, FilterValue, RangeValue } from './dashboard.types.ts'
import { MAX_CHOSEN } from './limits.ts'

export interface FilterProblem extends Message {
  /** Name of the filter. */
  path: string
}

/** What viewers chose, checked, with the defaults of the rest. Never throws. */
export function resolveFilters(
  filters: DashboardDocument['filters'],
  given: Readonly<Record<string, unknown>>,
): { values: Record<string, FilterValue>; problems: FilterProblem[] } {
  const problems: FilterProblem[] = []
  const values: Record<string, FilterValue> = {}
  for (const name of Object.keys(given)) {
    if (Object.hasOwn(filters, name)) continue
    const suggestion = suggest(name, Object.keys(filters), 'filters')
    problems.push({ path: name, ...msg('filter_unknown', { name: name.slice(0, 60), suggestion }) })
  }
  for (const [name, filter] of Object.entries(filters)) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined
    if (value === undefined) {
      values[name] = filter.default
      continue
    }
    const read = readValue(filter, value)
    if ('code' in read) problems.push({ path: name, ...read })
    else values[name] = read.value
  }
  return { values, problems }
}

const of = (value: FilterValue) => ({ value })

function readValue(filter: DashboardFilter, value: unknown): { value: FilterValue } | Message {
  if (filter.type === 'multiselect') return readChosen(filter.options, value ?? [])
  if (filter.type === 'range') return readRange(filter, value)
  if (value === null || value === '') return of(null)
  if (typeof value !== 'string') return msg('filter_needs_text')
  switch (filter.type) {
    case 'date':
      if (!isDate(value)) return msg('not_a_date', { value: value.slice(0, 40) })
      return within(value, filter.min, filter.max) ? of(value) : msg('filter_outside')
    case 'select':
      return allowed(filter.options, value) ? of(value) : msg('filter_not_an_option', { value: value.slice(0, 60) })
    case 'text':
      return value.length <= filter.max_length ? of(value) : msg('filter_text_too_long', { max: filter.max_length })
  }
}

const allowed = (options: readonly { value: string }[] | null, value: string): boolean =>
  value.length <= 1_000 && (options === null || options.some((option) => option.value === value))

function readChosen(options: readonly { value: string }[] | null, value: unknown): { value: FilterValue } | Message {
  if (!Array.isArray(value)) return msg('filter_not_list')
  if (value.length > MAX_CHOSEN) return msg('filter_too_many', { max: MAX_CHOSEN })
  const chosen: string[] = []
  for (const one of value as unknown[]) {
    if (typeof one !== 'string') return msg('filter_not_list')
    if (!allowed(options, one)) return msg('filter_not_an_option', { value: one.slice(0, 60) })
    if (!chosen.includes(one)) chosen.push(one)
  }
  return of(chosen)
}

type Bound = string | number | null
const within = (value: Bound, min: Bound, max: Bound): boolean =>
  value === null || ((min === null || value >= min) && (max === null || value <= max))

function readRange(
  { of: kind, min, max }: Extract<DashboardFilter, { type: 'range' }>,
  value: unknown,
): { value: FilterValue } | Message {
  if (value === null) return of({ from: null, to: null })
  if (typeof value !== 'object' || Array.isArray(value)) return msg('filter_not_range')
  const { from = null, to = null, ...more } = value as Record<string, unknown>
  if (Object.keys(more).length > 0) return msg('filter_not_range')
  const range: RangeValue = { from: null, to: null }
  for (const [key, end] of [
    ['from', from],
    ['to', to],
  ] as const) {
    if (end === null) continue
    const fits =
      kind === 'number' ? typeof end === 'number' && Number.isFinite(end) : typeof end === 'string' && isDate(end)
    if (!fits) return kind === 'number' ? msg('filter_not_numbers') : msg('filter_not_dates')
    const bound = end as string | number // as checked
    if (!within(bound, min, max)) return msg('filter_outside')
    range[key] = bound
  }
  if (range.from !== null && range.to !== null && range.from > range.to)
    return msg('from_after_to', { from: range.from, to: range.to })
  return of(range)
}

/** The time window of a request at a moment; problems name `time_window`. Without one in the template: null. */
export function resolveWindow(
  { time_window }: Pick<DashboardDocument, 'time_window'>,
  given: { last_ms: number } | { from: string; to: string } | undefined,
  now: number,
): { window: DashboardScope['window'] | null } | { problem: Message } {
  if (!time_window) return given ? { problem: msg('no_time_window') } : { window: null }
  const { last_ms } = given && 'last_ms' in given ? given : { last_ms: time_window.default_ms }
  const from = given && 'from' in given ? Date.parse(given.from) : now - last_ms
  const to = given && 'from' in given ? Date.parse(given.to) : now
  if (!(from < to)) return { problem: msg('window_reversed') }
  if (to - from > time_window.max_ms) return { problem: msg('window_over_max') }
  const window = { from: new Date(from).toISOString(), to: new Date(to).toISOString() }
  return { window: given && 'from' in given ? window : { ...window, last_ms } }
}
