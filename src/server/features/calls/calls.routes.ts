import type { FastifyInstance } from 'fastify'
import { postCallResult } from '../../../contract/executor-calls.ts'
import { route } from '../../platform/http.ts'
import type { ExecutorsService } from '../executors/executors.service.ts'
import type { CallsService } from './calls.service.ts'

export function registerCallsRoutes(app: FastifyInstance, calls: CallsService, executors: ExecutorsService): void {
  route(app, postCallResult, ({ params, headers, body }) =>
    calls.report(params.callId, executors.byCredential(headers['x-executor-credential']), body),
  )
}
