/** What a user has asked and changed on a connector. */
import Type, { type Static } from 'typebox'
import {
  Id,
  IdParams,
  Nullable,
  NullableInteger,
  NullableString,
  SearchQuery,
  Timestamp,
  listQuery,
  paginated,
} from './common.ts'
import { ErrorParams } from './errors.ts'
import { ExplorerPresetDefinition } from './explorer-presets.ts'
import { operation, ref } from './operation.ts'

export const historyKinds = ['query', 'change'] as const

const HistoryAsked = Type.Object(
  {
    definition: ref(ExplorerPresetDefinition),
    resource: Type.Optional(Type.String()),
    parameters: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  },
  { $id: 'QueryHistoryAsked' },
)
export type HistoryAsked = Static<typeof HistoryAsked>

/** Characters of a text; what a query was asked with is kept up to the same size. */
export const mostHistoryCharacters = 100_000

export const QueryHistoryEntry = Type.Object(
  {
    id: Id,
    connector_id: Id,
    kind: Type.Enum([...historyKinds], { description: 'change: what was confirmed and sent' }),
    text: Type.String({ description: 'The query, or the statements that were sent; at most 100,000 characters' }),
    asked: {
      ...Nullable(ref(HistoryAsked)),
      description:
        'Send it to `queryConnector` to run the query again. null for changes, for queries of more than 100,000 characters, and for those of earlier versions',
    },
    at: Timestamp,
    duration_ms: Type.Integer({ description: 'Until the first rows were there, or the changes were written' }),
    rows: {
      ...NullableInteger,
      description:
        'Rows of the result, or rows that the system reports as changed; null if the result was not read to its end',
    },
    error: { ...NullableString, description: 'Why it failed' },
    error_params: ErrorParams,
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
  description:
    'Private to each user. `retention.queries_days` and `retention.queries_max` define how long entries are kept.',
  security: 'caller',
  params: IdParams,
  query: listQuery({ q: Type.Optional(SearchQuery) }),
  responses: { 200: paginated(ref(QueryHistoryEntry)) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
})

export const deleteQueryHistoryEntry = operation({
  id: 'deleteQueryHistoryEntry',
  method: 'DELETE',
  path: '/api/connectors/{id}/query-history/{entryId}',
  tag: 'Queries',
  summary: 'Delete an entry of your history',
  security: 'caller',
  params: Type.Object({ id: Id, entryId: Id }),
  responses: { 204: Type.Undefined() },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
})

export const clearQueryHistory = operation({
  id: 'clearQueryHistory',
  method: 'DELETE',
  path: '/api/connectors/{id}/query-history',
  tag: 'Queries',
  summary: 'Delete your history on a connector',
  security: 'caller',
  params: IdParams,
  responses: { 204: Type.Undefined() },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
})
