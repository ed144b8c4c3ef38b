import type { FastifyInstance } from 'fastify'
import {
  completeRun,
  postRunLogs,
  postRunProgress,
  postRunRejects,
  postRunState,
} from '../../../contract/executor-protocol.ts'
import { route } from '../../platform/http.ts'
import type { RunCallbacksService } from './run-callbacks.service.ts'

export function registerRunCallbacksRoutes(app: FastifyInstance, callbacks: RunCallbacksService): void {
  route(app, postRunState, ({ params, body }) => callbacks.state(params.id, body))
  route(app, postRunLogs, ({ params, body }) => callbacks.logs(params.id, body))
  route(app, postRunProgress, ({ params, body }) => callbacks.progress(params.id, body))
  route(app, postRunRejects, ({ params, body }) => callbacks.rejects(params.id, body))
  route(app, completeRun, ({ params, body }) => callbacks.complete(params.id, body))
}
