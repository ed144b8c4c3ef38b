import type { FastifyInstance } from 'fastify'
import { getJobTemplateSchema, jobTemplateOperations, validateJobTemplate } from '../../../contract/job-templates.ts'
import { jobSchema } from '../../../language/job/job-schema.ts'
import { registerDocumentRoutes } from '../../platform/documents/documents.routes.ts'
import { abortSignal, route } from '../../platform/http.ts'
import type { JobTemplatesService } from './job-templates.service.ts'

export function registerJobTemplatesRoutes(app: FastifyInstance, templates: JobTemplatesService) {
  registerDocumentRoutes(app, jobTemplateOperations, templates)
  route(app, validateJobTemplate, ({ body, request }) => templates.validate(body.yaml_content, abortSignal(request)))
  route(app, getJobTemplateSchema, () => ({ ...jobSchema }))
}
