import type { FastifyInstance } from 'fastify'
import {
  createAiReference,
  deleteAiReference,
  getAiReference,
  listAiReferences,
  previewAiReferences,
  updateAiReference,
} from '../../../contract/ai-references.ts'
import { recordRoute, route } from '../../platform/http.ts'
import type { AiReferencesService } from './ai-references.service.ts'

export function registerAiReferencesRoutes(app: FastifyInstance, references: AiReferencesService): void {
  route(app, listAiReferences, ({ query }) => references.list(query))
  route(app, createAiReference, ({ body, caller, etag }) => {
    const reference = references.create(body, caller)
    etag(references.etag(reference.id))
    return reference
  })
  recordRoute(
    app,
    getAiReference,
    ({ params }) => references.get(params.id),
    ({ params }) => references.etag(params.id),
  )
  route(app, updateAiReference, ({ params, body, ifMatch, etag }) => {
    const reference = references.update(params.id, body, ifMatch)
    etag(references.etag(reference.id))
    return reference
  })
  route(app, deleteAiReference, ({ params }) => references.remove(params.id))
  route(app, previewAiReferences, ({ body }) => ({
    parts: references.retrieve(body.prompt, body.reference_ids),
    indexing: references.indexing(body.reference_ids),
  }))
}
