// The control planes that are looked at: an empty one, one with the demo's records and what people add to them, one with ten
// thousand of everything, and one in which every name is as long as it may be.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { createAiReference } from '../../src/contract/ai-references.ts'
import { createApiKey } from '../../src/contract/api-keys.ts'
import { createBackup } from '../../src/contract/backups.ts'
import { createConnector, listConnectors } from '../../src/contract/connectors.ts'
import { listDashboardTemplates } from '../../src/contract/dashboard-templates.ts'
import { createDashboardShare, listDashboards } from '../../src/contract/dashboards.ts'
import { createEventTrigger } from '../../src/contract/event-triggers.ts'
import { createExplorerPreset } from '../../src/contract/explorer-presets.ts'
import { runJob } from '../../src/contract/job-run-control.ts'
import { getJobRun, listAllJobRuns } from '../../src/contract/job-runs.ts'
import { listJobTemplates } from '../../src/contract/job-templates.ts'
import { listJobs } from '../../src/contract/jobs.ts'
import { updateMetricsConfig } from '../../src/contract/metrics.ts'
import type { BodyOf } from '../../src/contract/operation.ts'
import { createNotification, listNotifications } from '../../src/contract/notifications.ts'
import { setPool } from '../../src/contract/pools.ts'
import { listRuns } from '../../src/contract/runs.ts'
import { createTask, getTask, listTasks, updateTask } from '../../src/contract/tasks.ts'
import { createTrigger } from '../../src/contract/triggers.ts'
import { createUser, listUsers } from '../../src/contract/users.ts'
import { type Account, type Client, type ControlPlane, signIn, startControlPlane } from '../demo/control-plane.ts'
import { createConnectors, createTasks, order, runTask } from '../demo/demo-tasks.ts'
import { runNightly } from '../demo/nightly.ts'
import { waitForPool } from './pool-job.ts'
import { multiply } from './multiply.ts'
import { fillWithLongNames } from './long-names.ts'

export const workspaceNames = ['empty', 'full', 'many', 'long'] as const
export type WorkspaceName = (typeof workspaceNames)[number]

export const account: Account = { username: 'ada', password: 'correct horse battery staple' }

/** Numbers of the records that the screens show; 0 where there is none. */
export interface Records {
  task: number
  template: number
  job: number
  connector: number
  fileConnector: number
  user: number
  run: number
  /** Two runs of a task, between which it was changed. */
  earlierRun: number
  laterRun: number
  failedRun: number
  rejectsRun: number
  jobRun: number
  failedJobRun: number
  /** At its gate. */
  pausedJobRun: number
  /** Its task waits for a slot of a pool. */
  queuedJobRun: number
  dashboardTemplate: number
  dashboard: number
  /** Where the dashboard is seen without signing in; empty: nowhere. */
  publicDashboard: string
  channel: number
}

export interface Workspace {
  server: ControlPlane
  records: Records
  remove(): Promise<void>
}

export async function makeWorkspace(name: WorkspaceName): Promise<Workspace> {
  const folder = mkdtempSync(join(tmpdir(), `headgate-screens-${name}-`))
  const dataDir = join(folder, 'data')
  mkdirSync(dataDir)
  let server = await startControlPlane(dataDir, account)
  const remove = async () => {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const api = await signIn(server.url, account)
    const publicDashboard = name === 'full' ? await fill(api, folder) : ''
    if (name === 'long') await fillWithLongNames(api, folder)
    if (name === 'many') {
      await server.stop()
      multiply(join(dataDir, 'headgate.db'))
      server = await startControlPlane(dataDir, account, Number(new URL(server.url).port))
    }
    return { server, records: { ...(await findRecords(api)), publicDashboard }, remove }
  } catch (error) {
    await remove()
    throw error
  }
}

/** What the demo makes, and what people add to it over time; the address of a public dashboard. */
async function fill(api: Client, folder: string): Promise<string> {
  const slots = await createConnectors(api, join(folder, 'workspace'))
  const tasks = await createTasks(api)
  const weather = tasks.get('weather.monthly')
  if (weather) await createMetrics(api, weather.id)
  for (const name of order) {
    const task = tasks.get(name)
    if (task) await runTask(api, task, slots)
  }
  await runNightly(api, slots)
  await appendMovies(api, slots)
  if (weather) {
    await changeTask(api, weather.id)
    await runTask(api, weather, slots, { since: '2014-01-01' })
  }
  const { result: jobs } = await api.call(listJobs)
  const job_id = jobs[0]?.id ?? 0
  const timezone = 'Europe/Berlin'
  await api.call(createTrigger, { body: { job_id, type: 'cron', cron_expression: '*/20 8-18 * * *', timezone } })
  await api.call(createTrigger, {
    body: { job_id, type: 'one_off', cron_expression: new Date(Date.now() + 7_200_000).toISOString() },
  })
  await api.call(createEventTrigger, { body: { job_id, type: 'webhook', name: 'shop' } })
  await api.call(createConnector, {
    body: {
      name: 'crm',
      type: 'postgres',
      environment: 'production',
      description: 'Customers, read only',
      config: { host: 'db.example.org', database: 'crm', user: 'reader' },
    },
  })
  await api.call(createNotification, {
    body: { name: 'on call', type: 'webhook', config: { url: 'https://hooks.example.org/etl' } },
  })
  await api.call(setPool, {
    params: { name: 'warehouse' },
    body: { slots: 4, description: 'Writers of the warehouse' },
  })
  await api.call(createApiKey, { body: { name: 'nightly export' } })
  await createReferences(api)
  for (const [username, role] of [
    ['grace', 'editor'],
    ['linus', 'viewer'],
    ['margaret', 'admin'],
  ] as const) {
    await api.call(createUser, { body: { username, role, password: `${username} has a long password` } })
  }
  await api.call(createBackup)
  await createPresets(api, slots['warehouse'] ?? 0)
  await waitAtGate(api, job_id)
  await waitForPool(api, slots)
  const { result: dashboards } = await api.call(listDashboards, { query: { job_id } })
  const [dashboard] = dashboards
  if (!dashboard) throw new Error('The nightly job has no dashboard')
  const share = await api.call(createDashboardShare, { params: { id: dashboard.id }, body: { name: 'Lobby' } })
  return share.path
}

/** What people write down about their data, for a model. */
async function createReferences(api: Client): Promise<void> {
  const status = 'The status of a flight is planned, departed, landed, or cancelled. Times are local to the airport. '
  const long = ['Flights', 'Airports', 'Delays'].map((name) => `# ${name}\n\n${status.repeat(30)}\n`).join('\n')
  const bodies: BodyOf<typeof createAiReference>[] = [
    { title: 'Flights and delays', kind: 'markdown', content: long, tags: ['flights', 'weather'] },
    { title: 'Warehouse', kind: 'schema', content: 'CREATE TABLE flights (id INTEGER PRIMARY KEY, delay INTEGER);\n' },
    { title: 'crm-api.openapi.json', kind: 'schema', content: '{"openapi": "3.1.0", "paths": {}}', tags: ['crm'] },
    { title: 'How to name tasks', kind: 'text', content: 'Area, dot, what it does: weather.monthly.\n' },
  ]
  for (const body of bodies)
    // One after the other: the list shows the last one first.
    await api.call(createAiReference, { body })
}

/** Its rejected rows can be fixed and rerun: nothing of what it wrote is replaced then. */
async function appendMovies(api: Client, slots: Record<string, number>): Promise<void> {
  const yaml = readFileSync('resources/demo/movies.clean.yaml', 'utf8')
  const yaml_content = yaml
    .replace('name: movies.clean', 'name: movies.append')
    .replace('table: movies\n  mode: replace', 'table: all_movies\n  mode: append')
  const { id } = await api.call(createTask, { body: { yaml_content } })
  await runTask(api, { id, slots: ['samples', 'warehouse'] }, slots)
}

/** One that reads, and one that changes rows. */
async function createPresets(api: Client, connector_id: number): Promise<void> {
  await api.call(createExplorerPreset, {
    body: {
      name: 'Late routes',
      description: 'Routes where more than 30% of the flights are late',
      connector_id,
      definition: {
        mode: 'raw',
        rawQuery: 'SELECT route, flights, late_percent FROM flight_routes WHERE late_percent > 30 ORDER BY 3 DESC',
      },
    },
  })
  await api.call(createExplorerPreset, {
    body: {
      name: 'Correct the rain of a month',
      connector_id,
      resource: 'weather_monthly',
      definition: {
        mode: 'visual',
        action: 'update',
        filters: [{ field: 'month', operator: '=', value: '{{month}}' }],
        values: [{ field: 'precipitation', value: '{{rain}}', valueType: 'number' }],
        parameters: [
          { name: 'month', label: 'Month', type: 'string' },
          { name: 'rain', label: 'Precipitation', type: 'string' },
        ],
      },
    },
  })
}

/** One more job run, which nobody has approved yet. */
async function waitAtGate(api: Client, job: number): Promise<void> {
  const { id } = await api.call(runJob, { params: { id: job } })
  const latest = Date.now() + 60_000
  while ((await api.call(getJobRun, { params: { id } })).status !== 'paused') {
    if (Date.now() > latest) throw new Error(`Job run ${id} did not come to its gate`)
    await setTimeout(100)
  }
}

/** One that is violated, and one that isn’t. */
async function createMetrics(api: Client, task_id: number): Promise<void> {
  const custom = [
    {
      name: 'weather_rows',
      description: 'Months in the report',
      unit: 'rows',
      source: { kind: 'summary' as const, task_id, field: 'rows_out' },
      threshold: { below: 1_000 },
    },
    {
      name: 'weather_age',
      description: 'The report is written once a day',
      source: { kind: 'freshness' as const, freshness_of: { task_id }, deadline_minutes: 1_440 },
    },
  ]
  await api.call(updateMetricsConfig, { body: { custom } })
}

/** A second version, so that there is something to compare and to upgrade to. */
async function changeTask(api: Client, id: number): Promise<void> {
  const { yaml_content: before } = await api.call(getTask, { params: { id } })
  const yaml_content = before.replace(/^description: .*$/m, 'description: Weather of Seattle by month, for the report')
  await api.call(updateTask, { params: { id }, body: { yaml_content, change_summary: 'Says what it is for' } })
}

async function findRecords(api: Client): Promise<Omit<Records, 'publicDashboard'>> {
  const first = async <T extends { id: number }>(
    list: Promise<{ result: readonly T[] }>,
    is: (one: T) => boolean = () => true,
  ) => (await list).result.find(is)?.id ?? 0
  // Not the one that waits for a pool.
  const isMain = ({ name }: { name: string }) => name !== 'refresh'
  return {
    task: await first(
      api.call(listTasks, { query: { limit: 200 } }),
      ({ name }) => name === 'weather.monthly' || name.endsWith('9') || name.endsWith('failing'),
    ),
    template: await first(api.call(listJobTemplates), isMain),
    job: await first(api.call(listJobs), isMain),
    connector: await first(api.call(listConnectors), ({ type }) => type === 'sqlite'),
    fileConnector: await first(api.call(listConnectors), ({ name, type }) => type === 'file' && name !== 'exports'),
    user: await first(api.call(listUsers), ({ username }) => username !== account.username),
    run: await first(api.call(listRuns, { query: { status: ['success'] } }), ({ task_version }) => task_version === 1),
    earlierRun: await first(
      api.call(listRuns, { query: { status: ['success'] } }),
      (run) => run.task_name === 'weather.monthly' && run.task_version === 1,
    ),
    laterRun: await first(api.call(listRuns), ({ task_version }) => task_version === 2),
    failedRun: await first(api.call(listRuns, { query: { status: ['failed'] } })),
    rejectsRun: await first(api.call(listRuns, { query: { status: ['completed'] } })),
    jobRun: await first(api.call(listAllJobRuns), ({ status }) => status === 'completed'),
    failedJobRun: await first(api.call(listAllJobRuns), ({ status }) => status === 'failed'),
    pausedJobRun: await first(api.call(listAllJobRuns), ({ status }) => status === 'paused'),
    queuedJobRun: await first(api.call(listAllJobRuns), ({ job_name }) => job_name === 'refresh'),
    dashboardTemplate: await first(api.call(listDashboardTemplates)),
    dashboard: await first(api.call(listDashboards)),
    channel: await first(api.call(listNotifications)),
  }
}
