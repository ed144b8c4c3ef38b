import Database from 'better-sqlite3'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, vi } from 'vitest'
import type { RunPlan } from '../../../src/contract/executor-protocol.ts'
import { createConnector } from '../../../src/contract/connectors.ts'
import { listExecutors } from '../../../src/contract/executors.ts'
import { createJobTemplate } from '../../../src/contract/job-templates.ts'
import { type JobDetail, createJob } from '../../../src/contract/jobs.ts'
import { type Run, getRun, triggerRun } from '../../../src/contract/runs.ts'
import { type TaskDetail, createTask } from '../../../src/contract/tasks.ts'
import { forkNode } from '../../../src/process/child.ts'
import { systemClock } from '../../../src/server/platform/clock.ts'
import { entryOf } from '../../support/entries.ts'
import { createTestClock } from '../../support/platform.ts'
import {
  type Answer,
  type TestClient,
  type TestServer,
  type TestServerOptions,
  startTestServer,
  testExecutorKey,
} from '../../support/server.ts'
import { type FakeExecutor, fakeExecutor } from '../../server/runs/fake-executor.ts'

export const account = { username: 'ada', password: 'correct horse battery' }

let made = 0
/** A name that nothing else has. */
export const newName = (what: string) => `${what}_${++made}`

/** Rows of a CSV file without those below 2; negative ones are rejected. */
export const taskYaml = (name: string, description = 'Contract') => `etl: 1
kind: pipeline
name: ${name}
description: ${description}
connectors:
  files: {type: file, access: read_write}
args:
  least: {type: integer, default: 2}
source:
  connector: files
  files: {glob: numbers.csv}
steps:
  - filter: "n >= :least OR n < 0"
  - expect: [{name: positive, check: "n > 0", on_fail: quarantine}]
target:
  connector: files
  file: {path: "${name}.jsonl"}
`

/** A task that keeps a cursor from run to run. */
export const incrementalYaml = (name: string) =>
  taskYaml(name).replace('source:', 'state:\n  cursor: {field: n, type: integer, initial: 0}\nsource:')

/** One task that the template binds to `lake`, and a gate after it. */
export const jobTemplateYaml = (name: string, task: string, description = 'Contract') => `etl: 1
kind: job
name: ${name}
description: ${description}
parameters:
  least: {type: integer, default: 2}
connectors:
  lake: {type: file, access: read_write}
tasks:
  load: {task: ${task}, connectors: {files: lake}, args: {least: "\${{ parameters.least }}"}}
  sign_off: {gate: "Publish?", depends_on: [load]}
`

/** A server with accounts, connectors and a way to make tasks and runs. */
export interface World {
  server: TestServer
  admin: TestClient
  editor: TestClient
  /** The answer that made the first account. */
  bootstrapped: Answer
  folder: string
  files: number
  database: number
  task(yaml?: string): Promise<TaskDetail>
  /** A new run of a new task. */
  run(yaml?: string): Promise<Run>
  /** A new job of a new template of a new task. */
  job(): Promise<JobDetail>
  close(): Promise<void>
}

export async function createWorld(options: TestServerOptions = {}): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-contract-'))
  writeFileSync(join(folder, 'numbers.csv'), 'n,name\n1,one\n2,two\n3,three\n-4,minus four\n')
  const sqlite = new Database(join(folder, 'app.db'))
  sqlite.exec("CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO people VALUES (1, 'Ada')")
  sqlite.close()
  const server = await startTestServer(options)
  const bootstrapped = await server.client.post('/api/auth/bootstrap', account)
  const admin = server.as('admin')
  const connector = async (name: string, type: 'file' | 'sqlite', config: Record<string, unknown>) =>
    (await admin.call(createConnector, { body: { name, type, config } })).id
  const files = await connector('files', 'file', { root: folder })
  const task = (yaml = taskYaml(newName('task'))) => admin.call(createTask, { body: { yaml_content: yaml } })
  return {
    server,
    admin,
    editor: server.as('editor'),
    bootstrapped,
    folder,
    files,
    database: await connector('database', 'sqlite', { path: join(folder, 'app.db') }),
    task,
    async run(yaml) {
      const { id: taskId } = await task(yaml)
      return admin.call(triggerRun, { params: { taskId }, body: { connector_mapping: { files } } })
    },
    async job() {
      const yaml_content = jobTemplateYaml(newName('template'), (await task()).name)
      const { id } = await admin.call(createJobTemplate, { body: { yaml_content } })
      const body = { name: newName('job'), connector_mapping: { lake: files } }
      return admin.call(createJob, { params: { id }, body })
    },
    async close() {
      await server.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** With a real executor, and one run that it has done. */
export interface LiveWorld extends World {
  finished: Run
}

const patience = { timeout: 45_000, interval: 20 }

export async function createLiveWorld(options: TestServerOptions = {}): Promise<LiveWorld> {
  const world = await createWorld(options)
  const { server, admin } = world
  let output = ''
  const executor = forkNode(entryOf('executor'), {
    name: 'executor',
    args: ['--url', server.url, '--name', 'contract', '--slots', '1', '--grace', '1'],
    env: { SVC_EXECUTOR_KEY: testExecutorKey },
    output: (chunk) => (output += chunk),
  })
  const ended = new Promise<void>((resolve) => executor.onExit(() => resolve()))
  const close = async () => {
    executor.kill('SIGKILL')
    await ended
    await world.close()
  }
  try {
    await vi.waitUntil(async () => (await admin.call(listExecutors))[0]?.status === 'online', patience)
    const { id } = await world.run()
    const current = () => admin.call(getRun, { params: { id } })
    await vi.waitUntil(async () => (await current()).completed_at !== null, patience)
    return { ...world, close, finished: await current() }
  } catch (error) {
    await close()
    throw new Error(`The executor did not do its run: ${output}`, { cause: error })
  }
}

/** With an executor that does what the test says. */
export interface ScriptedWorld extends World {
  executor: FakeExecutor
  /** A run that the executor has claimed. */
  claimed(yaml?: string): Promise<RunPlan>
  /** Performs a request that waits for an executor, and answers it with this error. */
  failing(request: Promise<Answer>, code: string): Promise<Answer>
}

export async function createScriptedWorld(options: TestServerOptions = {}): Promise<ScriptedWorld> {
  // It sends no heartbeats by itself, and there are many tests before its turn comes.
  const leases = { executorMs: 3_600_000, heartbeatMs: 5_000 }
  const world = await createWorld({ ...options, config: { leases, ...options.config } })
  const executor = await fakeExecutor(world.server)
  return {
    ...world,
    executor,
    async claimed(yaml) {
      const { id } = await world.run(yaml)
      const { runs } = await executor.claim({ slots: 100 })
      return runs.find(({ run_id }) => run_id === id) ?? expect.fail('The run was not handed out')
    },
    async failing(request, code) {
      const { calls } = await executor.claim({ slots: 0, call_slots: 1, wait_ms: 20_000 })
      await executor.client.post(
        `/api/executor/calls/${calls[0]!.call_id}/result`,
        { error: { code, message: `The executor says ${code}`, details: [{ path: 'connector', message: code }] } },
        { headers: { 'x-executor-credential': executor.credential } },
      )
      return request
    },
  }
}

/** A server on which nobody may ask anything more: every bucket is empty, and time stands still. */
export async function createExhaustedServer(): Promise<TestServer & { superadmin: TestClient }> {
  const clock = createTestClock()
  const server = await startTestServer({ clock, config: { limits: { requestsPerSecond: 1, burst: 1 } } })
  const superadmin = server.as('superadmin')
  await superadmin.get('/api/auth/me')
  const health = { method: 'GET', url: '/api/health', headers: { host: 'localhost' } } as const
  for (let asked = 0, status = 200; status === 200; asked++) {
    if (asked > 5_000) throw new Error('Anonymous requests are not limited')
    status = (await server.app.inject(health)).statusCode
  }
  return { ...server, superadmin }
}

/** A server with a fault inside: from `break` on, looking at the clock throws. */
export async function createFaultyServer(): Promise<
  TestServer & { superadmin: TestClient; break(): void; logged: Record<string, unknown>[] }
> {
  let broken = false
  const logged: Record<string, unknown>[] = []
  // The faults of a timer are nobody's answer: there are no timers.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  try {
    const server = await startTestServer({
      clock: {
        ...systemClock,
        monotonic() {
          if (broken) throw new Error('The clock is broken at /secret/place')
          return systemClock.monotonic()
        },
      },
      onLog: (line) => logged.push(JSON.parse(line) as Record<string, unknown>),
    })
    return { ...server, superadmin: server.as('superadmin'), logged, break: () => (broken = true) }
  } finally {
    vi.useRealTimers()
  }
}

/** A server that is ending: it lets what is under way finish and takes nothing new. */
export async function createEndingServer(): Promise<TestServer & { superadmin: TestClient; executor: FakeExecutor }> {
  const server = await startTestServer()
  const superadmin = server.as('superadmin')
  const executor = await fakeExecutor(server)
  server.platform.drain()
  return { ...server, superadmin, executor }
}
