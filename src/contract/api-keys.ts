import Type from 'typebox'
import { ApiKey, CreatedApiKey } from './auth.ts'
import {
  Id,
  IdParams,
  Name,
  SearchQuery,
  Success,
  Timestamp,
  listQuery,
  oneOrMore,
  paginated,
  SortOrder,
  someOf,
} from './common.ts'
import { operation, ref } from './operation.ts'
import { roles, scopes } from './roles.ts'

export const listApiKeys = operation({
  id: 'listApiKeys',
  method: 'GET',
  path: '/api/api-keys',
  tag: 'API keys',
  summary: 'List API keys: your own, or everyone’s if you are an admin',
  security: 'caller',
  query: listQuery({
    q: Type.Optional(SearchQuery),
    user_id: Type.Optional(Id),
    role: Type.Optional(oneOrMore(Type.Enum([...roles]))),
    revoked: Type.Optional(Type.Boolean({ description: 'Filter by whether the key is revoked' })),
    sort: Type.Optional(Type.Enum(['created_at', 'name', 'last_used_at'])),
    order: Type.Optional(SortOrder),
  }),
  responses: { 200: paginated(ref(ApiKey)) },
  errors: ['VALIDATION_ERROR'],
})
export const createApiKey = operation({
  id: 'createApiKey',
  method: 'POST',
  path: '/api/api-keys',
  tag: 'API keys',
  summary: 'Create an API key; only this response contains the key',
  description: 'A key can create only keys within its own role, scopes, and expiry.',
  security: 'caller',
  body: Type.Object(
    {
      name: Name,
      role: Type.Optional(Type.Enum([...roles], { description: 'At most your own role, which is the default' })),
      scopes: Type.Optional(someOf(scopes)),
      expires_at: Type.Optional(Timestamp),
    },
    { additionalProperties: false },
  ),
  responses: { 201: ref(CreatedApiKey) },
  errors: ['VALIDATION_ERROR'],
})
export const revokeApiKey = operation({
  id: 'revokeApiKey',
  method: 'DELETE',
  path: '/api/api-keys/{id}',
  tag: 'API keys',
  summary: 'Revoke an API key immediately, including its open streams',
  description:
    'You can revoke your own keys. Admins can also revoke keys of users whose role is not above theirs (403 for others).',
  security: 'caller',
  params: IdParams,
  responses: { 200: ref(Success) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
})
