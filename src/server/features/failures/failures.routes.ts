import type { FastifyInstance } from 'fastify'
import { listFailures } from '../../../contract/failures.ts'
import { route } from '../../platform/http.ts'
import type { FailuresService } from './failures.service.ts'

export function registerFailuresRoutes(app: FastifyInstance, failures: FailuresService): void {
  route(app, listFailures, ({ query }) => failures.list(query))
}
