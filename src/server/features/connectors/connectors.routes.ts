import type { FastifyInstance } from 'fastify'
import {
  archiveConnector,
  createConnector,
  getConnector,
  getResource,
  listConnectorTypes,
  listConnectors,
  listResources,
  restoreConnector,
  testConnector,
  testConnectorById,
  updateConnector,
} from '../../../contract/connectors.ts'
import { abortSignal, recordRoute, route } from '../../platform/http.ts'
import type { ConnectorsService } from './connectors.service.ts'

export function registerConnectorsRoutes(app: FastifyInstance, connectors: ConnectorsService) {
  route(app, listConnectors, ({ query }) => connectors.list(query))
  route(app, createConnector, ({ body, etag }) => {
    const connector = connectors.create(body)
    etag(connectors.etag(connector.id))
    return connector
  })
  recordRoute(
    app,
    getConnector,
    ({ params }) => connectors.get(params.id),
    ({ params }) => connectors.etag(params.id),
  )
  route(app, updateConnector, ({ params, body, ifMatch, etag }) => {
    const connector = connectors.update(params.id, body, ifMatch)
    etag(connectors.etag(connector.id))
    return connector
  })
  route(app, archiveConnector, ({ params }) => connectors.setArchived(params.id, 1))
  route(app, restoreConnector, ({ params }) => connectors.setArchived(params.id, 0))
  route(app, testConnectorById, ({ params, caller, request }) =>
    connectors.test(params.id, abortSignal(request), caller.user_id),
  )
  route(app, testConnector, ({ body, caller, request }) =>
    connectors.testUnsaved(body, abortSignal(request), caller.user_id),
  )
  route(app, listConnectorTypes, () => connectors.types())
  route(app, listResources, ({ params, query, caller, request }) =>
    connectors.resources(params.id, query.q, abortSignal(request), caller.user_id),
  )
  route(app, getResource, ({ params, caller, request }) =>
    connectors.resource(params.id, params.name, abortSignal(request), caller.user_id),
  )
}
