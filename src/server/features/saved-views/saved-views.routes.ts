import type { FastifyInstance } from 'fastify'
import { createSavedView, deleteSavedView, listSavedViews, updateSavedView } from '../../../contract/saved-views.ts'
import { route } from '../../platform/http.ts'
import type { SavedViewsService } from './saved-views.service.ts'

export function registerSavedViewsRoutes(app: FastifyInstance, views: SavedViewsService): void {
  route(app, listSavedViews, ({ query, caller }) => views.list(query.list, caller))
  route(app, createSavedView, ({ body, caller }) => views.create(body, caller))
  route(app, updateSavedView, ({ params, body, caller }) => views.update(params.id, body, caller))
  route(app, deleteSavedView, ({ params, caller }) => {
    views.remove(params.id, caller)
    return undefined
  })
}
