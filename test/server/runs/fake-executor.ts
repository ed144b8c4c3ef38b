import { executorProtocolVersion } from '../../../src/contract/executor-lifecycle.ts'
import type { LogEntry, RunPlan } from '../../../src/contract/executor-protocol.ts'
import { type ChunkHead, chunkType, type ResultPlan } from '../../../src/contract/executor-results.ts'
import type { Answer, TestClient, TestServer } from '../../support/server.ts'

/** What a claim gives; only what the tests look at. */
export interface Claimed {
  runs: RunPlan[]
  ahead: number
  calls: { call_id: string; timeout_ms: number; work: { kind: string } }[]
  results: ResultPlan[]
  cancel: { run_id: number; attempt: number; reason: string }[]
  cancel_calls: string[]
}

interface Registered {
  id: number
  credential: string
  lease_ms: number
  heartbeat_ms: number
}

export interface FakeExecutor {
  id: number
  credential: string
  client: TestClient
  claim(options?: {
    slots?: number
    ahead?: number
    call_slots?: number
    result_slots?: number
    wait_ms?: number
  }): Promise<Claimed>
  /** Runs claimed ahead begin, or go back. */
  begin(begin: RunPlan[], back?: RunPlan[]): Promise<Answer>
  /** Delivers a chunk of rows, or of these bytes. */
  chunk(resultId: string, head: ChunkHead, rows?: unknown[][] | string): Promise<Answer>
  attend(resultId: string, seen: number): Promise<Answer>
  heartbeat(running: { run_id: number; attempt: number }[], draining?: boolean): Promise<Answer>
  state(plan: RunPlan, news?: Record<string, unknown>): Promise<Answer>
  logs(plan: RunPlan, seq: number, lines: LogEntry[]): Promise<Answer>
  rejects(
    plan: RunPlan,
    seq: number,
    rejects: { step: string; reason: string; row: object; form?: string }[],
  ): Promise<Answer>
  complete(plan: RunPlan, report?: Record<string, unknown>): Promise<Answer>
}

export const at = '2026-03-01T08:30:00.000Z'
export const line = (message: string, level: LogEntry['level'] = 'info', step: string | null = null): LogEntry => ({
  at,
  level,
  step,
  message,
})

export const registration = (name: string, instance = `${name}-1`) => ({
  name,
  version: '0.1.0',
  protocol: executorProtocolVersion,
  capabilities: ['file', 'sqlite', 'pipeline'],
  labels: {},
  slots: 4,
  instance,
})

/** An executor that does what the test says. */
export async function fakeExecutor(
  server: Pick<TestServer, 'asExecutor'>,
  name = 'fake',
  instance?: string,
): Promise<FakeExecutor> {
  const client = server.asExecutor()
  const answer = await client.post('/api/executors/register', registration(name, instance))
  if (answer.status !== 200) throw new Error(`register: ${JSON.stringify(answer.body)}`)
  const { id, credential } = answer.body as Registered
  return executorClient(client, id, credential)
}

export function executorClient(client: TestClient, id: number, credential: string): FakeExecutor {
  const headers = { 'x-executor-credential': credential }
  const lease = ({ attempt, lease_token }: RunPlan) => ({ attempt, lease_token })
  const callback = (plan: RunPlan, what: string, body: object) =>
    client.post(`/api/executor/runs/${plan.run_id}/${what}`, { ...lease(plan), ...body })
  return {
    id,
    credential,
    client,
    async claim({ slots = 4, ahead = 0, call_slots = 1, result_slots = 0, wait_ms = 0 } = {}) {
      const body = { slots, ahead, call_slots, result_slots, wait_ms }
      const answer = await client.post(`/api/executors/${id}/claim`, body, { headers })
      if (answer.status !== 200) throw new Error(`claim: ${answer.status} ${JSON.stringify(answer.body)}`)
      return answer.body as Claimed
    },
    begin: (begin, back = []) => {
      const keys = (plans: RunPlan[]) => plans.map(({ run_id, attempt }) => ({ run_id, attempt }))
      const give_back = back.map((plan) => ({ run_id: plan.run_id, ...lease(plan) }))
      return client.post(`/api/executors/${id}/begin`, { begin: keys(begin), give_back }, { headers })
    },
    chunk: (resultId, head, rows = []) =>
      client.request('POST', `/api/executor/results/${resultId}/chunks`, {
        headers: { ...headers, 'content-type': chunkType },
        body: `${JSON.stringify(head)}\n${typeof rows === 'string' ? rows : rows.map((row) => `${JSON.stringify(row)}\n`).join('')}`,
      }),
    attend: (resultId, seen) => client.post(`/api/executor/results/${resultId}/attend`, { seen }, { headers }),
    heartbeat: (plans, draining) => {
      const running = plans.map(({ run_id, attempt }) => ({ run_id, attempt }))
      return client.post(`/api/executors/${id}/heartbeat`, { running, ...(draining && { draining }) }, { headers })
    },
    state: (plan, news = { state: 'running' }) =>
      callback(plan, 'state', { started_at: new Date().toISOString(), ...news }),
    logs: (plan, seq, lines) => callback(plan, 'logs', { seq, lines }),
    rejects: (plan, seq, rejects) => callback(plan, 'rejects', { seq, rejects }),
    complete: (plan, report = {}) => callback(plan, 'complete', { ...success(), ...report }),
  }
}

export const success = () => ({
  status: 'success',
  started_at: new Date().toISOString(),
  completed_at: new Date().toISOString(),
  duration_ms: 12,
  item_count: 3,
  reject_count: 0,
  steps: [],
})

export const failure = (retryable: boolean) => ({
  status: 'failed',
  item_count: null,
  error: { code: 'TARGET_FAILED', message: 'The table is locked.', retryable },
})
