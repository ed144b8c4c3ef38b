import { onTestFinished } from 'vitest'
import { tmpdir } from 'node:os'
import type { Run } from '../../../src/contract/runs.ts'
import { type Clock, systemClock } from '../../../src/server/platform/clock.ts'
import { type TestClient, type TestServer, type TestServerOptions, startTestServer } from '../../support/server.ts'

/** A task that needs a folder at slot `out`; `extra` goes in as further lines of YAML. */
export const taskYaml = (name: string, extra = '') => `etl: 1
kind: pipeline
name: ${name}
connectors:
  out: {type: file, access: write}
source:
  inline:
    rows: [{a: 1}]
target:
  connector: out
  file: {path: out.csv}
${extra}`

export interface ControlPlane extends TestServer {
  editor: TestClient
  taskId: number
  mapping: { out: number }
  trigger(body?: object): Promise<Run>
  run(id: number): Promise<Run>
}

/** A server with one task and its connector. Ends with the test. */
export async function controlPlane(options: TestServerOptions & { yaml?: string } = {}): Promise<ControlPlane> {
  const server = await startTestServer(options)
  let open = true
  const close = async () => {
    if (open) await server.close()
    open = false
  }
  onTestFinished(close)
  const editor = server.as('admin')
  const connector = await editor.post('/api/connectors', { name: 'folder', type: 'file', config: { root: tmpdir() } })
  const task = await editor.post('/api/tasks', { yaml_content: options.yaml ?? taskYaml('demo.copy') })
  if (task.status !== 201) throw new Error(JSON.stringify(task.body))
  const taskId = (task.body as { id: number }).id
  const mapping = { out: (connector.body as { id: number }).id }
  return {
    ...server,
    close,
    editor,
    taskId,
    mapping,
    async trigger(body = {}) {
      const answer = await editor.post(`/api/runs/trigger/${taskId}`, { connector_mapping: mapping, ...body })
      if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
      return answer.body as Run
    },
    async run(id) {
      return (await editor.get(`/api/runs/${id}`)).body as Run
    },
  }
}

/** A clock whose monotonic part the test moves, second by second as the sweeps see it. */
export function movableClock(): Clock & { offset: number } {
  const clock = {
    offset: 0,
    now: () => new Date(systemClock.now().getTime() + clock.offset),
    iso: () => clock.now().toISOString(),
    monotonic: () => systemClock.monotonic() + clock.offset,
  }
  return clock
}

/** Lets so many seconds pass, with the sweep that each of them brings. */
export function pass(server: TestServer, clock: { offset: number }, seconds: number): void {
  for (let second = 0; second < seconds; second++) {
    clock.offset += 1_000
    server.services.executors.sweep()
  }
}
