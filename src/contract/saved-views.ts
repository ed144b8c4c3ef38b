/** Lists as a user wants to see them: filters, order, and columns under a name. */
import Type, { type Static } from 'typebox'
import { Id, IdParams, Name, NullableTimestamp, Timestamp } from './common.ts'
import { operation, ref } from './operation.ts'

export const viewedLists = [
  'tasks',
  'job-templates',
  'jobs',
  'runs',
  'job-runs',
  'triggers',
  'event-triggers',
  'connectors',
  'dashboards',
  'dashboard-templates',
  'executors',
  'users',
  'api-keys',
  'public-links',
  'ai-references',
  'audit',
] as const
export type ViewedList = (typeof viewedLists)[number]

/** Of one user and one list. */
export const mostSavedViews = 50

const Address = Type.String({
  maxLength: 4000,
  pattern: '^[^\\s#?/\\\\]*$',
  description: 'The query of the list’s address in the window: search, filters, order, and columns',
  examples: ['status=failed&last=24'],
})

export const SavedView = Type.Object(
  {
    id: Id,
    list: Type.Enum([...viewedLists]),
    name: Name,
    address: Address,
    created_at: Timestamp,
    updated_at: NullableTimestamp,
  },
  { $id: 'SavedView' },
)
export type SavedView = Static<typeof SavedView>

const base = { tag: 'Saved views', security: 'caller', audited: false } as const
const closed = { additionalProperties: false } as const

export const listSavedViews = operation({
  ...base,
  id: 'listSavedViews',
  method: 'GET',
  path: '/api/saved-views',
  summary: 'List your saved views of the window’s lists, by name',
  description: 'Saved views are private to each user. To share one, share the address of the list.',
  query: Type.Object({ list: Type.Optional(Type.Enum([...viewedLists])) }, closed),
  responses: { 200: Type.Array(ref(SavedView)) },
  errors: ['VALIDATION_ERROR'],
})
export const createSavedView = operation({
  ...base,
  id: 'createSavedView',
  method: 'POST',
  path: '/api/saved-views',
  summary: 'Save a view of a list',
  description: `At most ${mostSavedViews} for each list. Names are unique in a list.`,
  body: Type.Object({ list: Type.Enum([...viewedLists]), name: Name, address: Address }, closed),
  responses: { 201: ref(SavedView) },
  errors: ['VALIDATION_ERROR', 'INVALID_STATE', 'CONFLICT'],
})
export const updateSavedView = operation({
  ...base,
  id: 'updateSavedView',
  method: 'PUT',
  path: '/api/saved-views/{id}',
  summary: 'Change your saved view; omitted fields keep their value',
  params: IdParams,
  body: Type.Object({ name: Type.Optional(Name), address: Type.Optional(Address) }, closed),
  responses: { 200: ref(SavedView) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'CONFLICT'],
})
export const deleteSavedView = operation({
  ...base,
  id: 'deleteSavedView',
  method: 'DELETE',
  path: '/api/saved-views/{id}',
  summary: 'Delete your saved view',
  params: IdParams,
  responses: { 204: Type.Undefined() },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
})
