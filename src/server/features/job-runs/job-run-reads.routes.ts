import type { FastifyInstance } from 'fastify'
import {
  getJobHistory,
  getJobRun,
  getJobRunGraph,
  listAllJobRuns,
  listJobRunItems,
  listJobRunRuns,
} from '../../../contract/job-runs.ts'
import { route } from '../../platform/http.ts'
import type { JobRunReadsService } from './job-run-reads.service.ts'

export function registerJobRunReadsRoutes(app: FastifyInstance, reads: JobRunReadsService): void {
  route(app, listAllJobRuns, ({ query }) => reads.list(query))
  route(app, getJobRun, ({ params }) => reads.get(params.id))
  route(app, getJobRunGraph, ({ params }) => reads.graph(params.id))
  route(app, listJobRunRuns, ({ params, query }) => reads.runs(params.id, query))
  route(app, listJobRunItems, ({ params, query }) => reads.items(params.id, params.key, query))
  route(app, getJobHistory, ({ params, query }) => reads.history(params.id, query))
}
