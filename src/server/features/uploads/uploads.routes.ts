import type { FastifyInstance } from 'fastify'
import { uploadFile } from '../../../contract/uploads.ts'
import { route } from '../../platform/http.ts'
import type { UploadsService } from './uploads.service.ts'

export function registerUploadsRoutes(app: FastifyInstance, uploads: UploadsService): void {
  route(app, uploadFile, ({ query, request }) => {
    // Leaving the loop must not end the connection, over which a refusal still has to go.
    const body: AsyncIterable<Uint8Array> = request.raw.iterator({ destroyOnReturn: false })
    const length = request.headers['content-length']
    return uploads.take(body, query.name, length === undefined ? null : Number(length))
  })
}
