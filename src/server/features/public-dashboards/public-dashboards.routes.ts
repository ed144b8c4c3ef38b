import type { FastifyInstance, FastifyReply } from 'fastify'
import { getPublicDashboard, getPublicWidgetData } from '../../../contract/public-dashboards.ts'
import { allowFrames } from '../../platform/http-guards.ts'
import { route } from '../../platform/http.ts'
import type { PublicDashboardsService } from './public-dashboards.service.ts'

export function registerPublicDashboardsRoutes(app: FastifyInstance, dashboards: PublicDashboardsService): void {
  route(app, getPublicDashboard, ({ params }) => dashboards.get(params.token))
  route(app, getPublicWidgetData, ({ params, body }) => dashboards.data(params.token, params.widgetId, body))
}

/** The page of a link looks the same whether its token works or not, but for who may frame it. */
export function publicPage(dashboards: PublicDashboardsService, token: string, reply: FastifyReply): void {
  allowFrames(reply, dashboards.framedBy(token) ?? [])
}
