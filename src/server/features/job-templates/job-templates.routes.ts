import type { FastifyInstance } from 'fastify'
import {
  archiveJobTemplate,
  createJobTemplate,
  getJobTemplate,
  getJobTemplateSchema,
  getJobTemplateVersion,
  listJobTemplateVersions,
  listJobTemplates,
  restoreJobTemplate,
  restoreJobTemplateVersion,
  updateJobTemplate,
  validateJobTemplate,
} from '../../../contract/job-templates.ts'
import { jobSchema } from '../../../language/job/job-schema.ts'
import { route } from '../../platform/http.ts'
import type { JobTemplatesService } from './job-templates.service.ts'

export function registerJobTemplatesRoutes(app: FastifyInstance, templates: JobTemplatesService) {
  route(app, listJobTemplates, ({ query }) => templates.list(query))
  route(app, createJobTemplate, ({ body, caller, etag }) => {
    const template = templates.create(body, caller)
    etag(templates.etag(template.id))
    return template
  })
  route(app, getJobTemplate, ({ params, etag }) => {
    etag(templates.etag(params.id))
    return templates.get(params.id)
  })
  route(app, updateJobTemplate, ({ params, body, caller, ifMatch, etag }) => {
    const template = templates.update(params.id, body, caller, ifMatch)
    etag(templates.etag(template.id))
    return template
  })
  route(app, archiveJobTemplate, ({ params }) => templates.setArchived(params.id, 1))
  route(app, restoreJobTemplate, ({ params }) => templates.setArchived(params.id, 0))
  route(app, listJobTemplateVersions, ({ params, query }) => templates.listVersions(params.id, query))
  route(app, getJobTemplateVersion, ({ params }) => templates.version(params.id, params.vid))
  route(app, restoreJobTemplateVersion, ({ params, caller, etag }) => {
    const template = templates.restoreVersion(params.id, params.vid, caller)
    etag(templates.etag(template.id))
    return template
  })
  route(app, validateJobTemplate, ({ body }) => templates.validate(body.yaml_content))
  route(app, getJobTemplateSchema, () => ({ ...jobSchema }))
}
