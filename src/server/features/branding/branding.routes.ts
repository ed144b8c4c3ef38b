import type { FastifyInstance } from 'fastify'
import { getBranding, updateBranding } from '../../../contract/branding.ts'
import { recordRoute, route } from '../../platform/http.ts'
import type { BrandingService } from './branding.service.ts'

export function registerBrandingRoutes(app: FastifyInstance, branding: BrandingService): void {
  recordRoute(
    app,
    getBranding,
    () => branding.read().branding,
    () => branding.read().etag,
  )
  route(app, updateBranding, ({ body, ifMatch, etag }) => {
    const answer = branding.change(body, ifMatch)
    etag(answer.etag)
    return answer.branding
  })
}
