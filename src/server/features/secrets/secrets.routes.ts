import type { FastifyInstance } from 'fastify'
import { getSecretsState, rotateSecretsKey } from '../../../contract/server-config.ts'
import { route } from '../../platform/http.ts'
import type { SecretsService } from './secrets.service.ts'

export function registerSecretsRoutes(app: FastifyInstance, secrets: SecretsService): void {
  route(app, getSecretsState, () => secrets.state())
  route(app, rotateSecretsKey, () => secrets.rotate())
}
