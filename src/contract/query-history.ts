/** What a user has asked and changed on a connector. */
import Type, { type Static } from 'typebox'
import {
  Id,
  IdParams,
  NullableInteger,
  NullableString,
  SearchQuery,
  Timestamp,
  listQuery,
  paginated,
} from './common.ts'
import { operation, ref } from './operation.ts'

export const historyKinds = ['query', 'change'] as const

export const QueryHistoryEntry = Type.Object(
  {
    id: Id,
    connector_id: Id,
    kind: Type.Enum([...historyKinds], { description: 'change: what was confirmed and sent' }),
    text: Type.String({ description: 'The query, or the statements that were sent; at most 100,000 characters' }),
    at: Timestamp,
    duration_ms: Type.Integer({ description: 'Until the first rows were there, or the changes were written' }),
    rows: {
      ...NullableInteger,
      description:
        'Rows of the result, or rows that the system reports as changed; null if the result was longer than its first page',
    },
    error: { ...NullableString, description: 'Why it failed' },
  },
  { $id: 'QueryHistoryEntry' },
)
export type QueryHistoryEntry = Static<typeof QueryHistoryEntry>

export const listQueryHistory = operation({
  id: 'listQueryHistory',
  method: 'GET',
  path: '/api/connectors/{id}/query-history',
  tag: 'Queries',
  summary: 'List your queries and changes on a connector, newest first',
  description: 'Private to each user. Entries are kept for 90 days, at most 5,000 for each user.',
  security: 'caller',
  params: IdParams,
  query: listQuery({ q: Type.Optional(SearchQuery) }),
  responses: { 200: paginated(ref(QueryHistoryEntry)) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
})
