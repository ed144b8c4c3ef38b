import Type from 'typebox'
import { ApiKey, CreatedApiKey } from './auth.ts'
import { IdParams, Name, SearchQuery, Success, Timestamp, listQuery, paginated } from './common.ts'
import { operation, ref } from './operation.ts'
import { roles, scopes } from './roles.ts'

export const listApiKeys = operation({
  id: 'listApiKeys',
  method: 'GET',
  path: '/api/api-keys',
  tag: 'API keys',
  summary: 'List API keys: your own, or everybody’s for an admin',
  security: 'caller',
  query: listQuery({ q: Type.Optional(SearchQuery) }),
  responses: { 200: paginated(ref(ApiKey)) },
  errors: ['VALIDATION_ERROR'],
})
export const createApiKey = operation({
  id: 'createApiKey',
  method: 'POST',
  path: '/api/api-keys',
  tag: 'API keys',
  summary: 'Make an API key; the answer alone has it',
  security: 'caller',
  body: Type.Object(
    {
      name: Name,
      role: Type.Optional(Type.Enum([...roles], { description: 'Not above your own, which is the default' })),
      scopes: Type.Optional(Type.Array(Type.Enum([...scopes]), { maxItems: 4, uniqueItems: true })),
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
  summary: 'Revoke an API key, at once, open streams included',
  security: 'caller',
  params: IdParams,
  responses: { 200: ref(Success) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
})
