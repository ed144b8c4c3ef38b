/** Filters of a list as the address carries them. Pure. */
import type { TableSort } from '../table.types.ts'

/** A value may hold the comma that separates values. */
const escaped = (value: string) => value.replaceAll('%', '%25').replaceAll(',', '%2C')
const unescaped = (text: string) => text.replaceAll('%2C', ',').replaceAll('%25', '%')

/** The most values that a filter of the interface takes. */
export const mostValues = 20

export const joinValues = (values: readonly string[]): string | null => values.map(escaped).join(',') || null

export const splitValues = (text: string | null): string[] =>
  text ? [...new Set(text.split(',').map(unescaped))].filter((value) => value !== '').slice(0, mostValues) : []

/** What of the values is known; undefined: none, so nothing is filtered. */
export function known<T extends string>(values: readonly string[], all: readonly T[]): T[] | undefined {
  const found = all.filter((one) => values.includes(one))
  return found.length > 0 ? found : undefined
}

/** Numbers of records; what is none is left out. */
export function idsOf(values: readonly string[]): number[] | undefined {
  const found = values.filter((value) => /^[1-9]\d{0,14}$/.test(value)).map(Number)
  return found.length > 0 ? found : undefined
}

/** What has a name is listed by it. */
export const byName = { id: 'name', order: 'asc' } as const satisfies TableSort

const listedSorts = { created: 'created_at', duration: 'duration_ms', status: 'status' } as const
/** Columns that runs and job runs are sorted by. */
export const listedSortable = Object.keys(listedSorts)

/** How runs and job runs are listed unless sorted otherwise. */
export const newestFirst = { id: 'created', order: 'desc' } as const satisfies TableSort

/** The sort of a list of runs as its request takes it. The server’s own order is not asked for: new runs then cost only the first page. */
export function listedSortQuery(sort: TableSort | undefined): {
  sort?: (typeof listedSorts)[keyof typeof listedSorts]
  order?: TableSort['order']
} {
  if (!sort || (sort.id === newestFirst.id && sort.order === newestFirst.order)) return {}
  // `useListAddress` lets no other column through.
  return { sort: listedSorts[sort.id as keyof typeof listedSorts], order: sort.order }
}

/** Chooses a record of the list, or names the view: no part of what a view is. */
const notOfView = ['saved', 'record', 'reference', 'trigger']

/** What a view keeps of an address, in one order, so that two can be compared. */
export function viewAddress(search: string, columns: string | null): string {
  const found = new URLSearchParams(search)
  for (const name of notOfView) found.delete(name)
  if (columns !== null) found.set('columns', columns)
  found.sort()
  return found.toString()
}

/** The values with one more, or without it. */
export const toggled = (values: readonly string[], value: string): string[] =>
  values.includes(value) ? values.filter((one) => one !== value) : [...values, value].slice(-mostValues)
