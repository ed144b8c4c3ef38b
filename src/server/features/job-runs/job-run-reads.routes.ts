import type { FastifyInstance } from 'fastify'
import {
  getJobHistory,
  getJobRun,
  getJobRunGraph,
  listAllJobRuns,
  listJobRunItems,
  listJobRunRuns,
} from '../../../contract/job-runs.ts'
import { auditRecord, route } from '../../platform/http.ts'
import { readWithin } from '../../platform/http-wait.ts'
import { isOpen } from './job-runs.rules.ts'
import type { JobRunReadsService } from './job-run-reads.service.ts'

export function registerJobRunReadsRoutes(app: FastifyInstance, reads: JobRunReadsService): void {
  route(app, listAllJobRuns, ({ query }) => reads.list(query))
  const { events } = app.headgate.platform
  auditRecord(app, getJobRun, ({ params }) => reads.get(params.id))
  route(app, getJobRun, ({ params: { id }, query: { wait }, request }) =>
    readWithin(events, request, {
      wait,
      read: () => reads.get(id),
      isDone: ({ status }) => status === 'paused' || !isOpen(status),
      concerns: ({ type, entity_id }) => type === 'job_run.changed' && entity_id === id,
    }),
  )
  route(app, getJobRunGraph, ({ params }) => reads.graph(params.id))
  route(app, listJobRunRuns, ({ params, query }) => reads.runs(params.id, query))
  route(app, listJobRunItems, ({ params, query }) => reads.items(params.id, params.key, query))
  route(app, getJobHistory, ({ params, query }) => reads.history(params.id, query))
}
