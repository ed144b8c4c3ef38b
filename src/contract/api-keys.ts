import Type from 'typebox'
import { ApiKey, CreatedApiKey } from './auth.ts'
import { Id, IdParams, Name, SearchQuery, Success, Timestamp, listQuery, paginated } from './common.ts'
import { operation, ref } from './operation.ts'
import { roles, scopes } from './roles.ts'

export const listApiKeys = operation({
  id: 'listApiKeys',
  method: 'GET',
  path: '/api/api-keys',
  tag: 'API keys',
  summary: 'List API keys: your own, or everybody’s for an admin',
  security: 'caller',
  query: listQuery({
    q: Type.Optional(SearchQuery),
    user_id: Type.Optional(Id),
    revoked: Type.Optional(Type.Boolean({ description: 'Only those that are, or are not, revoked' })),
  }),
  responses: { 200: paginated(ref(ApiKey)) },
  errors: ['VALIDATION_ERROR'],
})
export const createApiKey = operation({
  id: 'createApiKey',
  method: 'POST',
  path: '/api/api-keys',
  tag: 'API keys',
  summary: 'Make an API key; the answer alone has it',
  description: 'A key makes keys within its own role, scopes and expiry only.',
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
  description: 'Your own, or, for an admin, those of users not above him (403 for the others).',
  security: 'caller',
  params: IdParams,
  responses: { 200: ref(Success) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
})
