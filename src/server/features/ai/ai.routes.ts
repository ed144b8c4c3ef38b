import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  type AiEvent,
  explainRun,
  generateTask,
  getAiUsage,
  previewExplainRun,
  previewGenerateTask,
  testAi,
} from '../../../contract/ai.ts'
import { sendPieces } from '../../platform/http-pieces.ts'
import { abortSignal, route, streamed } from '../../platform/http.ts'
import type { AiService } from './ai.service.ts'

export function registerAiRoutes(app: FastifyInstance, ai: AiService): void {
  route(app, getAiUsage, () => ai.usage())
  route(app, testAi, ({ caller, request }) => ai.test(caller, abortSignal(request)))
  route(app, previewGenerateTask, ({ body, request }) => ai.preview(body, abortSignal(request)))
  route(app, previewExplainRun, ({ body }) => ai.previewExplanation(body))
  route(app, generateTask, async ({ body, caller, request, reply }): Promise<typeof streamed> => {
    const events = await ai.open(body, caller, abortSignal(request))
    return send(request, reply, events)
  })
  route(app, explainRun, ({ body, caller, request, reply }) =>
    send(request, reply, ai.explain(body, caller, abortSignal(request))),
  )
}

function send(request: FastifyRequest, reply: FastifyReply, events: AsyncGenerator<AiEvent>): typeof streamed {
  reply.header('content-type', 'text/event-stream; charset=utf-8')
  reply.header('cache-control', 'no-store')
  sendPieces(request, reply, { pieces: lines(events), isSlow: true })
  return streamed
}

async function* lines(events: AsyncGenerator<AiEvent>): AsyncGenerator<string> {
  for await (const event of events) yield `event: ${event.event}\ndata: ${JSON.stringify(event)}\n\n`
}
