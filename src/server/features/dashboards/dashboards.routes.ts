import type { FastifyInstance } from 'fastify'
import { previewDashboardOptions, previewDashboardWidget } from '../../../contract/dashboard-templates.ts'
import {
  createDashboardShare,
  deleteDashboardShare,
  exportWidgetRows,
  getDashboard,
  getWidgetData,
  listAllShares,
  listDashboardShares,
  listDashboards,
  resolveDashboardWidgetOptions,
  submitWidget,
  updateDashboard,
} from '../../../contract/dashboards.ts'
import { sendPieces } from '../../platform/http-pieces.ts'
import { abortSignal, recordRoute, route, streamed } from '../../platform/http.ts'
import { originOf } from '../runs/runs.service.ts'
import type { DashboardsService } from './dashboards.service.ts'
import type { SharesService } from './shares.service.ts'
import type { WidgetExportService } from './widget-export.service.ts'
import type { WidgetOptionsService } from './widget-options.service.ts'
import type { WidgetSubmitService } from './widget-submit.service.ts'
import type { WidgetsService } from './widgets.service.ts'

interface Services {
  dashboards: DashboardsService
  widgets: WidgetsService
  widgetExport: WidgetExportService
  widgetOptions: WidgetOptionsService
  widgetSubmit: WidgetSubmitService
  shares: SharesService
}

export function registerDashboardsRoutes(
  app: FastifyInstance,
  { dashboards, widgets, widgetExport, widgetOptions, widgetSubmit, shares }: Services,
): void {
  route(app, listDashboards, ({ query }) => dashboards.list(query))
  recordRoute(
    app,
    getDashboard,
    ({ params }) => dashboards.get(params.id),
    ({ params }) => dashboards.etag(params.id),
  )
  route(app, updateDashboard, ({ params, body, ifMatch, etag }) => {
    const saved = dashboards.saveState(params.id, body.state, ifMatch)
    etag(dashboards.etag(params.id))
    return saved
  })
  route(app, getWidgetData, ({ params, body }) => {
    const open = dashboards.open(params.id)
    return widgets.data(open, widgets.need(open, params.widgetId), body)
  })
  route(app, exportWidgetRows, async ({ params, body, caller, request, reply }): Promise<typeof streamed> => {
    const open = dashboards.open(params.id)
    const widget = widgets.need(open, params.widgetId)
    const file = await widgetExport.rows(open, widget, body ?? {}, caller.user_id, abortSignal(request))
    reply.header('content-type', 'text/csv; charset=utf-8')
    reply.header('content-disposition', `attachment; filename="${widget.id}.csv"`)
    sendPieces(request, reply, { ...file, isSlow: true })
    return streamed
  })
  route(
    app,
    previewDashboardWidget,
    ({ body: { yaml_content, job_id, widget_id, ...body } }) => {
      const open = dashboards.preview(job_id, yaml_content)
      return widgets.data(open, widgets.need(open, widget_id), body)
    },
    ({ body, request }) => dashboards.previewAhead(body.yaml_content, abortSignal(request)),
  )
  route(
    app,
    previewDashboardOptions,
    ({ body: { yaml_content, job_id, widget_id, ...body }, request }) =>
      widgetOptions.options(dashboards.preview(job_id, yaml_content), widget_id, body, abortSignal(request)),
    ({ body, request }) => dashboards.previewAhead(body.yaml_content, abortSignal(request)),
  )
  route(app, resolveDashboardWidgetOptions, ({ params, body, request }) =>
    widgetOptions.options(dashboards.open(params.id), params.widgetId, body, abortSignal(request)),
  )
  route(app, submitWidget, ({ params, body, caller, remember }) => {
    const open = dashboards.open(params.id)
    return widgetSubmit.submit(open, widgets.need(open, params.widgetId), body, originOf(caller), remember)
  })
  route(app, listDashboardShares, ({ params, query }) => shares.list(params.id, query))
  route(app, createDashboardShare, ({ params, body, caller }) => shares.create(params.id, body, caller))
  route(app, deleteDashboardShare, ({ params }) => shares.revoke(params.id, params.shareId))
  route(app, listAllShares, ({ query }) => shares.listAll(query))
}
