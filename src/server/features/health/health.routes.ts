import type { FastifyInstance } from 'fastify'
import { getHealth } from '../../../contract/health.ts'
import { route } from '../../platform/http.ts'
import type { HealthService } from './health.service.ts'

export function registerHealthRoutes(app: FastifyInstance, health: HealthService): void {
  route(app, getHealth, () => health.check())
}
