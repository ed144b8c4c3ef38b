import type { FastifyInstance } from 'fastify'
import { bundleType, exportBundle, importBundle } from '../../../contract/exchange.ts'
import { sendPieces } from '../../platform/http-pieces.ts'
import { abortSignal, route, streamed } from '../../platform/http.ts'
import type { ExportsService } from './exports.service.ts'
import type { ImportsService } from './imports.service.ts'

const ndjson = `${bundleType}; charset=utf-8`

export function registerExchangeRoutes(app: FastifyInstance, exports: ExportsService, imports: ImportsService): void {
  route(app, exportBundle, ({ query, request, reply }) => {
    const bundle = exports.open(query)
    const day = app.headgate.platform.clock.iso().slice(0, 10)
    reply.header('content-disposition', `attachment; filename="headgate-${day}.ndjson"`)
    reply.header('content-type', ndjson)
    sendPieces(request, reply, { pieces: bundle.lines, abandon: bundle.abandon })
    return streamed
  })

  route(app, importBundle, async ({ query, caller, request, reply }): Promise<typeof streamed> => {
    const ended = abortSignal(request)
    const interrupt = () => request.raw.destroy()
    ended.addEventListener('abort', interrupt, { once: true })
    // Leaving the loop must not end the connection, over which a refusal still has to go.
    const body: AsyncIterable<Uint8Array> = request.raw.iterator({ destroyOnReturn: false })
    const applied = await imports.open(body, query, caller, ended)
    ended.removeEventListener('abort', interrupt)
    reply.header('content-type', ndjson)
    sendPieces(request, reply, { pieces: applied.lines, abandon: applied.abandon })
    return streamed
  })
}
