import type { FastifyInstance } from 'fastify'
import { cleanStore, getStoreInfo, vacuumStore } from '../../../contract/store-care.ts'
import { route } from '../../platform/http.ts'
import type { StoreCareService } from './store-care.service.ts'

export function registerStoreCareRoutes(app: FastifyInstance, care: StoreCareService): void {
  route(app, getStoreInfo, () => care.info())
  route(app, cleanStore, () => care.clean())
  route(app, vacuumStore, () => care.vacuum())
}
