import type { FastifyInstance } from 'fastify'
import type { Paginated } from '../../../contract/common.ts'
import type {
  DocumentOperations,
  DocumentSave,
  DocumentVersionsQuery,
  DocumentsQuery,
  TagChange,
  TagResult,
} from '../../../contract/documents.ts'
import type { Caller } from '../caller.ts'
import { abortSignal, recordRoute, route } from '../http.ts'

interface Documents<Item, Detail extends { id: number }, Version> {
  list(query: DocumentsQuery): Paginated<Item>
  get(id: number): Detail
  etag(id: number): string
  ahead(yaml: string, signal: AbortSignal): Promise<() => void>
  versionAhead(id: number, version: number, signal: AbortSignal): Promise<() => void>
  create(body: DocumentSave, caller: Caller): Detail
  update(id: number, body: DocumentSave, caller: Caller, guard: (etag: string) => void): Detail
  tag(id: number, change: TagChange): TagResult
  setArchived(id: number, archived: 0 | 1): { success: boolean }
  listVersions(id: number, query: DocumentVersionsQuery): Paginated<Version>
  version(id: number, version: number): Version
  restoreVersion(id: number, version: number, caller: Caller): Detail
}

/** What every kind of document serves; it answers as its operations say. */
export function registerDocumentRoutes<Item, Detail extends { id: number }, Version>(
  app: FastifyInstance,
  operations: DocumentOperations<Item, Detail, Version>,
  documents: Documents<Item, Detail, Version>,
) {
  const tagged = (detail: Detail, etag: (value: string) => void) => {
    etag(documents.etag(detail.id))
    return detail
  }
  route(app, operations.list, ({ query }) => documents.list(query))
  route(
    app,
    operations.create,
    ({ body, caller, etag }) => tagged(documents.create(body, caller), etag),
    ({ body, request }) => documents.ahead(body.yaml_content, abortSignal(request)),
  )
  recordRoute(
    app,
    operations.get,
    ({ params }) => documents.get(params.id),
    ({ params }) => documents.etag(params.id),
  )
  route(
    app,
    operations.update,
    ({ params, body, caller, ifMatch, etag }) => tagged(documents.update(params.id, body, caller, ifMatch), etag),
    ({ body, request }) => documents.ahead(body.yaml_content, abortSignal(request)),
  )
  route(app, operations.tag, ({ params, body }) => documents.tag(params.id, body))
  route(app, operations.archive, ({ params }) => documents.setArchived(params.id, 1))
  route(app, operations.restore, ({ params }) => documents.setArchived(params.id, 0))
  route(app, operations.listVersions, ({ params, query }) => documents.listVersions(params.id, query))
  route(app, operations.getVersion, ({ params }) => documents.version(params.id, params.vid))
  route(
    app,
    operations.restoreVersion,
    ({ params, caller, etag }) => tagged(documents.restoreVersion(params.id, params.vid, caller), etag),
    ({ params, request }) => documents.versionAhead(params.id, params.vid, abortSignal(request)),
  )
}
