import type { FastifyInstance } from 'fastify'
import { registerApiKeysRoutes } from './features/api-keys/api-keys.routes.ts'
import { createApiKeysService } from './features/api-keys/api-keys.service.ts'
import { registerAuthRoutes } from './features/auth/auth.routes.ts'
import { createAuthService } from './features/auth/auth.service.ts'
import { createSessionsService } from './features/auth/sessions.service.ts'
import { registerDocsRoutes } from './features/docs/docs.routes.ts'
import { registerEventsRoutes } from './features/events/events.routes.ts'
import { registerHealthRoutes } from './features/health/health.routes.ts'
import { createHealthService } from './features/health/health.service.ts'
import { registerServerInfoRoutes } from './features/server-info/server-info.routes.ts'
import { createServerInfoService } from './features/server-info/server-info.service.ts'
import { createUsersService } from './features/users/users.service.ts'
import type { Authenticator } from './platform/caller.ts'
import { createHttpApp } from './platform/http-app.ts'
import type { Platform } from './platform/platform.ts'

export type Services = ReturnType<typeof createServices>

export interface App {
  app: FastifyInstance
  services: Services
  /** Ends streams and requests, then lets go of what the features hold. The platform stays open. */
  close(): Promise<void>
}

/** How often noted uses of sessions and keys are written. */
const FLUSH_MS = 30_000

/** Every feature's service, in the order in which they need each other. */
function createServices(platform: Platform) {
  const users = createUsersService(platform)
  const sessions = createSessionsService(platform)
  const auth = createAuthService(platform, { users, sessions })
  const apiKeys = createApiKeysService(platform)
  const health = createHealthService(platform, { executors: () => ({ online: 0, lost: 0 }) })
  const serverInfo = createServerInfoService(platform)
  return { users, sessions, auth, apiKeys, health, serverInfo }
}

/** The whole server but for its socket. */
export async function createApp(platform: Platform): Promise<App> {
  const services = createServices(platform)
  const authenticator: Authenticator = {
    session: services.sessions.caller,
    apiKey: services.apiKeys.caller,
    stillValid: (caller) =>
      caller.kind === 'session'
        ? services.sessions.isAlive(caller.session_id ?? 0)
        : services.apiKeys.isAlive(caller.api_key_id ?? 0),
  }
  const app = createHttpApp(platform, authenticator)
  registerAuthRoutes(app, services.auth)
  registerApiKeysRoutes(app, services.apiKeys)
  registerHealthRoutes(app, services.health)
  registerServerInfoRoutes(app, services.serverInfo)
  registerEventsRoutes(app, platform.events)
  registerDocsRoutes(app)
  await services.auth.createConfiguredAdmin()
  const flush = () => {
    services.sessions.flush()
    services.apiKeys.flush()
  }
  const timer = setInterval(flush, FLUSH_MS)
  timer.unref()
  return {
    app,
    services,
    async close() {
      platform.drain()
      clearInterval(timer)
      await app.close()
      flush()
    },
  }
}
