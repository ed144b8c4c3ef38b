/** Filters of the audit log as the address carries them. Pure. */
import { auditOutcomes } from '../../../contract/audit.ts'
import { wholeNumber } from '../../ui/use-address.ts'
import { type TimeSpan, instant } from '../../ui/work-list/span.rules.ts'

export interface AuditFilters extends TimeSpan {
  q?: string
  user_id?: number
  operation?: string
  entity?: string
  entity_id?: number
  outcome?: (typeof auditOutcomes)[number]
}

/** What of an address makes sense; the rest is left out rather than refused. */
export function filtersOf(search: URLSearchParams): AuditFilters {
  const text = (name: string) => search.get(name)?.trim().slice(0, 100) || undefined
  const found: { [K in keyof AuditFilters]: AuditFilters[K] | undefined } = {
    q: text('q'),
    user_id: wholeNumber(search.get('user_id')),
    operation: text('operation'),
    entity: text('entity'),
    entity_id: wholeNumber(search.get('entity_id')),
    outcome: auditOutcomes.find((one) => one === search.get('outcome')),
    last: wholeNumber(search.get('last')),
    from: instant(search.get('from')),
    to: instant(search.get('to')),
  }
  // Only what is undefined is left out.
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined))
}

/** The change that takes every filter out. */
export const noFilters: Readonly<Record<keyof AuditFilters, null>> = {
  q: null,
  user_id: null,
  operation: null,
  entity: null,
  entity_id: null,
  outcome: null,
  last: null,
  from: null,
  to: null,
}
