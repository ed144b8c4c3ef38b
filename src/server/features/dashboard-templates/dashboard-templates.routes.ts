import type { FastifyInstance } from 'fastify'
import {
  dashboardTemplateOperations,
  getDashboardTemplateSchema,
  validateDashboardTemplate,
} from '../../../contract/dashboard-templates.ts'
import { dashboardSchema } from '../../../language/dashboard/dashboard-schema.ts'
import { registerDocumentRoutes } from '../../platform/documents/documents.routes.ts'
import { abortSignal, route } from '../../platform/http.ts'
import type { DashboardTemplatesService } from './dashboard-templates.service.ts'

export function registerDashboardTemplatesRoutes(app: FastifyInstance, templates: DashboardTemplatesService) {
  registerDocumentRoutes(app, dashboardTemplateOperations, templates)
  route(app, validateDashboardTemplate, ({ body, request }) =>
    templates.validate(body.yaml_content, abortSignal(request)),
  )
  route(app, getDashboardTemplateSchema, () => ({ ...dashboardSchema }))
}
