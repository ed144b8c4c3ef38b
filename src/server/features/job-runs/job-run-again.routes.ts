import type { FastifyInstance } from 'fastify'
import { backfillJob, rerunJobRun } from '../../../contract/job-run-control.ts'
import { abortSignal, route } from '../../platform/http.ts'
import { originOf } from '../runs/runs.service.ts'
import type { JobRunBackfillService } from './job-run-backfill.service.ts'
import type { JobRunRerunService } from './job-run-rerun.service.ts'

/** What starts job runs again, or many of them. */
export function registerJobRunAgainRoutes(
  app: FastifyInstance,
  { reruns, backfills }: { reruns: JobRunRerunService; backfills: JobRunBackfillService },
): void {
  route(
    app,
    rerunJobRun,
    ({ params, body, caller }) => reruns.rerun(params.id, body, originOf(caller)),
    ({ body, request }) => reruns.ahead(body, abortSignal(request)),
  )
  route(app, backfillJob, ({ params, body, caller }) => backfills.backfill(params.id, body, originOf(caller)))
}
