import type { FastifyInstance } from 'fastify'
import { listRecentRuns } from '../../../contract/recent-runs.ts'
import { route } from '../../platform/http.ts'
import type { RecentRunsService } from './recent-runs.service.ts'

export function registerRecentRunsRoutes(app: FastifyInstance, recentRuns: RecentRunsService): void {
  route(app, listRecentRuns, ({ query }) => recentRuns.list(query))
}
