import type { FastifyInstance } from 'fastify'
import {
  getMetricsConfig,
  listMetrics,
  queryMetrics,
  scrapeMetrics,
  testMetricQuery,
  updateMetricsConfig,
} from '../../../contract/metrics.ts'
import { abortSignal, recordRoute, route, streamed } from '../../platform/http.ts'
import type { MetricsService } from './metrics.service.ts'

export function registerMetricsRoutes(app: FastifyInstance, metrics: MetricsService): void {
  route(app, listMetrics, () => metrics.list())
  route(app, queryMetrics, ({ body }) => metrics.query(body))
  route(app, scrapeMetrics, async ({ reply }): Promise<typeof streamed> => {
    const text = await metrics.scrape()
    reply.header('content-type', 'text/plain; version=0.0.4; charset=utf-8')
    reply.send(text)
    return streamed
  })
  recordRoute(
    app,
    getMetricsConfig,
    () => metrics.config(),
    () => metrics.etag(),
  )
  route(app, updateMetricsConfig, async ({ body, ifMatch, etag }) => {
    const config = await metrics.configure(body, ifMatch)
    etag(metrics.etag())
    return config
  })
  route(app, testMetricQuery, ({ body, request }) => metrics.test(body, abortSignal(request)))
}
