import type { FastifyInstance } from 'fastify'
import { getScheduler, updateScheduler } from '../../../contract/scheduler.ts'
import { recordRoute, route } from '../../platform/http.ts'
import type { SchedulerService } from './scheduler.service.ts'

export function registerSchedulerRoutes(app: FastifyInstance, scheduler: SchedulerService): void {
  recordRoute(app, getScheduler, () => scheduler.read())
  route(app, updateScheduler, ({ body, caller }) => scheduler.set(body.paused, caller.username))
}
