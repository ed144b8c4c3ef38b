import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createConnector } from '../../../src/contract/connectors.ts'
import { listExecutors } from '../../../src/contract/executors.ts'
import { getRun, triggerRun, type Run } from '../../../src/contract/runs.ts'
import { createTask } from '../../../src/contract/tasks.ts'
import { forkNode, type ChildHandle } from '../../../src/process/child.ts'
import { entryOf } from '../../support/entries.ts'
import { startTestServer, testExecutorKey, type TestClient, type TestServer } from '../../support/server.ts'

/** An executor with its workers and the engine, against the server itself: nothing is stood in for. */
export interface RealWorld {
  server: TestServer
  /** An admin. */
  client: TestClient
  /** The folder of the connector `files`. */
  folder: string
  connector: number
  /** The one that was started last. */
  executor(): ChildHandle
  startExecutor(): void
  /** The executor's status, as the server has it. */
  online(): Promise<string | undefined>
  /** Saves a task and starts it; the run. */
  trigger(yaml: string, mapping?: Record<string, number>): Promise<number>
  runOf(id: number): Promise<Run>
  statusOf(id: number): Promise<string>
  close(): Promise<void>
}

interface RealWorldOptions {
  /** A folder to use, which is then kept. */
  dataDir?: string
  leases?: { executorMs: number; heartbeatMs: number }
  /** Runs at a time, and workers that are kept ready for them. */
  slots?: number
}

export async function startRealWorld(
  env: Record<string, string> = {},
  // Short enough to be waited for, and longer than an executor is kept from its heartbeat by whatever else the machine does.
  { dataDir, leases = { executorMs: 10_000, heartbeatMs: 500 }, slots = 2 }: RealWorldOptions = {},
): Promise<RealWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-real-'))
  const server = await startTestServer({
    config: { leases },
    ...(dataDir && { dataDir }),
  })
  const client = server.as('admin')
  const { id: connector } = await client.call(createConnector, {
    body: { name: 'files', type: 'file', config: { root: folder } },
  })
  const start = (): ChildHandle =>
    forkNode(entryOf('executor'), {
      name: 'executor',
      args: ['--url', server.url, '--name', 'real', '--slots', String(slots), '--grace', '1'],
      env: { SVC_EXECUTOR_KEY: testExecutorKey, ...env },
      output: 'ignore',
    })
  let executor = start()
  const runOf = (id: number): Promise<Run> => client.call(getRun, { params: { id } })
  return {
    server,
    client,
    folder,
    connector,
    executor: () => executor,
    startExecutor: () => void (executor = start()),
    online: async () => (await client.call(listExecutors)).find(({ name }) => name === 'real')?.status,
    async trigger(yaml, mapping = {}) {
      const { id: taskId } = await client.call(createTask, { body: { yaml_content: yaml } })
      return (await client.call(triggerRun, { params: { taskId }, body: { connector_mapping: mapping } })).id
    },
    runOf,
    statusOf: async (id) => (await runOf(id)).status,
    async close() {
      executor.kill('SIGKILL')
      await server.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
