import type { FastifyInstance } from 'fastify'
import { getJobTemplateSchema, jobTemplateOperations, validateJobTemplate } from '../../../contract/job-templates.ts'
import { jobSchema } from '../../../language/job/job-schema.ts'
import { registerDocumentRoutes } from '../../platform/documents/documents.routes.ts'
import { route } from '../../platform/http.ts'
import type { JobTemplatesService } from './job-templates.service.ts'

export function registerJobTemplatesRoutes(app: FastifyInstance, templates: JobTemplatesService) {
  registerDocumentRoutes(app, jobTemplateOperations, templates)
  route(app, validateJobTemplate, ({ body }) => templates.validate(body.yaml_content))
  route(app, getJobTemplateSchema, () => ({ ...jobSchema }))
}
