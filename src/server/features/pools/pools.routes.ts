import type { FastifyInstance } from 'fastify'
import { deletePool, listPools, setPool } from '../../../contract/pools.ts'
import { route } from '../../platform/http.ts'
import type { PoolsService } from './pools.service.ts'

export function registerPoolsRoutes(app: FastifyInstance, pools: PoolsService): void {
  route(app, listPools, () => pools.list())
  route(app, setPool, ({ params, body }) => pools.set(params.name, body))
  route(app, deletePool, ({ params }) => pools.remove(params.name))
}
