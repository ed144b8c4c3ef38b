/** Filters of lists as the address carries them. Pure. */
import type { TimeSpan } from '../../ui/work-list/span.rules.ts'
import { spanQuery } from '../../ui/work-list/span.rules.ts'

/** Filters as parts of the address; null takes one out, one that is not named stays. */
export function addressOf(
  change: Readonly<Record<string, string | number | null | undefined>>,
): Record<string, string | null> {
  return Object.fromEntries(
    Object.entries(change).map(([name, value]) => [name, value === null || value === undefined ? null : String(value)]),
  )
}

/** The list's query: a span back from now becomes a moment. */
export function queryOf<Filters extends TimeSpan>(filters: Filters, now: number): Omit<Filters, 'last'> {
  const { last, from, to, ...query } = filters
  // What is left are the filters without their span, and that is added again.
  return { ...query, ...spanQuery({ last, from, to }, now) } as Omit<Filters, 'last'>
}

export const anyFilter = (filters: object) => Object.keys(filters).length > 0
