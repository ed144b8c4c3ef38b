import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cancelRun, triggerRun } from '../../../src/contract/runs.ts'
import { createConnector } from '../../../src/contract/connectors.ts'
import { createTask } from '../../../src/contract/tasks.ts'
import { createClient, startTestServer } from '../../support/server.ts'
import { spawnServer } from '../../support/server-process.ts'
import { taskYaml } from '../runs/control-plane.ts'
import { createReceiver } from './receiver.ts'

const runs = 20

test('events of a server that is killed while their receiver is away arrive when both are back', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'headgate-telemetry-kill-'))
  let away = true
  const receiver = await createReceiver(() => (away ? 503 : 200))
  const first = await startTestServer({ dataDir })
  const { headers } = first.as('admin')
  await first.close()
  const start = async () => {
    const env = { SVC_TELEMETRY_OPENLINEAGE_URL: `${receiver.url}/api/v1/lineage` }
    const server = spawnServer(dataDir, { args: ['--port', '0', '--no-executor'], env })
    return { server, client: createClient((await server.ready).url, { ...headers }) }
  }
  let running = await start()
  try {
    const { client } = running
    const { id: out } = await client.call(createConnector, {
      body: { name: 'out', type: 'file', config: { root: tmpdir() } },
    })
    const task = await client.call(createTask, { body: { yaml_content: taskYaml('copy') } })
    for (let at = 0; at < runs; at++) {
      const body = { connector_mapping: { out } }
      const { id } = await client.call(triggerRun, { params: { taskId: task.id }, body })
      await client.call(cancelRun, { params: { id } })
    }
    running.server.kill('SIGKILL')
    await running.server.exited
    expect(receiver.received).toEqual([])

    away = false
    running = await start()
    const told = () => new Set(receiver.received.map(({ body }) => (body['run'] as { runId: string }).runId))
    await expect.poll(() => told().size, { timeout: 180_000 }).toBe(runs)
    expect(new Set(receiver.received.map(({ body }) => body['eventType']))).toEqual(new Set(['ABORT']))
  } finally {
    running.server.kill('SIGKILL')
    await running.server.exited
    rmSync(dataDir, { recursive: true, force: true })
  }
}, 300_000)
