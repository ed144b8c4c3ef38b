import type { FastifyInstance } from 'fastify'
import { cancelJobRun, decideGate, pauseJobRun, resumeJobRun, runJob } from '../../../contract/job-run-control.ts'
import { route } from '../../platform/http.ts'
import { originOf } from '../runs/runs.service.ts'
import type { JobRunReadsService } from './job-run-reads.service.ts'
import type { JobRunsService } from './job-runs.service.ts'

export function registerJobRunsRoutes(app: FastifyInstance, jobRuns: JobRunsService, reads: JobRunReadsService): void {
  route(app, runJob, ({ params, body, caller, remember }) =>
    jobRuns.run(params.id, body, originOf(caller), reads.present, remember),
  )
  route(app, pauseJobRun, ({ params, body }) => jobRuns.pause(params.id, body.stop_running ?? false))
  route(app, resumeJobRun, ({ params, caller }) => jobRuns.resume(params.id, caller.user_id))
  route(app, cancelJobRun, ({ params }) => jobRuns.cancel(params.id))
  route(app, decideGate, ({ params, body, caller }) =>
    jobRuns.decideGate(params.id, params.key, body.open, { user_id: caller.user_id, note: body.note ?? null }),
  )
}
