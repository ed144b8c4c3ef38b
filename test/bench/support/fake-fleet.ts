// A server process with one task, and an executor that does nothing but answer: what is measured is the server.
import { executorProtocolVersion } from '../../../src/contract/executor-lifecycle.ts'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RunPlan } from '../../../src/contract/executor-protocol.ts'
import {
  type Client,
  type ServerProcess,
  asExecutor,
  connect,
  makeApiKey,
  startServerProcess,
} from '../../faults/support/server-process.ts'

const yaml = `etl: 1
kind: pipeline
name: bench.noop
connectors:
  out: {type: file, access: write}
source:
  inline:
    rows: [{a: 1}]
target:
  connector: out
  file: {path: out.csv}
`

export interface Fleet {
  server: ServerProcess
  user: Client
  executor: Client
  executorId: number
  /** Connector of the task's slot `out`. */
  out: number
  credential: Record<string, string>
  trigger(): Promise<number>
  claim(slots: number, waitMs: number): Promise<RunPlan[]>
  /** The whole of a no-op run in one callback: log lines, steps, outcome. */
  complete(plan: RunPlan): Promise<void>
  /** Processor time of the server so far, in ms. */
  cpuMs(): number
  close(): Promise<void>
}

export async function startFleet(): Promise<Fleet> {
  const dataDir = mkdtempSync(join(tmpdir(), 'headgate-bench-'))
  const server = await startServerProcess(dataDir)
  const user = connect(server.url, { authorization: `Bearer ${await makeApiKey(server.url)}` })
  const executor = asExecutor(server.url)
  const made = async (path: string, body: unknown) => ((await user.send('POST', path, body)).body as { id: number }).id
  const out = await made('/api/connectors', { name: 'folder', type: 'file', config: { root: tmpdir() } })
  const taskId = await made('/api/tasks', { yaml_content: yaml })
  const registered = await executor.send('POST', '/api/executors/register', {
    name: 'bench',
    version: '1',
    protocol: executorProtocolVersion,
    capabilities: [],
    slots: 64,
    instance: 'bench',
  })
  const { id: executorId, credential } = registered.body as { id: number; credential: string }
  const headers = { 'x-executor-credential': credential }
  return {
    server,
    user,
    executor,
    executorId,
    out,
    credential: headers,
    trigger: () => made(`/api/runs/trigger/${taskId}`, { connector_mapping: { out } }),
    async claim(slots, waitMs) {
      const body = { slots, call_slots: 0, wait_ms: waitMs }
      const reply = await executor.send('POST', `/api/executors/${executorId}/claim`, body, headers)
      return (reply.body as { runs: RunPlan[] }).runs
    },
    async complete({ run_id, attempt, lease_token }) {
      const at = new Date().toISOString()
      const line = (message: string) => ({ at, level: 'info', step: null, message })
      const reply = await executor.send('POST', `/api/executor/runs/${run_id}/complete`, {
        attempt,
        lease_token,
        status: 'success',
        started_at: at,
        completed_at: at,
        duration_ms: 1,
        item_count: 1,
        reject_count: 0,
        steps: [step(0, 'source'), step(1, 'target')],
        metrics: { rows_in: 1, rows_out: 1, rejected: 0, lane: 'columnar' },
        logs: { seq: 1, lines: [line('Lane: columnar'), line('Read 1 row'), line('Wrote 1 row')] },
      })
      if (reply.status !== 200) throw new Error(`complete: ${reply.status} ${JSON.stringify(reply.body)}`)
    },
    cpuMs() {
      // utime and stime, in ticks of 10 ms, behind the name in brackets.
      const fields = readFileSync(`/proc/${server.pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')
      return (Number(fields[11]) + Number(fields[12])) * 10
    },
    async close() {
      user.close()
      executor.close()
      await server.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

const step = (index: number, key: string) => ({
  index,
  key,
  label: key,
  status: 'success',
  rows_in: 1,
  rows_out: 1,
  rows_rejected: 0,
  bytes: null,
  started_at: null,
  duration_ms: 0.4,
  columns: [{ name: 'a', type: 'BIGINT' }],
})

/** The value below which `share` of the values lie. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN
}

export const round = (value: number, digits = 1) => Number(value.toFixed(digits))
