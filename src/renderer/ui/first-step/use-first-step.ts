import { listConnectors } from '../../../contract/connectors.ts'
import { listDashboardTemplates } from '../../../contract/dashboard-templates.ts'
import { listDashboards } from '../../../contract/dashboards.ts'
import { listJobTemplates } from '../../../contract/job-templates.ts'
import { listJobs } from '../../../contract/jobs.ts'
import type { OperationId } from '../../../contract/operations.ts'
import { listTasks } from '../../../contract/tasks.ts'
import { useOperation } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { type Step, type StepGoal, type Totals, asksFor, missing } from './first-step.rules.ts'

const creates: Record<Step, OperationId> = {
  connector: 'createConnector',
  task: 'createTask',
  template: 'createJobTemplate',
  dashboardTemplate: 'createDashboardTemplate',
  job: 'createJob',
  dashboard: 'createJob',
}
const first = { query: { limit: 1 } }

/** What this user has to create before the goal; null: nothing; undefined: not known yet, or for someone else to do. */
export function useFirstStep(goal: StepGoal): Step | null | undefined {
  const { can } = useSession()
  const totals: Totals = {}
  const asks = (step: Step) => ({ enabled: asksFor(step, goal, totals) })
  // Those that need others first, since others are asked for only where these are missing.
  const dashboards = useOperation(listDashboards, first, asks('dashboard'))
  totals.dashboard = dashboards.data?.total
  const dashboardTemplates = useOperation(listDashboardTemplates, first, asks('dashboardTemplate'))
  totals.dashboardTemplate = dashboardTemplates.data?.total
  const jobs = useOperation(listJobs, first, asks('job'))
  totals.job = jobs.data?.total
  const templates = useOperation(listJobTemplates, first, asks('template'))
  totals.template = templates.data?.total
  const tasks = useOperation(listTasks, first, asks('task'))
  totals.task = tasks.data?.total
  const connectors = useOperation(listConnectors, first, {
    enabled: can('createConnector') && asks('connector').enabled,
  })
  totals.connector = connectors.data?.total
  const asked = [dashboards, dashboardTemplates, jobs, templates, tasks, connectors]
  if (asked.some(({ isLoading }) => isLoading)) return undefined
  const lacks = missing(goal, totals)
  return lacks.length === 0 ? null : lacks.find((step) => can(creates[step]))
}
