import type { FastifyInstance } from 'fastify'
import { deleteUpload, listUploads, uploadFile } from '../../../contract/uploads.ts'
import { abortSignal, route } from '../../platform/http.ts'
import type { UploadsService } from './uploads.service.ts'

export function registerUploadsRoutes(app: FastifyInstance, uploads: UploadsService): void {
  route(app, uploadFile, ({ query, request, caller }) => {
    // Leaving the loop must not end the connection, over which a refusal still has to go.
    const body: AsyncIterable<Uint8Array> = request.raw.iterator({ destroyOnReturn: false })
    const length = request.headers['content-length']
    const announced = length === undefined ? null : Number(length)
    return uploads.take(body, query.name, announced, caller, abortSignal(request))
  })
  route(app, listUploads, ({ query }) => uploads.list(query))
  route(app, deleteUpload, ({ params, query, caller }) => uploads.remove(params.name, query.force ?? false, caller))
}
