import type { FastifyInstance } from 'fastify'
import {
  createTrigger,
  deleteTrigger,
  getTrigger,
  getTriggerCalendar,
  listTriggerFirings,
  listTriggers,
  previewTrigger,
  updateTrigger,
} from '../../../contract/triggers.ts'
import { recordRoute, route } from '../../platform/http.ts'
import type { TriggersService } from './triggers.service.ts'

export function registerTriggersRoutes(app: FastifyInstance, triggers: TriggersService): void {
  route(app, listTriggers, ({ query }) => triggers.list(query))
  route(app, createTrigger, ({ body, caller, etag }) => {
    const trigger = triggers.create(body, caller)
    etag(triggers.etag(trigger.id))
    return trigger
  })
  recordRoute(
    app,
    getTrigger,
    ({ params }) => triggers.get(params.id),
    ({ params }) => triggers.etag(params.id),
  )
  route(app, updateTrigger, ({ params, body, ifMatch, etag }) => {
    const trigger = triggers.update(params.id, body, ifMatch)
    etag(triggers.etag(trigger.id))
    return trigger
  })
  route(app, deleteTrigger, ({ params }) => triggers.remove(params.id))
  route(app, previewTrigger, ({ body }) => triggers.preview(body))
  route(app, listTriggerFirings, ({ params, query }) => triggers.firings(params.id, query))
  route(app, getTriggerCalendar, ({ query }) => triggers.calendar(query))
}
