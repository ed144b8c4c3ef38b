import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  type AiEvent,
  explainRun,
  generateDashboardTemplate,
  generateJobTemplate,
  generateQuery,
  generateTask,
  previewExplainRun,
  previewGenerateDashboardTemplate,
  previewGenerateJobTemplate,
  previewGenerateQuery,
  previewGenerateTask,
  testAi,
} from '../../../contract/ai.ts'
import { getAiUsage } from '../../../contract/ai-usage.ts'
import { sendPieces } from '../../platform/http-pieces.ts'
import { abortSignal, route, streamed } from '../../platform/http.ts'
import type { AiService } from './ai.service.ts'

export function registerAiRoutes(app: FastifyInstance, ai: AiService): void {
  route(app, getAiUsage, ({ query, caller }) => ai.usage(query, caller))
  route(app, testAi, ({ caller, request }) => ai.test(caller, abortSignal(request)))
  route(app, previewExplainRun, ({ body }) => ai.previewExplanation(body))
  route(app, previewGenerateTask, ({ body, request }) => ai.task.preview(body, abortSignal(request)))
  route(app, previewGenerateJobTemplate, ({ body, request }) => ai.jobTemplate.preview(body, abortSignal(request)))
  route(app, previewGenerateDashboardTemplate, ({ body, request }) =>
    ai.dashboardTemplate.preview(body, abortSignal(request)),
  )
  route(app, previewGenerateQuery, ({ body, request }) => ai.query.preview(body, abortSignal(request)))
  route(app, generateQuery, ({ body, caller, request, reply }) =>
    send(request, reply, ai.query.open(body, caller, abortSignal(request))),
  )
  route(app, generateTask, ({ body, caller, request, reply }) =>
    send(request, reply, ai.task.open(body, caller, abortSignal(request))),
  )
  route(app, generateJobTemplate, ({ body, caller, request, reply }) =>
    send(request, reply, ai.jobTemplate.open(body, caller, abortSignal(request))),
  )
  route(app, generateDashboardTemplate, ({ body, caller, request, reply }) =>
    send(request, reply, ai.dashboardTemplate.open(body, caller, abortSignal(request))),
  )
  route(app, explainRun, ({ body, caller, request, reply }) =>
    send(request, reply, ai.explain(body, caller, abortSignal(request))),
  )
}

async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  opened: AsyncGenerator<AiEvent> | Promise<AsyncGenerator<AiEvent>>,
): Promise<typeof streamed> {
  const events = await opened
  reply.header('content-type', 'text/event-stream; charset=utf-8')
  reply.header('cache-control', 'no-store')
  sendPieces(request, reply, { pieces: lines(events), isSlow: true })
  return streamed
}

async function* lines(events: AsyncGenerator<AiEvent>): AsyncGenerator<string> {
  for await (const event of events) yield `event: ${event.event}\ndata: ${JSON.stringify(event)}\n\n`
}
