import type { FastifyInstance } from 'fastify'
import { getLineage } from '../../../contract/lineage.ts'
import { route } from '../../platform/http.ts'
import type { LineageService } from './lineage.service.ts'

export function registerLineageRoutes(app: FastifyInstance, lineage: LineageService): void {
  route(app, getLineage, ({ query }) => lineage.get(query))
}
