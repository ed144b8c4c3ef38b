/** What an event makes stale. Pure, so that it can be read and tested as a table. */
import type { ServerEvent } from '../../contract/events.ts'
import type { OperationId } from '../../contract/operations.ts'

export interface Effect {
  /** Fields of a record that the event carries: put into single answers and list rows at once. */
  patch?: { record: OperationId; list: OperationId; id: number; fields: Record<string, unknown> }
  /** Lists whose first page is fetched again: something was added, or moved in or out of a filter. */
  refreshLists: OperationId[]
  /** Single answers about this record that are fetched again. */
  refreshRecords: { op: OperationId; id: number }[]
  /** Answers that are fetched again whatever their input. */
  refreshAll: OperationId[]
}

const nothing: Effect = { refreshLists: [], refreshRecords: [], refreshAll: [] }

/** What `server.changed` makes stale, by what has changed. */
const ofServer: Readonly<Record<string, readonly OperationId[]>> = {
  branding: ['getBranding'],
  config: ['getServerConfig', 'getServerInfo', 'getStoreInfo', 'getSecretsState'],
  backups: ['listBackups', 'getStoreInfo'],
  store: ['getStoreInfo', 'getHealth'],
  secrets: ['getSecretsState'],
  uploads: ['listUploads'],
  metrics: ['getMetricsConfig', 'listMetrics', 'queryMetrics', 'getAttention', 'getLineage'],
}

export function effectOf(event: ServerEvent): Effect {
  const id = event.entity_id
  switch (event.type) {
    case 'run.created':
      return {
        ...nothing,
        refreshLists: ['listRuns'],
        refreshAll: ['getAttention', 'listRecentRuns', 'getRejectsRerun'],
      }
    case 'run.changed':
      return {
        patch: { record: 'getRun', list: 'listRuns', id, fields: event.data },
        refreshLists: ['listRuns'],
        refreshRecords: [
          { op: 'getRun', id },
          { op: 'listRunSteps', id },
          { op: 'listRunRejects', id },
          { op: 'listRunRejectGroups', id },
        ],
        // A run that has ended may have saved how far it read; one that has begun or ended changes how busy its executor is.
        refreshAll: ['listTaskStates', 'getAttention', 'listExecutors', 'listRecentRuns', 'getRejectsRerun'],
      }
    case 'run.progress':
      return {
        ...nothing,
        patch: { record: 'getRun', list: 'listRuns', id, fields: event.data },
        refreshRecords: [{ op: 'listRunSteps', id }],
      }
    case 'task.changed':
      return {
        ...nothing,
        refreshLists: ['listTasks', 'listTaskVersions'],
        refreshRecords: [{ op: 'getTask', id }],
        // A template that names the task is right or wrong by it; a job that holds it has a newer version to take over.
        refreshAll: ['validateJobTemplate', 'getJobSnapshot', 'getLineage'],
      }
    case 'job_template.changed':
      return {
        ...nothing,
        refreshLists: ['listJobTemplates', 'listJobTemplateVersions'],
        refreshRecords: [{ op: 'getJobTemplate', id }],
        refreshAll: ['validateDashboardTemplate'],
      }
    case 'dashboard_template.changed':
      return {
        ...nothing,
        refreshLists: ['listDashboardTemplates', 'listDashboardTemplateVersions'],
        refreshRecords: [{ op: 'getDashboardTemplate', id }],
      }
    case 'dashboard.changed':
      return {
        ...nothing,
        refreshLists: ['listDashboards', 'listDashboardShares', 'listAllShares'],
        refreshRecords: [{ op: 'getDashboard', id }],
      }
    case 'connector.changed':
      return {
        ...nothing,
        refreshLists: ['listConnectors'],
        refreshRecords: [{ op: 'getConnector', id }],
        // A secret that was lost may have been entered again.
        refreshAll: ['getSecretsState', 'getLineage'],
      }
    case 'explorer_preset.changed':
      return { ...nothing, refreshLists: ['listExplorerPresets'], refreshRecords: [{ op: 'getExplorerPreset', id }] }
    case 'ai_reference.changed':
      return {
        ...nothing,
        refreshLists: ['listAiReferences'],
        refreshRecords: [{ op: 'getAiReference', id }],
        refreshAll: ['previewAiReferences'],
      }
    case 'executor.changed':
      return { ...nothing, refreshAll: ['listExecutors', 'getAttention'] }
    case 'job_run.created':
      return {
        ...nothing,
        refreshLists: ['listAllJobRuns', 'listJobs'],
        refreshAll: ['getJobHistory', 'getTriggerCalendar', 'getAttention', 'listRecentRuns'],
      }
    case 'job_run.changed':
      return {
        patch: { record: 'getJobRun', list: 'listAllJobRuns', id, fields: event.data },
        // A job's own record tells of its last run.
        refreshLists: ['listAllJobRuns', 'listJobs'],
        refreshRecords: [
          { op: 'getJobRun', id },
          { op: 'getJobRunGraph', id },
          { op: 'listJobRunRuns', id },
          { op: 'listJobRunItems', id },
        ],
        refreshAll: ['getJobHistory', 'getAttention', 'listRecentRuns'],
      }
    case 'job_run.progress':
      return {
        ...nothing,
        // Its counts stand in every row.
        refreshLists: ['listAllJobRuns'],
        refreshRecords: [
          { op: 'getJobRun', id },
          { op: 'getJobRunGraph', id },
          { op: 'listJobRunRuns', id },
          { op: 'listJobRunItems', id },
        ],
      }
    case 'pool.changed':
      return { ...nothing, refreshAll: ['listPools'] }
    case 'notification.changed':
      return {
        ...nothing,
        refreshLists: ['listNotifications', 'listNotificationDeliveries'],
        refreshAll: ['getSecretsState'],
      }
    case 'trigger.changed':
      return {
        ...nothing,
        refreshLists: ['listTriggers', 'listTriggerFirings', 'listJobs'],
        refreshAll: ['getTriggerCalendar', 'getAttention'],
      }
    case 'user.changed':
      return {
        ...nothing,
        refreshLists: ['listUsers', 'listSessions', 'listApiKeys'],
        refreshRecords: [{ op: 'getUser', id }],
        refreshAll: ['getOwnUser'],
      }
    case 'event_trigger.changed':
      return { ...nothing, refreshLists: ['listEventTriggers'] }
    case 'job.changed':
      return {
        ...nothing,
        refreshLists: ['listJobs', 'listJobTemplateJobs'],
        refreshRecords: [
          { op: 'getJob', id },
          { op: 'getJobSnapshot', id },
        ],
        refreshAll: ['getLineage'],
      }
    case 'scheduler.changed':
      // What is late is not degraded while nothing is to fire.
      return { ...nothing, refreshAll: ['getScheduler', 'getHealth'] }
    case 'server.changed':
      return { ...nothing, refreshAll: [...(ofServer[String(event.data.what)] ?? Object.values(ofServer).flat())] }
    // Shown by the shell; nothing that is cached changes.
    case 'notification.desktop':
      return nothing
  }
  // A new type of event needs a case above; a newer server may send more.
  event.type satisfies never
  return nothing
}
