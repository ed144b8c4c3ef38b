import { foundation } from './0001-foundation.ts'
import { definitions } from './0002-definitions.ts'
import { runs } from './0003-runs.ts'
import { taskStates } from './0004-task-states.ts'
import { jobs } from './0005-jobs.ts'
import { jobRuns } from './0006-job-runs.ts'
import { triggers } from './0007-triggers.ts'
import { notifications } from './0008-notifications.ts'
import { people } from './0009-people.ts'
import { audit } from './0010-audit.ts'
import { settings } from './0011-settings.ts'
import { scheduler } from './0012-scheduler.ts'
import { failures } from './0013-failures.ts'
import { commitPermits } from './0014-commit-permits.ts'
import { timeZones } from './0015-time-zones.ts'
import { valueChanges } from './0016-value-changes.ts'
import { unresolvedOutcomes } from './0017-unresolved-outcomes.ts'
import { schemaDrift } from './0018-schema-drift.ts'
import { notifyOnRejects } from './0019-notify-on-rejects.ts'
import { uploads } from './0020-uploads.ts'
import { upsertedRows } from './0021-upserted-rows.ts'
import { attention } from './0022-attention.ts'
import { explorerPresets } from './0023-explorer-presets.ts'
import { errorParams } from './0024-error-params.ts'
import { recentRuns } from './0025-recent-runs.ts'
import { metrics } from './0026-metrics.ts'
import { lineage } from './0027-lineage.ts'
import { aiReferences } from './0028-ai-references.ts'
import { messageCodes } from './0029-message-codes.ts'
import { auditDetail } from './0030-audit-detail.ts'
import { aiUsage } from './0031-ai-usage.ts'
import { viewerQueries } from './0032-viewer-queries.ts'
import { telemetry } from './0033-telemetry.ts'
import { queryHistory } from './0034-query-history.ts'
import { customMetrics } from './0035-custom-metrics.ts'
import { runsByEnd } from './0036-runs-by-end.ts'
import { savedViews } from './0037-saved-views.ts'
import { dashboards } from './0038-dashboards.ts'
import { countRunsInPieces } from './0039-count-runs-in-pieces.ts'
import { queryHistoryAgain } from './0040-query-history-again.ts'
import { runsByDuration } from './0041-runs-by-duration.ts'
import { explorerPresetRecords } from './0042-explorer-preset-records.ts'
import { earlierAttempts } from './0043-earlier-attempts.ts'
import { rejectsRerun } from './0044-rejects-rerun.ts'
import { referenceIndexing } from './0045-reference-indexing.ts'
import { aiUsageByDay } from './0046-ai-usage-by-day.ts'
import { connectorsByName } from './0047-connectors-by-name.ts'
import { longestTimes } from './0048-longest-times.ts'
import type { Migration } from './migration.ts'

/** Every step of the schema, in order. */
export const migrations: readonly Migration[] = [
  foundation,
  definitions,
  runs,
  taskStates,
  jobs,
  jobRuns,
  triggers,
  notifications,
  people,
  audit,
  settings,
  scheduler,
  failures,
  commitPermits,
  timeZones,
  valueChanges,
  unresolvedOutcomes,
  schemaDrift,
  notifyOnRejects,
  uploads,
  upsertedRows,
  attention,
  explorerPresets,
  errorParams,
  recentRuns,
  metrics,
  lineage,
  aiReferences,
  messageCodes,
  auditDetail,
  aiUsage,
  viewerQueries,
  telemetry,
  queryHistory,
  customMetrics,
  runsByEnd,
  savedViews,
  dashboards,
  countRunsInPieces,
  queryHistoryAgain,
  runsByDuration,
  explorerPresetRecords,
  earlierAttempts,
  rejectsRerun,
  referenceIndexing,
  aiUsageByDay,
  connectorsByName,
  longestTimes,
]
