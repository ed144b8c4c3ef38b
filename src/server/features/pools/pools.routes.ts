import type { FastifyInstance } from 'fastify'
import { deletePool, getPool, listPools, setPool } from '../../../contract/pools.ts'
import { recordRoute, route } from '../../platform/http.ts'
import type { PoolsService } from './pools.service.ts'

export function registerPoolsRoutes(app: FastifyInstance, pools: PoolsService): void {
  route(app, listPools, () => pools.list())
  recordRoute(
    app,
    getPool,
    ({ params }) => pools.get(params.name),
    ({ params }) => pools.etag(params.name),
  )
  route(app, setPool, ({ params, body, ifMatch, etag }) => {
    const pool = pools.set(params.name, body, ifMatch)
    etag(pools.etag(pool.name))
    return pool
  })
  route(app, deletePool, ({ params }) => pools.remove(params.name))
}
