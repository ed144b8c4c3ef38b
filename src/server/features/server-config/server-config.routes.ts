import type { FastifyInstance } from 'fastify'
import { getServerConfig, updateServerConfig } from '../../../contract/server-config.ts'
import { route } from '../../platform/http.ts'
import type { ServerConfigService } from './server-config.service.ts'

export function registerServerConfigRoutes(app: FastifyInstance, settings: ServerConfigService): void {
  route(app, getServerConfig, async ({ etag }) => {
    const answer = await settings.read()
    etag(answer.etag)
    return answer.config
  })
  route(app, updateServerConfig, async ({ body, caller, ifMatch, etag }) => {
    const answer = await settings.change(body.values, caller.role, ifMatch)
    etag(answer.etag)
    return answer.config
  })
}
