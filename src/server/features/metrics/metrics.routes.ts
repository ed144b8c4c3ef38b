import type { FastifyInstance } from 'fastify'
import { listMetrics, queryMetrics } from '../../../contract/metrics.ts'
import { route } from '../../platform/http.ts'
import type { MetricsService } from './metrics.service.ts'

export function registerMetricsRoutes(app: FastifyInstance, metrics: MetricsService): void {
  route(app, listMetrics, () => metrics.list())
  route(app, queryMetrics, ({ body }) => metrics.query(body))
}
