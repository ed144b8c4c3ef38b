import type { FastifyInstance } from 'fastify'
import { clearQueryHistory, deleteQueryHistoryEntry, listQueryHistory } from '../../../contract/query-history.ts'
import { route } from '../../platform/http.ts'
import type { QueryHistoryService } from './query-history.service.ts'

export function registerQueryHistoryRoutes(app: FastifyInstance, history: QueryHistoryService): void {
  route(app, listQueryHistory, ({ params, query, caller }) => history.list(params.id, query, caller))
  route(app, deleteQueryHistoryEntry, ({ params, caller }) => {
    history.remove(params.id, params.entryId, caller)
    return undefined
  })
  route(app, clearQueryHistory, ({ params, caller }) => {
    history.clear(params.id, caller)
    return undefined
  })
}
