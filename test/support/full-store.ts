/** A store with something of everything, for the specs that walk the whole window: the demo workspace, runs that ended well and badly, people, names that are hard on a layout. */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createApiKey } from '../../src/contract/api-keys.ts'
import { createConnector } from '../../src/contract/connectors.ts'
import { createEventTrigger } from '../../src/contract/event-triggers.ts'
import { runJob } from '../../src/contract/job-run-control.ts'
import { getJobRun } from '../../src/contract/job-runs.ts'
import { createJobTemplate } from '../../src/contract/job-templates.ts'
import { createJob } from '../../src/contract/jobs.ts'
import { createNotification } from '../../src/contract/notifications.ts'
import { setPool } from '../../src/contract/pools.ts'
import { getRun, triggerRun } from '../../src/contract/runs.ts'
import { createTask } from '../../src/contract/tasks.ts'
import { createTrigger } from '../../src/contract/triggers.ts'
import { createUser } from '../../src/contract/users.ts'
import { type Api, expect } from './e2e.ts'

export interface FullStore {
  task: number
  template: number
  job: number
  connector: number
  user: number
  run: number
  failedRun: number
  jobRun: number
  otherJobRun: number
}

/** Job runs of several tasks on a loaded machine. */
const patience = 90_000

/** As long as a name may be, in two directions of writing. */
export const longName = `Umsätze Ω 📦 مبيعات ${'q'.repeat(60)}`

const failing = `etl: 1
kind: script
name: demo.failing
description: Ends with an error, so that there is something to look into
script: |
  log.info('Looking for the file')
  throw new Error('orders-2026-11.csv is not there')
`

const workspace = (folder: string) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))

/** Filled over the interface; `folder` is where the demo's SQLite file goes. */
export async function fillStore(api: Api, folder: string): Promise<FullStore> {
  const config = { path: join(folder, 'demo.db') }
  const connector = await api(createConnector, {
    body: { name: 'demo', type: 'sqlite', config, description: longName },
  })
  await api(createConnector, {
    body: {
      name: 'crm',
      type: 'postgres',
      environment: 'production',
      config: { host: 'db.example.org', database: 'crm', user: 'reader' },
    },
  })
  const tasks = []
  for (const yaml_content of workspace('resources/workspace')) {
    tasks.push(await api(createTask, { body: { yaml_content, tags: ['demo'] } }))
  }
  const broken = await api(createTask, { body: { yaml_content: failing } })
  const [text = ''] = workspace('resources/workspace/jobs')
  const template = await api(createJobTemplate, { body: { yaml_content: text, tags: ['demo'] } })
  const job = await api(createJob, {
    params: { id: template.id },
    body: { name: 'demo.daily', connector_mapping: { demo: connector.id } },
  })
  const jobRun = await endedJobRun(api, job.id)
  const otherJobRun = await endedJobRun(api, job.id)
  const orders = tasks.find(({ name }) => name === 'demo.orders')
  const run = await endedRun(api, orders?.id ?? 0, { demo: connector.id })
  const failedRun = await endedRun(api, broken.id, {})
  const timezone = 'Europe/Berlin'
  await api(createTrigger, { body: { job_id: job.id, type: 'cron', cron_expression: '*/20 8-18 * * *', timezone } })
  await api(createEventTrigger, { body: { job_id: job.id, type: 'webhook', name: 'shop' } })
  await api(createNotification, {
    body: { name: 'on call', type: 'webhook', config: { url: 'https://hooks.example.org/etl' } },
  })
  await api(setPool, { params: { name: 'warehouse' }, body: { slots: 4, description: longName } })
  await api(createApiKey, { body: { name: 'nightly export' } })
  const user = await api(createUser, {
    body: { username: 'grace', role: 'editor', password: 'grace has a long password', display_name: longName },
  })
  return {
    task: orders?.id ?? 0,
    template: template.id,
    job: job.id,
    connector: connector.id,
    user: user.id,
    run,
    failedRun,
    jobRun,
    otherJobRun,
  }
}

async function endedJobRun(api: Api, job: number): Promise<number> {
  const { id } = await api(runJob, { params: { id: job }, body: {} })
  await expect
    .poll(async () => (await api(getJobRun, { params: { id } })).completed_at, { timeout: patience })
    .not.toBeNull()
  return id
}

async function endedRun(api: Api, taskId: number, connector_mapping: Record<string, number>): Promise<number> {
  const { id } = await api(triggerRun, { params: { taskId }, body: { connector_mapping } })
  await expect
    .poll(async () => (await api(getRun, { params: { id } })).completed_at, { timeout: patience })
    .not.toBeNull()
  return id
}
