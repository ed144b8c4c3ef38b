// Work for a server that is killed again and again, and a ledger outside of it that remembers every "yes" it gave.
import { executorProtocolVersion } from '../../../src/contract/executor-lifecycle.ts'
import { randomUUID } from 'node:crypto'
import type { RunPlan } from '../../../src/contract/executor-protocol.ts'
import { type Whereabouts, persistentClient } from './persistent-client.ts'
import { executorKey } from './server-process.ts'

export interface Ledger {
  /** Idempotency key → run, once it was acknowledged. */
  triggers: Map<string, number>
  /** Accepted ends: run → attempts. More than one would be a run that ended twice. */
  completions: Map<number, number[]>
  refused: number
}

interface Task {
  taskId: number
  mapping: Record<string, number>
  apiKey: string
}

/** What a run puts out. */
export const amountOf = (run: number): number => (run * 7_919) % 1_000

export function startLoad(where: Whereabouts, { taskId, mapping, apiKey }: Task) {
  const ledger: Ledger = { triggers: new Map(), completions: new Map(), refused: 0 }
  const running = new Map<number, number>()
  const state = { triggering: true, working: true }
  let credential = ''
  let executorId = 0

  const user = persistentClient(where, apiKey)
  const executor = persistentClient(where, executorKey)

  async function trigger(): Promise<void> {
    while (state.triggering) {
      const key = randomUUID()
      const body = { connector_mapping: mapping }
      const reply = await user.send('POST', `/api/runs/trigger/${taskId}`, body, { 'idempotency-key': key })
      if (reply.status !== 201) throw new Error(`trigger: ${reply.status} ${JSON.stringify(reply.body)}`)
      ledger.triggers.set(key, (reply.body as { id: number }).id)
    }
  }

  async function register(): Promise<void> {
    const body = {
      name: 'ledger',
      version: '1',
      protocol: executorProtocolVersion,
      capabilities: [],
      slots: 16,
      instance: 'ledger',
    }
    const reply = await executor.send('POST', '/api/executors/register', body)
    const answer = reply.body as { id: number; credential: string }
    executorId = answer.id
    credential = answer.credential
  }

  const mine = () => ({ 'x-executor-credential': credential })

  async function work(plan: RunPlan): Promise<void> {
    const { run_id, attempt, lease_token } = plan
    running.set(run_id, attempt)
    const say = (what: string, body: object) =>
      executor.send('POST', `/api/executor/runs/${run_id}/${what}`, { attempt, lease_token, ...body })
    const at = new Date().toISOString()
    const lines = (...numbers: number[]) =>
      numbers.map((n) => ({ at, level: 'info', step: null, message: `${run_id}/${attempt}/${n}` }))
    try {
      for (const seq of [1, 2]) {
        const reply = await say('logs', { seq, lines: lines(seq * 2 - 1, seq * 2) })
        if (reply.status !== 200) return void ledger.refused++
      }
      const end = {
        status: 'success',
        started_at: at,
        completed_at: at,
        duration_ms: 1,
        item_count: 1,
        reject_count: 0,
        outputs: { amount: amountOf(run_id) },
      }
      const reply = await say('complete', { ...end, steps: [], logs: { seq: 3, lines: lines(5) } })
      if (reply.status !== 200) return void ledger.refused++
      ledger.completions.set(run_id, [...(ledger.completions.get(run_id) ?? []), attempt])
    } finally {
      if (running.get(run_id) === attempt) running.delete(run_id)
    }
  }

  async function claim(): Promise<void> {
    const under: Promise<void>[] = []
    while (state.working) {
      const reply = await executor.send(
        'POST',
        `/api/executors/${executorId}/claim`,
        { slots: 16, call_slots: 0, wait_ms: 200 },
        mine(),
      )
      if (reply.status === 409) await register()
      else for (const plan of (reply.body as { runs: RunPlan[] }).runs) under.push(work(plan))
    }
    await Promise.all(under)
  }

  async function heartbeat(): Promise<void> {
    while (state.working) {
      const listed = [...running].map(([run_id, attempt]) => ({ run_id, attempt }))
      const reply = await executor.send('POST', `/api/executors/${executorId}/heartbeat`, { running: listed }, mine())
      if (reply.status === 409) await register()
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  const triggers = Promise.all(Array.from({ length: 6 }, trigger))
  const executing = register().then(() => Promise.all([claim(), heartbeat()]))
  return {
    ledger,
    async stopTriggering() {
      state.triggering = false
      await triggers
    },
    async stop() {
      state.working = false
      await executing
      user.close()
      executor.close()
    },
  }
}
