import type { FastifyInstance, FastifyReply } from 'fastify'
import { getPublicDashboard, getPublicWidgetData } from '../../../contract/public-dashboards.ts'
import { allowFrames } from '../../platform/http-guards.ts'
import { writeOnce } from '../../platform/http-serialization.ts'
import { route } from '../../platform/http.ts'
import type { PublicDashboardsService } from './public-dashboards.service.ts'

export function registerPublicDashboardsRoutes(app: FastifyInstance, dashboards: PublicDashboardsService): void {
  route(app, getPublicDashboard, ({ params, request, reply }) => {
    const dashboard = dashboards.get(params.token, request.method === 'GET')
    writeOnce(reply, dashboard)
    return dashboard
  })
  route(app, getPublicWidgetData, async ({ params, body, reply }) => {
    const data = await dashboards.data(params.token, params.widgetId, body)
    writeOnce(reply, data)
    return data
  })
}

/** The page of a link looks the same whether its token works or not, but for who may frame it. */
export function publicPage(dashboards: PublicDashboardsService, token: string, reply: FastifyReply): void {
  allowFrames(reply, dashboards.framedBy(token) ?? [])
}
