import type { FastifyInstance } from 'fastify'
import { getAttention } from '../../../contract/attention.ts'
import { route } from '../../platform/http.ts'
import type { AttentionService } from './attention.service.ts'

export function registerAttentionRoutes(app: FastifyInstance, attention: AttentionService): void {
  route(app, getAttention, ({ query }) => attention.read(query.limit))
}
