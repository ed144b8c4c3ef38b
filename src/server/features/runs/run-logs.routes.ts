import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { downloadRunLogs, getRunLogs } from '../../../contract/runs.ts'
import type { Caller } from '../../platform/caller.ts'
import { sendPieces } from '../../platform/http-pieces.ts'
import { route, streamed } from '../../platform/http.ts'
import { type EventStream, lastEventId, openEventStream } from '../../platform/sse.ts'
import type { LogQuery, RunLogsService } from './run-logs.service.ts'

/** A client that does not keep up is waited for once so much lies unread. */
const highWaterBytes = 256 * 1024

export function registerRunLogsRoutes(app: FastifyInstance, logs: RunLogsService): void {
  route(app, getRunLogs, ({ params, query, caller, request, reply }) => {
    if (wantsEvents(request)) {
      follow(logs, params.id, query, caller, request, reply)
      return streamed
    }
    return logs.page(params.id, query, clientGone(reply))
  })

  route(app, downloadRunLogs, ({ params, request, reply }) => {
    const run = logs.find(params.id)
    reply.header('content-type', 'text/plain; charset=utf-8')
    reply.header('content-disposition', `attachment; filename="run-${run.id}.log"`)
    sendPieces(request, reply, { pieces: logs.download(run.id) })
    return streamed
  })
}

const wantsEvents = (request: FastifyRequest) => (request.headers.accept ?? '').includes('text/event-stream')

function follow(
  logs: RunLogsService,
  id: number,
  query: LogQuery,
  caller: Caller,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  // Asked before the stream opens: an unknown run is still an ordinary 404.
  logs.find(id)
  const stream = openEventStream(request, reply, { caller })
  const gone = new AbortController()
  stream.onClose(() => gone.abort())
  const after = lastEventId(request) ?? query.after ?? 0
  send(logs, id, after, query, stream, gone.signal).catch((error: unknown) => {
    request.server.headgate.platform.logger.error({ err: error, run_id: id }, 'A log could not be followed')
    stream.close()
  })
}

async function send(
  logs: RunLogsService,
  id: number,
  after: number,
  { level, q }: LogQuery,
  stream: EventStream,
  gone: AbortSignal,
): Promise<void> {
  for await (const lines of logs.follow(id, after, { level, q }, gone)) {
    for (const line of lines) {
      if (stream.pending > highWaterBytes) await stream.drained()
      stream.send({ id: line.line, event: 'line', data: line })
    }
  }
  stream.send({ event: 'end', data: {} })
  stream.close()
}

/** Aborted when the client goes away before it has its answer. */
function clientGone(reply: FastifyReply): AbortSignal {
  const controller = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort()
  })
  return controller.signal
}
