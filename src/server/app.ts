import type { FastifyInstance } from 'fastify'
import { registerAiRoutes } from './features/ai/ai.routes.ts'
import { registerAiReferencesRoutes } from './features/ai-references/ai-references.routes.ts'
import { registerApiKeysRoutes } from './features/api-keys/api-keys.routes.ts'
import { registerAttentionRoutes } from './features/attention/attention.routes.ts'
import { registerRecentRunsRoutes } from './features/recent-runs/recent-runs.routes.ts'
import { registerMcpRoutes } from './features/mcp/mcp.routes.ts'
import { registerAuditRoutes } from './features/audit/audit.routes.ts'
import { registerAuthRoutes } from './features/auth/auth.routes.ts'
import { registerBrandingRoutes } from './features/branding/branding.routes.ts'
import { registerBackupsRoutes } from './features/backups/backups.routes.ts'
import { registerCallsRoutes } from './features/calls/calls.routes.ts'
import { registerChangesRoutes } from './features/changes/changes.routes.ts'
import { registerConnectorsRoutes } from './features/connectors/connectors.routes.ts'
import { registerDashboardTemplatesRoutes } from './features/dashboard-templates/dashboard-templates.routes.ts'
import { registerDashboardsRoutes } from './features/dashboards/dashboards.routes.ts'
import { registerPublicDashboardsRoutes } from './features/public-dashboards/public-dashboards.routes.ts'
import { registerDocsRoutes } from './features/docs/docs.routes.ts'
import { registerEventTriggersRoutes } from './features/event-triggers/event-triggers.routes.ts'
import { registerEventsRoutes } from './features/events/events.routes.ts'
import { registerUploadsRoutes } from './features/uploads/uploads.routes.ts'
import { registerExchangeRoutes } from './features/exchange/exchange.routes.ts'
import { registerExplorerPresetsRoutes } from './features/explorer-presets/explorer-presets.routes.ts'
import { registerSavedViewsRoutes } from './features/saved-views/saved-views.routes.ts'
import { registerExecutorsRoutes } from './features/executors/executors.routes.ts'
import { registerFailuresRoutes } from './features/failures/failures.routes.ts'
import { registerHealthRoutes } from './features/health/health.routes.ts'
import { registerJobTemplatesRoutes } from './features/job-templates/job-templates.routes.ts'
import { registerJobRunAgainRoutes } from './features/job-runs/job-run-again.routes.ts'
import { registerJobRunReadsRoutes } from './features/job-runs/job-run-reads.routes.ts'
import { registerJobRunsRoutes } from './features/job-runs/job-runs.routes.ts'
import { registerJobsRoutes } from './features/jobs/jobs.routes.ts'
import { registerMetricsRoutes } from './features/metrics/metrics.routes.ts'
import { registerLineageRoutes } from './features/lineage/lineage.routes.ts'
import { registerNotificationsRoutes } from './features/notifications/notifications.routes.ts'
import { registerPoolsRoutes } from './features/pools/pools.routes.ts'
import { registerQueryHistoryRoutes } from './features/query-history/query-history.routes.ts'
import { registerQueriesRoutes } from './features/queries/queries.routes.ts'
import { registerResultsRoutes } from './features/queries/results.routes.ts'
import { registerRunsRoutes } from './features/runs/runs.routes.ts'
import { registerSchedulerRoutes } from './features/scheduler/scheduler.routes.ts'
import { registerSecretsRoutes } from './features/secrets/secrets.routes.ts'
import { registerServerConfigRoutes } from './features/server-config/server-config.routes.ts'
import { registerServerInfoRoutes } from './features/server-info/server-info.routes.ts'
import { registerStoreCareRoutes } from './features/store-care/store-care.routes.ts'
import { registerTasksRoutes } from './features/tasks/tasks.routes.ts'
import { registerTriggersRoutes } from './features/triggers/triggers.routes.ts'
import { registerUsersRoutes } from './features/users/users.routes.ts'
import type { Authenticator } from './platform/caller.ts'
import { closeHttpApp, createHttpApp } from './platform/http-app.ts'
import { listeningUrl } from './platform/listening-url.ts'
import type { Platform } from './platform/platform.ts'
import { type Services, createServices } from './services.ts'

export interface App {
  app: FastifyInstance
  services: Services
  /** Ends streams and requests, then lets go of what the features hold. The platform stays open. */
  close(): Promise<void>
}

/** How often noted uses of sessions and keys are written. */
const FLUSH_MS = 30_000

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
  registerAuthRoutes(app, services.auth, services.ownSessions)
  registerUsersRoutes(app, services.users, services.userAdmin)
  registerApiKeysRoutes(app, services.apiKeys)
  registerTasksRoutes(app, services.tasks, services.taskStates)
  registerExchangeRoutes(app, services.exports, services.imports)
  registerConnectorsRoutes(app, services.connectors)
  registerQueriesRoutes(app, services)
  registerChangesRoutes(app, services.changes)
  registerQueryHistoryRoutes(app, services.history)
  registerUploadsRoutes(app, services.uploads)
  registerRunsRoutes(app, services.runs)
  registerLineageRoutes(app, services.lineage)
  registerPoolsRoutes(app, services.pools)
  registerFailuresRoutes(app, services.failures)
  registerMetricsRoutes(app, services.metrics)
  registerAttentionRoutes(app, services.attention)
  registerRecentRunsRoutes(app, services.recentRuns)
  registerJobRunReadsRoutes(app, services.jobRunReads)
  registerJobRunsRoutes(app, services.jobRuns, services.jobRunReads)
  registerJobRunAgainRoutes(app, services)
  registerJobTemplatesRoutes(app, services.jobTemplates)
  registerJobsRoutes(app, services.jobs)
  registerSchedulerRoutes(app, services.scheduler)
  registerTriggersRoutes(app, services.triggers)
  registerDashboardTemplatesRoutes(app, services.dashboardTemplates)
  registerDashboardsRoutes(app, services.dashboards)
  registerPublicDashboardsRoutes(app, services.publicDashboards)
  registerEventTriggersRoutes(app, services.eventTriggers)
  registerNotificationsRoutes(app, services.notifications)
  registerExecutorsRoutes(app, services.executors)
  registerSavedViewsRoutes(app, services.savedViews)
  registerExplorerPresetsRoutes(app, services.explorerPresets)
  registerAiReferencesRoutes(app, services.aiReferences)
  registerAiRoutes(app, services.ai)
  registerMcpRoutes(app)
  registerCallsRoutes(app, services.calls, services.executors)
  registerResultsRoutes(app, services.results, services.executors)
  registerHealthRoutes(app, services.health)
  registerSecretsRoutes(app, services.secrets)
  registerServerInfoRoutes(app, services.serverInfo)
  registerServerConfigRoutes(app, services.serverConfig)
  registerBrandingRoutes(app, services.branding)
  registerAuditRoutes(app, services.audit)
  registerBackupsRoutes(app, services.backups)
  registerStoreCareRoutes(app, services.storeCare)
  registerEventsRoutes(app, platform.events)
  registerDocsRoutes(app)
  app.addHook('onListen', async () => {
    platform.listening.url = listeningUrl(app.server.address(), platform.config.host)
    services.telemetry.start()
  })
  await services.auth.createConfiguredAdmin()
  await services.secrets.start()
  services.metrics.start()
  services.jobRuns.recover()
  services.triggers.scheduler.start()
  services.eventTriggers.start()
  await services.imports.start()
  await services.uploads.start()
  services.notifications.start()
  services.lineage.start()
  services.aiReferences.index()
  services.backups.start()
  services.storeCare.start()
  const flush = () => {
    try {
      services.sessions.flush()
      services.apiKeys.flush()
      services.dashboards.shares.flush()
    } catch (error) {
      // It is noted still, and written when the disk has space again.
      platform.logger.warn({ err: error }, 'When sessions, keys, and public links were last used could not be written')
    }
  }
  const timer = setInterval(flush, FLUSH_MS)
  timer.unref()
  return {
    app,
    services,
    async close() {
      platform.drain()
      clearInterval(timer)
      await closeHttpApp(app)
      await services.notifications.ended()
      await services.telemetry.ended()
      await services.aiReferences.ended()
      await services.metrics.ended()
      await services.backups.ended()
      await services.storeCare.ended()
      flush()
    },
  }
}
