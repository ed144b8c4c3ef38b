import type { FastifyInstance } from 'fastify'
import {
  callHook,
  createEventTrigger,
  deleteEventTrigger,
  getEventTrigger,
  listEventTriggers,
  rotateEventTriggerToken,
  updateEventTrigger,
} from '../../../contract/event-triggers.ts'
import { recordRoute, route } from '../../platform/http.ts'
import type { EventTriggersService } from './event-triggers.service.ts'

export function registerEventTriggersRoutes(app: FastifyInstance, triggers: EventTriggersService): void {
  route(app, listEventTriggers, ({ query }) => triggers.list(query))
  route(app, createEventTrigger, ({ body, caller, etag, remember }) => {
    const trigger = triggers.create(body, caller)
    etag(triggers.etag(trigger.id))
    // The token is told once: an answer that is given again does not hold it, and the store never does.
    remember({ ...trigger, token: null })
    return trigger
  })
  recordRoute(
    app,
    getEventTrigger,
    ({ params }) => triggers.get(params.id),
    ({ params }) => triggers.etag(params.id),
  )
  route(app, updateEventTrigger, ({ params, body, ifMatch, etag }) => {
    const trigger = triggers.update(params.id, body, ifMatch)
    etag(triggers.etag(trigger.id))
    return trigger
  })
  route(app, deleteEventTrigger, ({ params }) => triggers.remove(params.id))
  route(app, rotateEventTriggerToken, ({ params }) => triggers.rotateToken(params.id))
  route(app, callHook, async ({ params, body, request, remember }) => {
    // Not in the transaction of the Idempotency-Key: why nothing could be started is noted even though the call is refused.
    await Promise.resolve()
    return triggers.callHook(params.token, body, request.headers, remember)
  })
}
