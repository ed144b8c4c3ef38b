import type { FastifyInstance } from 'fastify'
import {
  archiveJob,
  createJob,
  deleteJobTaskOverride,
  getJob,
  getJobSnapshot,
  listJobTemplateJobs,
  listJobs,
  restoreJob,
  setJobTaskOverride,
  updateJob,
  upgradeJob,
} from '../../../contract/jobs.ts'
import { abortSignal, recordRoute, route } from '../../platform/http.ts'
import type { JobsService } from './jobs.service.ts'

export function registerJobsRoutes(app: FastifyInstance, jobs: JobsService) {
  route(app, listJobs, ({ query }) => jobs.list(query))
  route(app, listJobTemplateJobs, ({ params, query }) => jobs.listOfTemplate(params.id, query))
  route(app, createJob, ({ params, body, caller, etag }) => {
    const job = jobs.create(params.id, body, caller)
    etag(jobs.etag(job.id))
    return job
  })
  recordRoute(
    app,
    getJob,
    ({ params }) => jobs.get(params.id),
    ({ params }) => jobs.etag(params.id),
  )
  route(app, updateJob, ({ params, body, ifMatch, etag }) => {
    const job = jobs.update(params.id, body, ifMatch)
    etag(jobs.etag(job.id))
    return job
  })
  route(app, archiveJob, ({ params }) => jobs.setArchived(params.id, true))
  route(app, restoreJob, ({ params }) => jobs.setArchived(params.id, false))
  route(app, getJobSnapshot, ({ params }) => jobs.snapshot(params.id))
  route(
    app,
    setJobTaskOverride,
    ({ params, body, caller, ifMatch, etag }) => {
      const job = jobs.setOverride(params.id, params.key, body.yaml_content, caller, ifMatch)
      etag(jobs.etag(job.id))
      return job
    },
    ({ body, request }) => jobs.overridesAhead([body.yaml_content], abortSignal(request)),
  )
  route(app, deleteJobTaskOverride, ({ params }) => jobs.removeOverride(params.id, params.key))
  route(app, upgradeJob, ({ params, body, ifMatch }) => jobs.upgrade(params.id, body, ifMatch))
}
