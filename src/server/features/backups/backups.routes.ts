import { msg } from '../../../contract/messages.ts'
import type { FastifyInstance } from 'fastify'
import { createBackup, deleteBackup, downloadBackup, listBackups, restoreBackup } from '../../../contract/backups.ts'
import { restartServer } from '../../../contract/server-config.ts'
import { sendPieces } from '../../platform/http-pieces.ts'
import { route, streamed } from '../../platform/http.ts'
import { invalidState, unavailable } from '../../platform/refusal.ts'
import type { BackupsService } from './backups.service.ts'

export function registerBackupsRoutes(app: FastifyInstance, backups: BackupsService): void {
  route(app, listBackups, ({ query }) => backups.list(query))
  route(app, createBackup, () => backups.create())
  route(app, downloadBackup, ({ params, request, reply }) => {
    const { bytes, content, abandon } = backups.download(params.name)
    reply.header('content-type', 'application/vnd.sqlite3')
    reply.header('content-length', bytes)
    reply.header('content-disposition', `attachment; filename="${params.name}"`)
    sendPieces(request, reply, { pieces: content, abandon })
    return streamed
  })
  route(app, deleteBackup, ({ params }) => backups.remove(params.name))
  route(app, restoreBackup, ({ body, caller }) => backups.restore(body.name, body.dry_run ?? false, caller.username))
  route(app, restartServer, async ({ caller }) => {
    const restarter = app.headgate.platform.restarter.current ?? unavailable(msg('cannot_restart'))
    await restarter.check().catch((error: Error) => invalidState(msg('would_not_start', { reason: error.message })))
    restarter.restart(`Asked by ${caller.username}`)
    return { success: true }
  })
}
