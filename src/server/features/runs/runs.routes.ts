import type { FastifyInstance } from 'fastify'
import {
  cancelRun,
  getRun,
  listRunSteps,
  listRuns,
  retryRun,
  searchRunErrors,
  triggerRun,
} from '../../../contract/runs.ts'
import { downloadRunRejects, listRunRejectGroups, listRunRejects } from '../../../contract/run-rejects.ts'
import { getRejectsRerun, rerunRejects } from '../../../contract/rejects-rerun.ts'
import { sendPieces } from '../../platform/http-pieces.ts'
import { readWithin } from '../../platform/http-wait.ts'
import { abortSignal, auditRecord, route, streamed } from '../../platform/http.ts'
import { registerRunCallbacksRoutes } from './run-callbacks.routes.ts'
import { registerRunLogsRoutes } from './run-logs.routes.ts'
import { hasEnded } from './runs.rules.ts'
import { type RunsService, originOf } from './runs.service.ts'

export function registerRunsRoutes(app: FastifyInstance, runs: RunsService): void {
  route(app, searchRunErrors, ({ query, request }) => runs.searchErrors(query, abortSignal(request)))
  route(app, listRuns, ({ query }) => runs.list(query))
  const { events } = app.headgate.platform
  auditRecord(app, getRun, ({ params }) => runs.get(params.id))
  route(app, getRun, ({ params: { id }, query: { wait }, request }) =>
    readWithin(events, request, {
      wait,
      read: () => runs.get(id),
      isDone: ({ status }) => hasEnded(status),
      concerns: ({ type, entity_id }) => type === 'run.changed' && entity_id === id,
    }),
  )
  route(
    app,
    triggerRun,
    ({ params, body, caller, remember }) => runs.trigger(params.taskId, body, originOf(caller), remember),
    ({ params, request }) => runs.ahead(params.taskId, () => abortSignal(request)),
  )
  route(app, cancelRun, ({ params }) => runs.cancel(params.id))
  route(app, retryRun, ({ params, caller, remember }) => runs.retry(params.id, originOf(caller), remember))
  route(app, getRejectsRerun, ({ params }) => runs.rejectsRerun(params.id))
  route(app, rerunRejects, ({ params, body, caller, remember }) =>
    runs.rerunRejects(params.id, body.rows, originOf(caller), remember),
  )
  route(app, listRunSteps, ({ params }) => runs.steps(params.id))
  route(app, downloadRunRejects, ({ params, query, request, reply }) => {
    const pieces = runs.rejectsFile(params.id, query)
    const [type, extension] =
      query.format === 'ndjson' ? ['application/x-ndjson', 'jsonl'] : ['text/csv; charset=utf-8', 'csv']
    reply.header('content-type', type)
    reply.header('content-disposition', `attachment; filename="run-${params.id}-rejects.${extension}"`)
    sendPieces(request, reply, { pieces })
    return streamed
  })
  route(app, listRunRejectGroups, ({ params }) => runs.rejectGroups(params.id))
  route(app, listRunRejects, ({ params, query }) => runs.rejects(params.id, query))
  registerRunLogsRoutes(app, runs.logs)
  registerRunCallbacksRoutes(app, runs.callbacks)
}
