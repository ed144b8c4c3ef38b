/**
 * Who may do what: one row an operation, nothing allowed that has no row. The server enforces it, the window hides what it
 * refuses, the generated matrix test walks it. Taking a row out fails the build.
 */
import type { OperationId } from './operations.ts'
import { type Role, type Scope, atLeast, manages } from './roles.ts'

export type Policy =
  /** Anybody who can reach the address. */
  | { readonly access: 'public' }
  /** A session, even one that still waits for its TOTP code. */
  | { readonly access: 'pending' }
  /** The shared executor key. */
  | { readonly access: 'executor' }
  /** A full session or API key of at least this role; a key with scopes needs this one among them. */
  | {
      readonly access: 'role'
      readonly role: Role
      readonly scope: Scope
      /** What the records of others take, where records have owners; see `allowsOthers`. */
      readonly others?: Role
      /** Of which others: users whom one manages, those not above one's own role, or (left out) anybody. */
      readonly of?: 'managed' | 'not_above'
    }

const open = { access: 'public' } as const
const executor = { access: 'executor' } as const
const read = { access: 'role', role: 'viewer', scope: 'read' } as const
const run = { access: 'role', role: 'editor', scope: 'run' } as const
/** Reads only, but keeps executors busy. */
const viewerRun = { access: 'role', role: 'viewer', scope: 'run' } as const
const write = { access: 'role', role: 'editor', scope: 'write' } as const
const admin = { access: 'role', role: 'admin', scope: 'admin' } as const
const superadmin = { access: 'role', role: 'superadmin', scope: 'admin' } as const
/** One's own business at any role, and nobody else's. */
const own = { access: 'role', role: 'viewer', scope: 'admin' } as const
const ownRead = { access: 'role', role: 'viewer', scope: 'read' } as const
/** What is somebody else's is an admin's business. */
const byAdmin = { others: 'admin' } as const
const ofManaged = { others: 'admin', of: 'managed' } as const

export const policies: Readonly<Record<OperationId, Policy>> = {
  getHealth: open,
  getAuthStatus: open,
  bootstrap: open,
  login: open,
  launch: open,
  logout: { access: 'pending' },
  getMe: read,
  setupTotp: { access: 'pending' },
  restartTotpSetup: { access: 'pending' },
  verifyTotp: { access: 'pending' },
  disableTotp: own,
  renewRecoveryCodes: own,
  listSessions: { ...ownRead, ...ofManaged },
  endSession: { ...own, ...ofManaged },
  endOtherSessions: own,
  lockDesktop: own,
  listUsers: { ...admin, ...byAdmin },
  createUser: { ...admin, ...ofManaged },
  getOwnUser: read,
  updateOwnUser: own,
  changeOwnPassword: own,
  getUser: { ...admin, ...byAdmin },
  updateUser: { ...admin, ...ofManaged },
  deleteUser: { ...admin, ...ofManaged },
  resetUserTotp: { ...admin, ...ofManaged },
  listAudit: admin,
  exportAudit: admin,
  verifyAudit: admin,
  exportBundle: admin,
  importBundle: admin,
  listApiKeys: { ...ownRead, ...byAdmin },
  createApiKey: own,
  revokeApiKey: { ...own, others: 'admin', of: 'not_above' },
  listTasks: read,
  createTask: write,
  getTask: read,
  updateTask: write,
  archiveTask: write,
  restoreTask: write,
  listTaskVersions: read,
  getTaskVersion: read,
  restoreTaskVersion: write,
  listTaskStates: read,
  deleteTaskState: write,
  resolveTaskState: write,
  validateTask: read,
  previewTask: run,
  getTaskSchema: read,
  listConnectors: read,
  createConnector: admin,
  uploadFile: write,
  listUploads: read,
  deleteUpload: { ...write, ...byAdmin },
  listExplorerPresets: read,
  createExplorerPreset: write,
  getExplorerPreset: read,
  updateExplorerPreset: { ...write, ...byAdmin },
  deleteExplorerPreset: { ...write, ...byAdmin },
  explainRun: write,
  previewExplainRun: write,
  generateTask: write,
  previewGenerateTask: write,
  generateJobTemplate: write,
  previewGenerateJobTemplate: write,
  generateDashboardTemplate: write,
  previewGenerateDashboardTemplate: write,
  generateQuery: write,
  previewGenerateQuery: write,
  testAi: admin,
  getAiUsage: read,
  callMcp: read,
  listAiReferences: read,
  createAiReference: write,
  getAiReference: read,
  updateAiReference: write,
  deleteAiReference: write,
  previewAiReferences: read,
  getConnector: read,
  updateConnector: admin,
  archiveConnector: admin,
  restoreConnector: admin,
  testConnectorById: run,
  testConnector: admin,
  previewConnector: admin,
  listConnectorTypes: read,
  listResources: read,
  getResource: read,
  changeConnectorData: write,
  queryConnector: viewerRun,
  explainQuery: viewerRun,
  listRecords: viewerRun,
  getQueryPage: viewerRun,
  getQueryCell: viewerRun,
  cancelQuery: viewerRun,
  exportQuery: viewerRun,
  listQueryHistory: read,
  listSavedViews: ownRead,
  createSavedView: own,
  updateSavedView: own,
  deleteSavedView: own,
  listRuns: read,
  getRun: read,
  triggerRun: run,
  cancelRun: run,
  retryRun: run,
  getRunLogs: read,
  downloadRunLogs: read,
  downloadRunRejects: read,
  listRunSteps: read,
  listRunRejectGroups: read,
  listRunRejects: read,
  listJobTemplates: read,
  createJobTemplate: write,
  getJobTemplate: read,
  updateJobTemplate: write,
  archiveJobTemplate: write,
  restoreJobTemplate: write,
  listJobTemplateVersions: read,
  getJobTemplateVersion: read,
  restoreJobTemplateVersion: write,
  validateJobTemplate: read,
  getJobTemplateSchema: read,
  listDashboardTemplates: read,
  createDashboardTemplate: write,
  getDashboardTemplate: read,
  updateDashboardTemplate: write,
  archiveDashboardTemplate: write,
  restoreDashboardTemplate: write,
  listDashboardTemplateVersions: read,
  getDashboardTemplateVersion: read,
  restoreDashboardTemplateVersion: write,
  validateDashboardTemplate: read,
  previewDashboardWidget: run,
  getDashboardTemplateSchema: read,
  listDashboards: read,
  getDashboard: read,
  updateDashboard: write,
  getWidgetData: read,
  resolveDashboardWidgetOptions: read,
  submitWidget: run,
  listDashboardShares: read,
  createDashboardShare: write,
  deleteDashboardShare: write,
  listAllShares: admin,
  getPublicDashboard: open,
  getPublicWidgetData: open,
  listJobs: read,
  listJobTemplateJobs: read,
  createJob: write,
  getJob: read,
  updateJob: write,
  archiveJob: write,
  restoreJob: write,
  getJobSnapshot: read,
  setJobTaskOverride: write,
  deleteJobTaskOverride: write,
  upgradeJob: write,
  runJob: run,
  backfillJob: run,
  listFailures: read,
  getLineage: read,
  listMetrics: read,
  queryMetrics: read,
  scrapeMetrics: read,
  getMetricsConfig: read,
  updateMetricsConfig: admin,
  testMetricQuery: admin,
  getAttention: read,
  listRecentRuns: read,
  listAllJobRuns: read,
  getJobRun: read,
  getJobRunGraph: read,
  listJobRunRuns: read,
  listJobRunItems: read,
  getJobHistory: read,
  pauseJobRun: run,
  resumeJobRun: run,
  cancelJobRun: run,
  decideGate: run,
  rerunJobRun: run,
  getScheduler: read,
  updateScheduler: admin,
  listPools: read,
  getPool: read,
  setPool: admin,
  deletePool: admin,
  listTriggers: read,
  createTrigger: write,
  getTrigger: read,
  updateTrigger: write,
  deleteTrigger: write,
  previewTrigger: read,
  listTriggerFirings: read,
  getTriggerCalendar: read,
  listEventTriggers: read,
  createEventTrigger: write,
  getEventTrigger: read,
  updateEventTrigger: write,
  deleteEventTrigger: write,
  rotateEventTriggerToken: write,
  callHook: open,
  listNotifications: read,
  createNotification: admin,
  getNotification: read,
  updateNotification: admin,
  deleteNotification: admin,
  testNotification: admin,
  listNotificationDeliveries: read,
  retryNotificationDelivery: admin,
  listExecutors: read,
  drainExecutor: admin,
  getServerInfo: admin,
  getServerConfig: admin,
  updateServerConfig: admin,
  restartServer: superadmin,
  getSecretsState: admin,
  rotateSecretsKey: superadmin,
  listBackups: superadmin,
  createBackup: superadmin,
  downloadBackup: superadmin,
  deleteBackup: superadmin,
  restoreBackup: superadmin,
  getStoreInfo: admin,
  cleanStore: admin,
  vacuumStore: admin,
  getBranding: open,
  updateBranding: admin,
  streamEvents: read,
  registerExecutor: executor,
  heartbeatExecutor: executor,
  claimWork: executor,
  beginRuns: executor,
  postRunState: executor,
  postRunLogs: executor,
  postRunProgress: executor,
  postRunRejects: executor,
  completeRun: executor,
  postCallResult: executor,
  postResultChunk: executor,
  attendResult: executor,
}

/** Whether a caller of this role (and, for a key, these scopes; empty means all) may perform the operation. */
export function allows(id: OperationId, caller: { role: Role; scopes: readonly Scope[] }): boolean {
  const policy = policies[id]
  if (policy.access === 'public' || policy.access === 'pending') return true
  if (policy.access === 'executor') return false
  return atLeast(caller.role, policy.role) && (caller.scopes.length === 0 || caller.scopes.includes(policy.scope))
}

/** Whether a caller of this role, whom `allows` lets in, may do it to what belongs to somebody else, who has the role `owner`. */
export function allowsOthers(id: OperationId, role: Role, owner: Role): boolean {
  const policy = policies[id]
  if (policy.access !== 'role' || !policy.others || !atLeast(role, policy.others)) return false
  if (policy.of === 'managed') return manages(role, owner)
  return policy.of !== 'not_above' || atLeast(role, owner)
}
