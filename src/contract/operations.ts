/**
 * Every operation of the interface, gathered from the files that describe them: an operation is one as soon as its file, listed
 * here, exports it under its id. The compiler then asks for its row in policy.ts. What is not in here cannot be served, called or
 * permitted.
 */
import * as ai from './ai.ts'
import * as aiReferences from './ai-references.ts'
import * as aiUsage from './ai-usage.ts'
import * as apiKeys from './api-keys.ts'
import * as attention from './attention.ts'
import * as audit from './audit.ts'
import * as auth from './auth.ts'
import * as backups from './backups.ts'
import * as branding from './branding.ts'
import * as changes from './changes.ts'
import * as columnProfile from './column-profile.ts'
import * as connectorPreview from './connector-preview.ts'
import * as connectors from './connectors.ts'
import * as dashboardTemplates from './dashboard-templates.ts'
import * as dashboards from './dashboards.ts'
import * as eventTriggers from './event-triggers.ts'
import * as events from './events.ts'
import * as exchange from './exchange.ts'
import * as executorCalls from './executor-calls.ts'
import * as executorLifecycle from './executor-lifecycle.ts'
import * as executorProtocol from './executor-protocol.ts'
import * as executorResults from './executor-results.ts'
import * as executors from './executors.ts'
import * as explain from './explain.ts'
import * as explorerPresets from './explorer-presets.ts'
import * as failures from './failures.ts'
import * as health from './health.ts'
import * as jobRunControl from './job-run-control.ts'
import * as jobRuns from './job-runs.ts'
import * as jobTemplates from './job-templates.ts'
import * as jobs from './jobs.ts'
import * as lineage from './lineage.ts'
import * as mcp from './mcp.ts'
import * as metrics from './metrics.ts'
import * as notifications from './notifications.ts'
import * as pools from './pools.ts'
import * as publicDashboards from './public-dashboards.ts'
import * as queries from './queries.ts'
import * as queryHistory from './query-history.ts'
import * as recentRuns from './recent-runs.ts'
import * as records from './records.ts'
import * as rejectsRerun from './rejects-rerun.ts'
import * as runRejects from './run-rejects.ts'
import * as runs from './runs.ts'
import * as savedViews from './saved-views.ts'
import * as scheduler from './scheduler.ts'
import * as server from './server.ts'
import * as serverConfig from './server-config.ts'
import * as sessions from './sessions.ts'
import * as storeCare from './store-care.ts'
import * as taskPreview from './task-preview.ts'
import * as tasks from './tasks.ts'
import * as totp from './totp.ts'
import * as triggers from './triggers.ts'
import * as uploads from './uploads.ts'
import * as users from './users.ts'
import type { Operation } from './operation.ts'

const contract = {
  ...ai,
  ...aiReferences,
  ...aiUsage,
  ...apiKeys,
  ...attention,
  ...audit,
  ...auth,
  ...backups,
  ...branding,
  ...changes,
  ...columnProfile,
  ...connectorPreview,
  ...connectors,
  ...dashboardTemplates,
  ...dashboards,
  ...eventTriggers,
  ...events,
  ...exchange,
  ...executorCalls,
  ...executorLifecycle,
  ...executorProtocol,
  ...executorResults,
  ...executors,
  ...explain,
  ...explorerPresets,
  ...failures,
  ...health,
  ...jobRunControl,
  ...jobRuns,
  ...jobTemplates,
  ...jobs,
  ...lineage,
  ...mcp,
  ...metrics,
  ...notifications,
  ...pools,
  ...publicDashboards,
  ...queries,
  ...queryHistory,
  ...recentRuns,
  ...records,
  ...rejectsRerun,
  ...runRejects,
  ...runs,
  ...savedViews,
  ...scheduler,
  ...server,
  ...serverConfig,
  ...sessions,
  ...storeCare,
  ...taskPreview,
  ...tasks,
  ...totp,
  ...triggers,
  ...uploads,
  ...users,
}
type Contract = typeof contract
type Operations = {
  readonly [K in keyof Contract as Contract[K] extends Operation & { readonly id: K } ? K : never]: Contract[K]
}

const isOperation = (name: string, value: unknown): value is Operation =>
  typeof value === 'object' && value !== null && 'id' in value && value.id === name && 'responses' in value

/** By id. */
export const operations = Object.fromEntries(
  Object.entries(contract).filter(([name, value]) => isOperation(name, value)),
  // The filter is that of the type.
) as unknown as Operations

export type OperationId = keyof Operations
