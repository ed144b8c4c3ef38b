import { executorProtocolVersion } from '../../../src/contract/executor-lifecycle.ts'
import { onTestFinished } from 'vitest'
import { tmpdir } from 'node:os'
import type { RunPlan } from '../../../src/contract/executor-protocol.ts'
import type { JobRun, JobRunGraph, JobRunNode } from '../../../src/contract/job-runs.ts'
import type { StartOptions } from '../../../src/server/features/job-runs/job-runs.service.ts'
import { type TestClient, type TestServer, type TestServerOptions, startTestServer } from '../../support/server.ts'
import { failure, success } from '../runs/fake-executor.ts'

/** A task without arguments but `value`, which puts out what it was told. */
const taskYaml = (name: string, extra: string) => `etl: 1
kind: pipeline
name: ${name}
connectors:
  out: {type: file, access: write}
args:
  value: {type: string}
source:
  inline:
    rows: [{a: 1}]
target:
  connector: out
  file: {path: out.csv}
${extra}`

export interface JobPlane extends TestServer {
  editor: TestClient
  folder: number
  /** A job of a template with these tasks; `head` are further keys of the template. */
  job(tasks: string, head?: string): Promise<number>
  start(jobId: number, options?: StartOptions): number
  jobRun(id: number): JobRun
  graph(id: number): JobRunGraph
  node(id: number, key: string): JobRunNode
  /** Status by task key. */
  states(id: number): Record<string, string>
  /** Claims what waits, at most so many, in the order in which it is handed out. */
  claim(limit?: number): RunPlan[]
  complete(plan: RunPlan, report?: object): Promise<void>
  fail(plan: RunPlan, retryable?: boolean): Promise<void>
  /** Claims and completes until nothing waits any more. */
  drain(report?: (plan: RunPlan) => object): Promise<RunPlan[]>
}

/** The task key of a plan, with the item of a for_each. */
export const nameOf = (plane: JobPlane, plan: RunPlan): string => {
  const { task_key, item_index } = plane.services.runs.get(plan.run_id)
  return item_index === null ? String(task_key) : `${task_key}[${item_index}]`
}

/** A server with tasks `work` (one attempt) and `stubborn` (three), driven without a socket between. */
export async function jobPlane(options: TestServerOptions = {}): Promise<JobPlane> {
  const server = await startTestServer(options)
  let open = true
  const close = async () => {
    if (open) await server.close()
    open = false
  }
  onTestFinished(close)
  const editor = server.as('admin')
  const { services, platform } = server
  const executor = { id: services.executors.register(registration, '127.0.0.1').id, name: 'jobs' }
  const connector = await editor.post('/api/connectors', { name: 'folder', type: 'file', config: { root: tmpdir() } })
  const folder = (connector.body as { id: number }).id
  for (const [name, extra] of [
    ['work', ''],
    ['stubborn', 'retries: {max: 2, delay: 0s}\n'],
  ] as const) {
    const made = await editor.post('/api/tasks', { yaml_content: taskYaml(name, extra) })
    if (made.status !== 201) throw new Error(JSON.stringify(made.body))
  }
  let count = 0
  const plane: JobPlane = {
    ...server,
    close,
    editor,
    folder,
    async job(tasks, head = '') {
      const name = `job_${++count}`
      const yaml_content = `etl: 1\nkind: job\nname: ${name}\nconnectors: {dir: {type: file}}\n${head}\ntasks:\n${tasks}`
      const template = await editor.post('/api/job-templates', { yaml_content })
      if (template.status !== 201) throw new Error(JSON.stringify(template.body))
      const { id } = template.body as { id: number }
      const job = await editor.post(`/api/job-templates/${id}/jobs`, { name, connector_mapping: { dir: folder } })
      if (job.status !== 201) throw new Error(JSON.stringify(job.body))
      return (job.body as { id: number }).id
    },
    start(jobId, given = {}) {
      const origin = { trigger_type: 'manual', created_by: null } as const
      const started = platform.store.transaction(() => services.jobRuns.start(jobId, given, origin))
      return started.kind === 'started' ? started.job_run.id : -started.job_run_id
    },
    jobRun: (id) => services.jobRunReads.get(id),
    graph: (id) => services.jobRunReads.graph(id),
    node(id, key) {
      const found = plane.graph(id).nodes.find((node) => node.key === key)
      if (!found) throw new Error(`There is no node ${key}`)
      return found
    },
    // Made by the server from keys and statuses.
    states: (id) => JSON.parse(plane.jobRun(id).run_state ?? '{}') as Record<string, string>,
    claim: (limit = 1_000) =>
      platform.store.transaction(() => services.runs.attempts.claim(services.runs.attempts.ready(limit), executor)),
    async complete(plan, report = {}) {
      const { attempt, lease_token } = plan
      // A whole report of an executor.
      const body = { ...success(), ...report, attempt, lease_token } as Parameters<
        typeof services.runs.callbacks.complete
      >[1]
      await services.runs.callbacks.complete(plan.run_id, body)
    },
    fail: (plan, retryable = false) => plane.complete(plan, failure(retryable)),
    async drain(report = () => ({})) {
      const done: RunPlan[] = []
      for (let plans = plane.claim(); plans.length > 0; plans = plane.claim()) {
        for (const plan of plans) await plane.complete(plan, report(plan))
        done.push(...plans)
      }
      return done
    },
  }
  return plane
}

const registration = {
  name: 'jobs',
  version: '1',
  protocol: executorProtocolVersion,
  capabilities: [],
  slots: 4,
  instance: 'jobs',
}
