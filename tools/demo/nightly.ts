// The nightly job of the demo: it fans out, waits for a person, fails on purpose, and is fixed and rerun from there.
import { readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { decideGate, rerunJobRun, resumeJobRun, runJob } from '../../src/contract/job-run-control.ts'
import { type JobRun, getJobRun, getJobRunGraph } from '../../src/contract/job-runs.ts'
import { createDashboardTemplate } from '../../src/contract/dashboard-templates.ts'
import { createDashboardShare, listDashboards } from '../../src/contract/dashboards.ts'
import { createJobTemplate } from '../../src/contract/job-templates.ts'
import { createJob, getJobSnapshot, setJobTaskOverride } from '../../src/contract/jobs.ts'
import { createNotification, listNotificationDeliveries } from '../../src/contract/notifications.ts'
import { createTrigger } from '../../src/contract/triggers.ts'
import type { Client } from './control-plane.ts'
import { type Cell, printTable } from './table.ts'

const templateFile = 'resources/demo/jobs/nightly.yaml'
const dashboardFile = 'resources/demo/dashboards/nightly.yaml'
/** What the demo made too strict, and what it should have been. */
const mend = { from: 'late_percent <= 25', to: 'late_percent <= 60' }
/** Nothing here takes longer, even on a slow machine. */
const patienceMs = 180_000

/** Says with a table what happened; false when anything ended otherwise than it should. */
export async function runNightly(api: Client, slots: Record<string, number>): Promise<boolean> {
  const rows: Cell[][] = []
  let right = true
  /** One line of the table: which tasks ran, and which were taken over as they were. */
  async function note(what: string, { id }: Pick<JobRun, 'id'>, wanted: JobRun['status'], since = '') {
    const { job_run, nodes } = await api.call(getJobRunGraph, { params: { id } })
    right &&= job_run.status === wanted
    const ran = nodes.filter((node) => node.reason !== 'reused' && (node.completed_at ?? '') > since)
    rows.push([what, id, job_run.status, ran.map(({ key, status }) => `${key} ${status}`).join(', ')])
    return { at: job_run.updated_at, nodes }
  }

  const channel = await api.call(createNotification, { body: { name: 'desktop', type: 'desktop' } })
  const job = await makeJob(api, slots)
  const trigger = await api.call(createTrigger, {
    body: { job_id: job.id, type: 'cron', cron_expression: '0 6 * * 1-5', timezone: 'Europe/Berlin' },
  })

  const first = await api.call(runJob, { params: { id: job.id } })
  await rest(api, first)
  const atGate = await note('it waits for a person', first, 'paused')
  const gate = atGate.nodes.find(({ status }) => status === 'paused')
  if (!gate) throw new Error('The nightly job did not come to its gate')

  const body = { open: true, note: 'They look right' }
  await api.call(decideGate, { params: { id: first.id, key: gate.key }, body })
  await rest(api, first)
  const failed = await note(`“${gate.message}” yes`, first, 'failed', atGate.at)

  await api.call(resumeJobRun, { params: { id: first.id } })
  await rest(api, first)
  await note('resumed without a fix', first, 'failed', failed.at)

  const { tasks } = await api.call(getJobSnapshot, { params: { id: job.id } })
  const text = tasks.find(({ task_key }) => task_key === 'publish')?.yaml_content ?? ''
  const yaml_content = text.replace(mend.from, mend.to)
  await api.call(setJobTaskOverride, { params: { id: job.id, key: 'publish' }, body: { yaml_content } })
  const again = { from: ['publish'], overrides: { publish: yaml_content } }
  const { job_run } = await api.call(rerunJobRun, { params: { id: first.id }, body: again })
  if (!job_run) throw new Error('The rerun made no job run')
  await rest(api, job_run)
  await note('fixed and rerun from there', job_run, 'completed')

  console.log(`\nThe job nightly, ${trigger.cron_expression} in ${trigger.timezone}, next at ${trigger.next_fire_at}:`)
  printTable(['what', 'job run', 'status', 'tasks that ran'], rows)
  const told = await api.call(listNotificationDeliveries, { params: { id: channel.id } })
  const news = told.result.toReversed().map(({ event, job_run_id }) => `${event} (job run ${job_run_id})`)
  console.log(`\nThe desktop was told: ${news.join(', ')}`)
  return right && news.length === 3
}

async function makeJob(api: Client, slots: Record<string, number>) {
  const yaml_content = readFileSync(templateFile, 'utf8')
  const template = await api.call(createJobTemplate, { body: { yaml_content, tags: ['demo'] } })
  const dashboard = readFileSync(dashboardFile, 'utf8')
  await api.call(createDashboardTemplate, { body: { yaml_content: dashboard, tags: ['demo'] } })
  // Its connectors are named like those of the demo.
  const connector_mapping = Object.fromEntries(
    Object.keys(JSON.parse(template.connector_refs ?? '{}') as object).map((name) => [name, slots[name] ?? 0]),
  )
  const job = await api.call(createJob, { params: { id: template.id }, body: { name: 'nightly', connector_mapping } })
  const { result } = await api.call(listDashboards, { query: { job_id: job.id } })
  for (const { id, name } of result) {
    const { path } = await api.call(createDashboardShare, { params: { id }, body: { name: 'Demo', filters: 'free' } })
    console.log(`\nThe dashboard ${name} can be seen without signing in: ${path}`)
  }
  return job
}

/** Until it has ended or waits for somebody. */
async function rest(api: Client, { id }: Pick<JobRun, 'id'>): Promise<void> {
  const deadline = Date.now() + patienceMs
  while (Date.now() < deadline) {
    const { status } = await api.call(getJobRun, { params: { id } })
    if (status !== 'pending' && status !== 'running') return
    await setTimeout(100)
  }
  throw new Error(`Job run ${id} has not come to rest within ${patienceMs / 1000} s`)
}
