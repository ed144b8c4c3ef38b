import type { FastifyInstance } from 'fastify'
import { changeConnectorData } from '../../../contract/changes.ts'
import { abortSignal, route } from '../../platform/http.ts'
import type { ChangesService } from './changes.service.ts'

export function registerChangesRoutes(app: FastifyInstance, changes: ChangesService): void {
  route(app, changeConnectorData, ({ params, body, caller, request }) =>
    changes.change(params.id, body, caller, {
      signal: abortSignal(request),
      origin: { address: request.ip, user_agent: request.headers['user-agent'] ?? null, request_id: request.id },
    }),
  )
}
