import type { FastifyInstance } from 'fastify'
import { type ServerEvent, streamEvents } from '../../../contract/events.ts'
import type { EventLog } from '../../platform/events.ts'
import { route, streamed } from '../../platform/http.ts'
import { type EventStream, lastEventId, openEventStream } from '../../platform/sse.ts'
import { isWanted, resumeFrom } from './events.rules.ts'

const PAGE = 500

export function registerEventsRoutes(app: FastifyInstance, events: EventLog): void {
  route(app, streamEvents, ({ query, request, reply, caller }) => {
    const from = resumeFrom(lastEventId(request) ?? query.after, {
      oldest: events.oldestId(),
      latest: events.latestId(),
    })
    const stream = openEventStream(request, reply, { caller })
    if (from.kind === 'reset') stream.send({ id: from.after, event: 'reset', data: { reason: from.reason } })
    const wanted = (event: ServerEvent) => isWanted(event, query)
    follow(events, stream, from.after, wanted).catch((error: unknown) => {
      app.headgate.platform.logger.error({ err: error, request_id: request.id }, 'A stream of events broke')
      stream.close()
    })
    return streamed
  })
}

/**
 * Sends what is stored, page by page as the client takes it, and then what comes. The log is the one source: a
 * notification only says that there is more, so nothing is missed and nothing is doubled between the two.
 */
async function follow(
  events: EventLog,
  stream: EventStream,
  after: number,
  wanted: (event: ServerEvent) => boolean,
): Promise<void> {
  let last = after
  let wake: () => void = () => {}
  let more = true
  const unsubscribe = events.subscribe(() => {
    more = true
    wake()
  })
  const unhear = events.onAnnounced((event) => {
    // Without an id: it is not one of those that a client goes on from.
    if (wanted(event)) stream.send({ event: event.type, data: event })
  })
  stream.onClose(() => {
    unsubscribe()
    unhear()
    wake()
  })
  while (!stream.closed) {
    more = false
    const page = events.after(last, PAGE)
    for (const event of page) {
      last = event.id
      if (wanted(event)) stream.send({ id: event.id, event: event.type, data: event })
    }
    await stream.drained()
    if (page.length === PAGE || more || stream.closed) continue
    await new Promise<void>((resolve) => (wake = resolve))
  }
}
