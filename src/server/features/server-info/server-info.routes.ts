import type { FastifyInstance } from 'fastify'
import { getServerInfo } from '../../../contract/server.ts'
import { route } from '../../platform/http.ts'
import type { ServerInfoService } from './server-info.service.ts'

export function registerServerInfoRoutes(app: FastifyInstance, info: ServerInfoService): void {
  route(app, getServerInfo, () => info.read())
}
