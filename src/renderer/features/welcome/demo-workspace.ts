/// <reference types="vite/client" />
/**
 * A workspace to look at: what is in `resources/workspace`, which is part of the window, made over the interface as anybody
 * would make it. What is there already (an attempt that broke off) is taken as it is.
 */
import { createConnector, listConnectors } from '../../../contract/connectors.ts'
import { createJobTemplate, listJobTemplates } from '../../../contract/job-templates.ts'
import { createJob, listJobs } from '../../../contract/jobs.ts'
import { runJob } from '../../../contract/job-run-control.ts'
import { createTask } from '../../../contract/tasks.ts'
import { createTrigger, listTriggers } from '../../../contract/triggers.ts'
import { ApiFailure, call } from '../../api/client.ts'

const tasks = import.meta.glob<string>('../../../../resources/workspace/*.yaml', {
  query: '?raw',
  import: 'default',
  eager: true,
})
const templates = import.meta.glob<string>('../../../../resources/workspace/jobs/*.yaml', {
  query: '?raw',
  import: 'default',
  eager: true,
})

export const demoSteps = ['connector', 'tasks', 'job', 'run'] as const
export type DemoStep = (typeof demoSteps)[number]

const tags = ['demo']
const jobName = 'demo.daily'
const connectorName = 'demo'

interface Named {
  id: number
  name: string
}

/** The record that was just made, or the one that has the name already. */
async function madeOrFound(
  name: string,
  make: () => Promise<Named>,
  find: () => Promise<{ result: readonly Named[] }>,
): Promise<{ id: number; made: boolean }> {
  try {
    return { id: (await make()).id, made: true }
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.code !== 'CONFLICT') throw error
    const there = (await find()).result.find((one) => one.name === name)
    if (!there) throw error
    return { id: there.id, made: false }
  }
}

async function ifNotThere(make: () => Promise<unknown>): Promise<void> {
  try {
    await make()
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.code !== 'CONFLICT') throw error
  }
}

/** Makes it and starts its job; says before each step which one it is. `database`: the file that its tasks write. */
export async function makeDemoWorkspace(database: string, timezone: string, onStep: (step: DemoStep) => void) {
  onStep('connector')
  const config = { path: database }
  const description = 'Made-up orders of the demo data'
  const connector = await madeOrFound(
    connectorName,
    () => call(createConnector, { body: { name: connectorName, type: 'sqlite', config, description } }),
    () => call(listConnectors, { query: { q: connectorName, limit: 200 } }),
  )

  onStep('tasks')
  for (const yaml_content of Object.values(tasks)) {
    await ifNotThere(() => call(createTask, { body: { yaml_content, tags } }))
  }

  onStep('job')
  let templateId = 0
  for (const yaml_content of Object.values(templates)) {
    const template = await madeOrFound(
      jobName,
      () => call(createJobTemplate, { body: { yaml_content, tags } }),
      () => call(listJobTemplates, { query: { q: jobName, limit: 200 } }),
    )
    templateId = template.id
  }
  const body = { name: jobName, connector_mapping: { [connectorName]: connector.id } }
  const job = await madeOrFound(
    jobName,
    () => call(createJob, { params: { id: templateId }, body }),
    () => call(listJobs, { query: { q: jobName, limit: 200 } }),
  )
  const triggers = await call(listTriggers, { query: { job_id: job.id, limit: 1 } })
  if (triggers.result.length === 0) {
    await call(createTrigger, { body: { job_id: job.id, type: 'cron', cron_expression: '0 6 * * *', timezone } })
  }

  onStep('run')
  // Under way already after an attempt that broke off: nothing is to be started twice.
  await ifNotThere(() => call(runJob, { params: { id: job.id } }))
  return job.id
}
