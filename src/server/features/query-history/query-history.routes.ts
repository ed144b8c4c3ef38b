import type { FastifyInstance } from 'fastify'
import { listQueryHistory } from '../../../contract/query-history.ts'
import { route } from '../../platform/http.ts'
import type { QueryHistoryService } from './query-history.service.ts'

export function registerQueryHistoryRoutes(app: FastifyInstance, history: QueryHistoryService): void {
  route(app, listQueryHistory, ({ params, query, caller }) => history.list(params.id, query, caller))
}
