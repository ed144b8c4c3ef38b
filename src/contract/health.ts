import Type, { type Static } from 'typebox'
import { operation, ref } from './operation.ts'

export const HealthCheck = Type.Object({ status: Type.Enum(['ok', 'degraded']), message: Type.Optional(Type.String()) })
export const Health = Type.Object(
  {
    status: Type.Enum(['ok', 'degraded']),
    version: Type.String(),
    uptime_ms: Type.Integer(),
    checks: Type.Object({ database: HealthCheck, scheduler: HealthCheck, executors: HealthCheck, disk: HealthCheck }),
  },
  { $id: 'Health' },
)
export type Health = Static<typeof Health>

export const getHealth = operation({
  id: 'getHealth',
  method: 'GET',
  path: '/api/health',
  tag: 'Health',
  summary: 'Get liveness and the status of each component',
  security: 'none',
  responses: { 200: ref(Health) },
  errors: [],
})
