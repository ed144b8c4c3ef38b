import { createAiReferenceImportsService } from './features/ai-references/ai-reference-imports.service.ts'
import { createAiService } from './features/ai/ai.service.ts'
import { createAiReferencesService } from './features/ai-references/ai-references.service.ts'
import { createApiKeysService } from './features/api-keys/api-keys.service.ts'
import { createAttentionService } from './features/attention/attention.service.ts'
import { createRecentRunsService } from './features/recent-runs/recent-runs.service.ts'
import { createAuditService } from './features/audit/audit.service.ts'
import { createAuthService } from './features/auth/auth.service.ts'
import { createOwnSessionsService } from './features/auth/own-sessions.service.ts'
import { createSessionsService } from './features/auth/sessions.service.ts'
import { createBrandingService } from './features/branding/branding.service.ts'
import { createBackupsService } from './features/backups/backups.service.ts'
import { createCallsService } from './features/calls/calls.service.ts'
import { createChangesService } from './features/changes/changes.service.ts'
import { createConnectorsService } from './features/connectors/connectors.service.ts'
import { createDashboardTemplateImportsService } from './features/dashboard-templates/dashboard-template-imports.service.ts'
import { createDashboardTemplatesService } from './features/dashboard-templates/dashboard-templates.service.ts'
import { createDashboards } from './features/dashboards/create-dashboards.ts'
import { createJobDashboardsService } from './features/dashboards/job-dashboards.service.ts'
import { createPublicDashboardsService } from './features/public-dashboards/public-dashboards.service.ts'
import { createEventTriggersService } from './features/event-triggers/event-triggers.service.ts'
import { createUploadsService } from './features/uploads/uploads.service.ts'
import { createExportsService } from './features/exchange/exports.service.ts'
import { createImportsService } from './features/exchange/imports.service.ts'
import { createExplorerPresetImportsService } from './features/explorer-presets/explorer-preset-imports.service.ts'
import { createSavedViewsService } from './features/saved-views/saved-views.service.ts'
import { createExplorerPresetsService } from './features/explorer-presets/explorer-presets.service.ts'
import { createExecutorsService } from './features/executors/executors.service.ts'
import { createFailuresService } from './features/failures/failures.service.ts'
import { createHealthService } from './features/health/health.service.ts'
import { createJobTemplateImportsService } from './features/job-templates/job-template-imports.service.ts'
import { createJobTemplatesService } from './features/job-templates/job-templates.service.ts'
import { createJobRunBackfillService } from './features/job-runs/job-run-backfill.service.ts'
import { createJobRunReadsService } from './features/job-runs/job-run-reads.service.ts'
import { createJobRunRerunService } from './features/job-runs/job-run-rerun.service.ts'
import { createJobRunsService } from './features/job-runs/job-runs.service.ts'
import { createJobsService } from './features/jobs/jobs.service.ts'
import { createMetricsService } from './features/metrics/metrics.service.ts'
import { createLineageService } from './features/lineage/lineage.service.ts'
import { createNotificationsService } from './features/notifications/notifications.service.ts'
import { createOwnerService } from './features/owner/owner.service.ts'
import { createPoolsService } from './features/pools/pools.service.ts'
import { createQueryHistoryService } from './features/query-history/query-history.service.ts'
import { createQueriesService } from './features/queries/queries.service.ts'
import { createRecordsService } from './features/queries/records.service.ts'
import { createResultsService } from './features/queries/results.service.ts'
import { createRunsService } from './features/runs/runs.service.ts'
import { createSchedulerService } from './features/scheduler/scheduler.service.ts'
import { createSecretsService } from './features/secrets/secrets.service.ts'
import { createServerConfigService } from './features/server-config/server-config.service.ts'
import { createServerInfoService } from './features/server-info/server-info.service.ts'
import { createStoreCareService } from './features/store-care/store-care.service.ts'
import { createTaskCatalogueService } from './features/tasks/task-catalogue.service.ts'
import { createTaskFilesService } from './features/tasks/task-files.service.ts'
import { createTaskImportsService } from './features/tasks/task-imports.service.ts'
import { createTaskStatesService } from './features/tasks/task-states.service.ts'
import { createReadingsService } from './features/readings/readings.service.ts'
import { createTasksService } from './features/tasks/tasks.service.ts'
import { createTelemetryService } from './features/telemetry/telemetry.service.ts'
import { createTriggersService } from './features/triggers/triggers.service.ts'
import { createUserAdminService } from './features/users/user-admin.service.ts'
import { createUsersService } from './features/users/users.service.ts'
import type { Platform } from './platform/platform.ts'

/** Every feature's service, in the order in which they need each other. */
export function createServices(platform: Platform) {
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
    readings,
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

export type Services = ReturnType<typeof createServices>
