import type { FastifyInstance } from 'fastify'
import { createApiKey, listApiKeys, revokeApiKey } from '../../../contract/api-keys.ts'
import { route } from '../../platform/http.ts'
import type { ApiKeysService } from './api-keys.service.ts'

export function registerApiKeysRoutes(app: FastifyInstance, apiKeys: ApiKeysService): void {
  route(app, listApiKeys, ({ query, caller }) => apiKeys.list(query, caller))
  route(app, createApiKey, ({ body, caller }) => apiKeys.create(body, caller))
  route(app, revokeApiKey, ({ params, caller }) => {
    apiKeys.revoke(params.id, caller)
    app.headgate.streams.revoke(`api_key:${params.id}`)
    return { success: true }
  })
}
