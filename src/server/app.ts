import type { FastifyInstance } from 'fastify'
import { createAiReferenceImportsService } from './features/ai-references/ai-reference-imports.service.ts'
import { registerAiRoutes } from './features/ai/ai.routes.ts'
import { createAiService } from './features/ai/ai.service.ts'
import { registerAiReferencesRoutes } from './features/ai-references/ai-references.routes.ts'
import { createAiReferencesService } from './features/ai-references/ai-references.service.ts'
import { registerApiKeysRoutes } from './features/api-keys/api-keys.routes.ts'
import { createApiKeysService } from './features/api-keys/api-keys.service.ts'
import { registerAttentionRoutes } from './features/attention/attention.routes.ts'
import { createAttentionService } from './features/attention/attention.service.ts'
import { registerRecentRunsRoutes } from './features/recent-runs/recent-runs.routes.ts'
import { createRecentRunsService } from './features/recent-runs/recent-runs.service.ts'
import { registerMcpRoutes } from './features/mcp/mcp.routes.ts'
import { registerAuditRoutes } from './features/audit/audit.routes.ts'
import { createAuditService } from './features/audit/audit.service.ts'
import { registerAuthRoutes } from './features/auth/auth.routes.ts'
import { createAuthService } from './features/auth/auth.service.ts'
import { createOwnSessionsService } from './features/auth/own-sessions.service.ts'
import { createSessionsService } from './features/auth/sessions.service.ts'
import { registerBrandingRoutes } from './features/branding/branding.routes.ts'
import { createBrandingService } from './features/branding/branding.service.ts'
import { registerBackupsRoutes } from './features/backups/backups.routes.ts'
import { createBackupsService } from './features/backups/backups.service.ts'
import { registerCallsRoutes } from './features/calls/calls.routes.ts'
import { createCallsService } from './features/calls/calls.service.ts'
import { registerChangesRoutes } from './features/changes/changes.routes.ts'
import { createChangesService } from './features/changes/changes.service.ts'
import { registerConnectorsRoutes } from './features/connectors/connectors.routes.ts'
import { createConnectorsService } from './features/connectors/connectors.service.ts'
import { createDashboardTemplateImportsService } from './features/dashboard-templates/dashboard-template-imports.service.ts'
import { registerDashboardTemplatesRoutes } from './features/dashboard-templates/dashboard-templates.routes.ts'
import { createDashboardTemplatesService } from './features/dashboard-templates/dashboard-templates.service.ts'
import { createDashboards } from './features/dashboards/create-dashboards.ts'
import { registerDashboardsRoutes } from './features/dashboards/dashboards.routes.ts'
import { createJobDashboardsService } from './features/dashboards/job-dashboards.service.ts'
import { registerPublicDashboardsRoutes } from './features/public-dashboards/public-dashboards.routes.ts'
import { createPublicDashboardsService } from './features/public-dashboards/public-dashboards.service.ts'
import { registerDocsRoutes } from './features/docs/docs.routes.ts'
import { registerEventTriggersRoutes } from './features/event-triggers/event-triggers.routes.ts'
import { createEventTriggersService } from './features/event-triggers/event-triggers.service.ts'
import { registerEventsRoutes } from './features/events/events.routes.ts'
import { registerUploadsRoutes } from './features/uploads/uploads.routes.ts'
import { createUploadsService } from './features/uploads/uploads.service.ts'
import { registerExchangeRoutes } from './features/exchange/exchange.routes.ts'
import { createExportsService } from './features/exchange/exports.service.ts'
import { createImportsService } from './features/exchange/imports.service.ts'
import { createExplorerPresetImportsService } from './features/explorer-presets/explorer-preset-imports.service.ts'
import { registerExplorerPresetsRoutes } from './features/explorer-presets/explorer-presets.routes.ts'
import { registerSavedViewsRoutes } from './features/saved-views/saved-views.routes.ts'
import { createSavedViewsService } from './features/saved-views/saved-views.service.ts'
import { createExplorerPresetsService } from './features/explorer-presets/explorer-presets.service.ts'
import { registerExecutorsRoutes } from './features/executors/executors.routes.ts'
import { createExecutorsService } from './features/executors/executors.service.ts'
import { registerFailuresRoutes } from './features/failures/failures.routes.ts'
import { createFailuresService } from './features/failures/failures.service.ts'
import { registerHealthRoutes } from './features/health/health.routes.ts'
import { createHealthService } from './features/health/health.service.ts'
import { createJobTemplateImportsService } from './features/job-templates/job-template-imports.service.ts'
import { registerJobTemplatesRoutes } from './features/job-templates/job-templates.routes.ts'
import { createJobTemplatesService } from './features/job-templates/job-templates.service.ts'
import { registerJobRunAgainRoutes } from './features/job-runs/job-run-again.routes.ts'
import { createJobRunBackfillService } from './features/job-runs/job-run-backfill.service.ts'
import { registerJobRunReadsRoutes } from './features/job-runs/job-run-reads.routes.ts'
import { createJobRunReadsService } from './features/job-runs/job-run-reads.service.ts'
import { createJobRunRerunService } from './features/job-runs/job-run-rerun.service.ts'
import { registerJobRunsRoutes } from './features/job-runs/job-runs.routes.ts'
import { createJobRunsService } from './features/job-runs/job-runs.service.ts'
import { registerJobsRoutes } from './features/jobs/jobs.routes.ts'
import { createJobsService } from './features/jobs/jobs.service.ts'
import { registerMetricsRoutes } from './features/metrics/metrics.routes.ts'
import { createMetricsService } from './features/metrics/metrics.service.ts'
import { registerLineageRoutes } from './features/lineage/lineage.routes.ts'
import { createLineageService } from './features/lineage/lineage.service.ts'
import { registerNotificationsRoutes } from './features/notifications/notifications.routes.ts'
import { createNotificationsService } from './features/notifications/notifications.service.ts'
import { createOwnerService } from './features/owner/owner.service.ts'
import { registerPoolsRoutes } from './features/pools/pools.routes.ts'
import { createPoolsService } from './features/pools/pools.service.ts'
import { registerQueryHistoryRoutes } from './features/query-history/query-history.routes.ts'
import { createQueryHistoryService } from './features/query-history/query-history.service.ts'
import { registerQueriesRoutes } from './features/queries/queries.routes.ts'
import { createQueriesService } from './features/queries/queries.service.ts'
import { createRecordsService } from './features/queries/records.service.ts'
import { registerResultsRoutes } from './features/queries/results.routes.ts'
import { createResultsService } from './features/queries/results.service.ts'
import { registerRunsRoutes } from './features/runs/runs.routes.ts'
import { createRunsService } from './features/runs/runs.service.ts'
import { registerSchedulerRoutes } from './features/scheduler/scheduler.routes.ts'
import { createSchedulerService } from './features/scheduler/scheduler.service.ts'
import { registerSecretsRoutes } from './features/secrets/secrets.routes.ts'
import { createSecretsService } from './features/secrets/secrets.service.ts'
import { registerServerConfigRoutes } from './features/server-config/server-config.routes.ts'
import { createServerConfigService } from './features/server-config/server-config.service.ts'
import { registerServerInfoRoutes } from './features/server-info/server-info.routes.ts'
import { createServerInfoService } from './features/server-info/server-info.service.ts'
import { registerStoreCareRoutes } from './features/store-care/store-care.routes.ts'
import { createStoreCareService } from './features/store-care/store-care.service.ts'
import { registerTasksRoutes } from './features/tasks/tasks.routes.ts'
import { createTaskCatalogueService } from './features/tasks/task-catalogue.service.ts'
import { createTaskFilesService } from './features/tasks/task-files.service.ts'
import { createTaskImportsService } from './features/tasks/task-imports.service.ts'
import { createTaskStatesService } from './features/tasks/task-states.service.ts'
import { createReadingsService } from './features/readings/readings.service.ts'
import { createTasksService } from './features/tasks/tasks.service.ts'
import { createTelemetryService } from './features/telemetry/telemetry.service.ts'
import { registerTriggersRoutes } from './features/triggers/triggers.routes.ts'
import { createTriggersService } from './features/triggers/triggers.service.ts'
import { createUserAdminService } from './features/users/user-admin.service.ts'
import { registerUsersRoutes } from './features/users/users.routes.ts'
import { createUsersService } from './features/users/users.service.ts'
import type { Authenticator } from './platform/caller.ts'
import { closeHttpApp, createHttpApp } from './platform/http-app.ts'
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
  const auth = createAuthService(platform, {
    users,
    sessions,
    issuer: () => branding.read().branding.product_name,
  })
  const ownSessions = createOwnSessionsService({ users, sessions })
  const apiKeys = createApiKeysService(platform)
  const userAdmin = createUserAdminService(platform, { users, sessions, auth, apiKeys })
  const calls = createCallsService(platform)
  const connectors = createConnectorsService(platform, { calls })
  const savedViews = createSavedViewsService(platform)
  const explorerPresets = createExplorerPresetsService(platform, { connectors })
  const aiReferences = createAiReferencesService(platform)
  const results = createResultsService(platform)
  const history = createQueryHistoryService(platform, { connectors })
  const queries = createQueriesService(platform, { connectors, calls, results, presets: explorerPresets, history })
  const records = createRecordsService(platform, { connectors, presets: explorerPresets, queries })
  const changes = createChangesService(platform, { connectors, calls, history })
  const readings = createReadingsService()
  const tasks = createTasksService(platform, { connectors, calls, readings, users })
  const taskStates = createTaskStatesService(platform)
  const pools = createPoolsService(platform)
  const taskCatalogue = createTaskCatalogueService(platform)
  const jobTemplates = createJobTemplatesService(platform, {
    tasks: taskCatalogue,
    readings,
    users,
    pools: pools.names,
    channels: () => notifications.channelNames(),
  })
  const dashboardTemplates = createDashboardTemplatesService(platform, { readings, users })
  const jobs = createJobsService(platform, {
    templates: jobTemplates,
    tasks: taskCatalogue,
    connectors,
    readings,
    dashboards: createJobDashboardsService(platform, { templates: dashboardTemplates }),
  })
  const notifications = createNotificationsService(platform, { jobs })
  const exports = createExportsService(platform)
  const uploads = createUploadsService(platform, {
    connectors,
    tasks: createTaskFilesService(platform, { readings }),
    users,
  })
  const imports = createImportsService(platform, {
    tasks: createTaskImportsService(platform, { readings }),
    templates: createJobTemplateImportsService(platform, { readings }),
    dashboards: createDashboardTemplateImportsService(platform, { readings }),
    references: createAiReferenceImportsService(platform, { references: aiReferences }),
    presets: createExplorerPresetImportsService(platform, { connectors }),
    catalogue: taskCatalogue,
    pools: pools.names,
    channels: notifications.channelNames,
  })
  const runs = createRunsService(platform, {
    tasks,
    connectors,
    states: taskStates,
    readings,
    overrideText: jobs.overrideText,
  })
  const ai = createAiService(platform, {
    connectors,
    references: aiReferences,
    tasks,
    runs,
    catalogue: taskCatalogue,
    jobTemplates,
    dashboardTemplates,
    jobs,
    presets: explorerPresets,
  })
  const lineage = createLineageService(platform, { jobs, runs, readings, freshness: () => metrics.datasetRules() })
  const metrics = createMetricsService(platform, { attempts: runs.attempts, lineage, queries, notifications })
  const jobRunReads = createJobRunReadsService(platform, { jobs, runs, pools, users })
  // Before job runs: of a job run that ends with its last run, the run is told first.
  const telemetry = createTelemetryService(platform, { runs, lineage, executors: () => executors })
  // Before executors: what they find lost when they are made ends runs of job runs.
  const jobRuns = createJobRunsService(platform, { jobs, runs, pools })
  jobRuns.onEnded(notifications.jobRunEnded)
  jobRuns.onLate(notifications.jobRunLate)
  jobRuns.onGate(notifications.gateWaits)
  jobRuns.onStarted(telemetry.jobRunStarted)
  jobRuns.onEnded(telemetry.jobRunEnded)
  jobRuns.onEnded(metrics.jobRunEnded)
  const reruns = createJobRunRerunService(platform, { jobRuns, reads: jobRunReads, jobs, tasks })
  const backfills = createJobRunBackfillService(platform, { jobRuns, jobs })
  const scheduler = createSchedulerService(platform)
  const triggers = createTriggersService(platform, { jobs, jobRuns, pause: scheduler })
  const eventTriggers = createEventTriggersService(platform, { jobs, jobRuns, connectors, calls, pause: scheduler })
  const executors = createExecutorsService(platform, { attempts: runs.attempts, calls, results })
  const health = createHealthService(platform, {
    executors: () => executors.summary(),
    schedulerLateMs: () => triggers.scheduler.lateMs(),
  })
  const failures = createFailuresService(platform)
  const attention = createAttentionService(platform, { failures, executors, metrics })
  const recentRuns = createRecentRunsService(platform)
  const owner = createOwnerService(platform, { isPaused: scheduler.isPaused, failures })
  const secrets = createSecretsService(platform)
  const serverInfo = createServerInfoService(platform)
  const serverConfig = createServerConfigService(platform)
  const branding = createBrandingService(platform)
  const dashboards = createDashboards(platform, { readings, jobs, jobRuns, jobRunReads, connectors, results, metrics })
  const publicDashboards = createPublicDashboardsService(platform, { ...dashboards, branding })
  const audit = createAuditService(platform)
  const backups = createBackupsService(platform)
  const storeCare = createStoreCareService(platform, {
    backups: backups.schedule,
    leaving: metrics.runLeaving,
    more: () => [...metrics.lettingGo(), ...history.lettingGo()],
  })
  return {
    users,
    sessions,
    auth,
    ownSessions,
    apiKeys,
    userAdmin,
    calls,
    connectors,
    explorerPresets,
    savedViews,
    aiReferences,
    ai,
    results,
    queries,
    records,
    changes,
    history,
    tasks,
    taskStates,
    pools,
    jobTemplates,
    dashboardTemplates,
    dashboards,
    publicDashboards,
    jobs,
    notifications,
    exports,
    uploads,
    imports,
    runs,
    metrics,
    lineage,
    telemetry,
    jobRunReads,
    jobRuns,
    reruns,
    backfills,
    scheduler,
    triggers,
    eventTriggers,
    executors,
    failures,
    attention,
    recentRuns,
    owner,
    health,
    secrets,
    serverInfo,
    serverConfig,
    branding,
    audit,
    backups,
    storeCare,
  }
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
  services.telemetry.start()
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
