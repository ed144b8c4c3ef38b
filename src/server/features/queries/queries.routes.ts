import type { FastifyInstance } from 'fastify'
import { explainQuery } from '../../../contract/explain.ts'
import {
  cancelQuery,
  exportQuery,
  exportTypes,
  getQueryCell,
  getQueryPage,
  queryConnector,
} from '../../../contract/queries.ts'
import { profileColumn } from '../../../contract/column-profile.ts'
import { listRecords } from '../../../contract/records.ts'
import { sendPieces } from '../../platform/http-pieces.ts'
import { abortSignal, route, streamed } from '../../platform/http.ts'
import type { QueriesService } from './queries.service.ts'
import type { RecordsService } from './records.service.ts'

export function registerQueriesRoutes(
  app: FastifyInstance,
  { queries, records }: { queries: QueriesService; records: RecordsService },
): void {
  const { streams } = app.headgate
  route(app, queryConnector, ({ params, body, caller, request }) =>
    queries.run(params.id, body, caller, abortSignal(request), (end) => streams.add(caller, end)),
  )
  route(app, explainQuery, ({ params, body, caller, request }) =>
    queries.explain(params.id, body, caller, abortSignal(request)),
  )
  route(app, profileColumn, ({ params, body, caller, request }) =>
    queries.profile(params.id, params.queryId, body, caller, abortSignal(request)),
  )
  route(app, listRecords, ({ params, body, caller, request }) =>
    records.list(params.id, body, caller, abortSignal(request)),
  )
  route(app, getQueryPage, ({ params, query, caller, request }) =>
    queries.page(params.id, params.queryId, query, caller, abortSignal(request)),
  )
  route(app, getQueryCell, async ({ params, query, caller, request, reply }): Promise<typeof streamed> => {
    const cell = await queries.cell(params.id, params.queryId, query, caller, abortSignal(request))
    reply.header('content-type', 'application/json; charset=utf-8')
    sendPieces(request, reply, cell)
    return streamed
  })
  route(app, cancelQuery, ({ params, caller }) => queries.cancel(params.id, params.queryId, caller))
  route(app, exportQuery, async ({ params, body, caller, request, reply }): Promise<typeof streamed> => {
    const file = await queries.export(params.id, params.queryId, body, caller, abortSignal(request))
    reply.header('content-type', exportTypes[body.format])
    reply.header('content-disposition', `attachment; filename="query.${body.format}"`)
    sendPieces(request, reply, { ...file, isSlow: true })
    return streamed
  })
}
