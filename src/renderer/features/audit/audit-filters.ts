/** Filters of the audit log as the address carries them. Pure. */
import { auditOutcomes, type listAudit } from '../../../contract/audit.ts'
import type { QueryOf } from '../../../contract/operation.ts'
import { wholeNumber } from '../../ui/use-address.ts'
import { idsOf, known, splitValues } from '../../ui/work-list/list-address.rules.ts'
import { spanOf, spanQuery } from '../../ui/work-list/span.rules.ts'

export const auditFilters = ['user_id', 'operation', 'entity', 'entity_id', 'outcome'] as const

/** Only time: the order in which records are written. Others would read the complete log for each page. */
export const auditSorts = ['at'] as const
export const auditNewestFirst = { id: 'at', order: 'desc' } as const

/** What of an address makes sense; the rest is left out rather than refused. */
export function auditQuery(search: URLSearchParams, now: number): QueryOf<typeof listAudit> {
  const text = (name: string) => search.get(name)?.trim().slice(0, 100) || undefined
  const operation = splitValues(search.get('operation')).map((id) => id.slice(0, 100))
  const found = {
    q: text('q'),
    user_id: idsOf(splitValues(search.get('user_id'))),
    operation: operation.length > 0 ? operation : undefined,
    entity: text('entity'),
    entity_id: wholeNumber(search.get('entity_id')),
    outcome: known(splitValues(search.get('outcome')), auditOutcomes),
    ...spanQuery(spanOf(search), now),
  }
  // Only what is undefined is left out.
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined))
}
