import type { FastifyInstance } from 'fastify'
import { getBranding, updateBranding } from '../../../contract/branding.ts'
import { route } from '../../platform/http.ts'
import type { BrandingService } from './branding.service.ts'

export function registerBrandingRoutes(app: FastifyInstance, branding: BrandingService): void {
  route(app, getBranding, ({ etag }) => {
    const answer = branding.read()
    etag(answer.etag)
    return answer.branding
  })
  route(app, updateBranding, ({ body, ifMatch, etag }) => {
    const answer = branding.change(body, ifMatch)
    etag(answer.etag)
    return answer.branding
  })
}
