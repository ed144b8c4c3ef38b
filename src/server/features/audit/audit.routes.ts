import type { FastifyInstance } from 'fastify'
import { exportAudit, listAudit, verifyAudit } from '../../../contract/audit.ts'
import { sendPieces } from '../../platform/http-pieces.ts'
import { route, streamed } from '../../platform/http.ts'
import type { AuditService } from './audit.service.ts'

export function registerAuditRoutes(app: FastifyInstance, audit: AuditService): void {
  route(app, listAudit, ({ query }) => audit.list(query))
  route(app, exportAudit, ({ query, request, reply }) => {
    reply.header('content-type', 'application/x-ndjson; charset=utf-8')
    reply.header('content-disposition', 'attachment; filename="headgate-audit.ndjson"')
    sendPieces(request, reply, { pieces: audit.lines(query) })
    return streamed
  })
  route(app, verifyAudit, () => audit.verify())
}
