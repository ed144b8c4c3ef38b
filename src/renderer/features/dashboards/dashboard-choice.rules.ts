/** What a viewer has chosen, as the address holds it: `f.region=eu`, `window=86400000`. Pure. */
import type { WidgetDataBody } from '../../../contract/dashboard-views.ts'
import type { DashboardViewOf } from '../../../language/dashboard/dashboard-view.ts'
import type { DashboardFilter, FilterValue } from '../../../language/dashboard/dashboard.types.ts'

export type Choice = Pick<WidgetDataBody, 'filters' | 'time_window'>
export type Filters = Readonly<Record<string, DashboardFilter>>

const prefix = 'f.'
export const filterPart = (name: string) => `${prefix}${name}`

/** Lists and ranges are JSON; text stands as it is. */
export const filterText = (value: FilterValue): string | null =>
  value === null || typeof value === 'string' ? value : JSON.stringify(value)

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isEnd = (value: unknown): value is string | number | null | undefined =>
  value === null || value === undefined || typeof value === 'string' || typeof value === 'number'

/** undefined: the address says nothing that this filter can mean. */
function readFilter(filter: DashboardFilter, text: string): FilterValue | undefined {
  if (filter.type === 'multiselect') {
    const values = parsed(text)
    return Array.isArray(values) && values.every((one) => typeof one === 'string') ? values : undefined
  }
  if (filter.type === 'range') {
    const range = parsed(text)
    if (typeof range !== 'object' || range === null || Array.isArray(range)) return undefined
    const { from, to } = range as { from?: unknown; to?: unknown }
    return isEnd(from) && isEnd(to) ? { from: from ?? null, to: to ?? null } : undefined
  }
  return text
}

/** Empty text in the address: a filter with a default that was cleared. */
export function choiceIn(address: URLSearchParams, filters: Filters): Choice {
  const chosen: Record<string, FilterValue> = {}
  for (const [name, filter] of Object.entries(filters)) {
    const text = address.get(filterPart(name))
    if (text === null) continue
    const value = text === cleared ? null : readFilter(filter, text)
    if (value !== undefined) chosen[name] = value
  }
  const window = windowIn(address.get('window'))
  return {
    ...(Object.keys(chosen).length > 0 ? { filters: chosen } : {}),
    ...(window ? { time_window: window } : {}),
  }
}

/** Stands for "no value" where the filter has a default. */
const cleared = '~'

/** What the address holds for a value; null: nothing, which means the default. */
export function addressOf(filter: DashboardFilter, value: FilterValue): string | null {
  const text = filterText(value)
  if (text === filterText(filter.default)) return null
  return text === null || text === '' ? cleared : text
}

/** What the address holds after a mark was chosen; null: the filter is as it is without a choice. */
export const pickedAddress = (filter: DashboardFilter, value: string | null): string | null =>
  value === null ? null : addressOf(filter, filter.type === 'multiselect' ? [value] : value)

export const valueOf = (name: string, filter: DashboardFilter, { filters }: Choice): FilterValue => {
  const value = filters && Object.hasOwn(filters, name) ? filters[name] : filter.default
  // As it was read by the filter.
  return value as FilterValue
}

function windowIn(text: string | null): Choice['time_window'] | undefined {
  if (text === null) return undefined
  if (/^[1-9]\d{4,12}$/.test(text)) return { last_ms: Number(text) }
  const [from, to] = text.split('/')
  if (!from || !to || Number.isNaN(Date.parse(from)) || Number.isNaN(Date.parse(to))) return undefined
  return { from, to }
}

const windows = [15, 60, 6 * 60, 24 * 60, 7 * 24 * 60, 30 * 24 * 60, 90 * 24 * 60, 365 * 24 * 60].map(
  (minutes) => minutes * 60_000,
)

/** Lengths to choose from: those that the template allows, and its own. */
export const windowChoices = ({ default_ms, max_ms }: { default_ms: number; max_ms: number }): number[] =>
  [...new Set([...windows.filter((ms) => ms <= max_ms), default_ms])].toSorted((a, b) => a - b)

/** Filters that no widget shows. */
export function filtersOfBar({ filters, widgets }: Pick<DashboardViewOf, 'filters' | 'widgets'>) {
  const placed = new Set(widgets.flatMap((widget) => (widget.type === 'filter' ? [widget.filter] : [])))
  return Object.entries(filters).filter(([name]) => !placed.has(name))
}
