// What the commit permit adds to a run: the time from an executor's question over HTTP to the answer, which is on disk then.
// Runs follow one another; every second one asks, so that both kinds meet the same machine.
import type { RunPlan } from '../../src/contract/executor-protocol.ts'
import type { BenchResult } from './result.ts'
import { type Fleet, round, startFleet } from './support/fake-fleet.ts'

const pairs = 300
const warmUp = 30

export async function run(): Promise<BenchResult[]> {
  const fleet = await startFleet()
  const asked: number[] = []
  const [withPermit, without]: [number[], number[]] = [[], []]
  for (let pair = 0; pair < warmUp + pairs; pair++) {
    for (const asks of [true, false]) {
      const plan = await claimed(fleet)
      const began = performance.now()
      if (asks) await ask(fleet, plan)
      const permitted = performance.now()
      await fleet.complete(plan)
      if (pair < warmUp) continue
      if (asks) asked.push(permitted - began)
      ;(asks ? withPermit : without).push(performance.now() - began)
    }
  }
  await fleet.close()
  const added = median(withPermit) - median(without)
  return [
    {
      name: 'what a commit permit adds to a run',
      value: round(added, 2),
      unit: 'ms',
      bar: '≤ 1 ms',
      passed: added <= 1,
      note: `medians of ${pairs} runs each; the question alone ${round(median(asked), 2)} ms. Tasks without a target do not ask`,
    },
  ]
}

async function claimed(fleet: Fleet): Promise<RunPlan> {
  await fleet.trigger()
  const [plan] = await fleet.claim(1, 1_000)
  if (!plan) throw new Error('The run was not handed out')
  return plan
}

async function ask({ executor }: Fleet, { run_id, attempt, lease_token }: RunPlan): Promise<void> {
  const started_at = new Date().toISOString()
  const body = { attempt, lease_token, state: 'committing', repeatable: true, started_at }
  const reply = await executor.send('POST', `/api/executor/runs/${run_id}/state`, body)
  if (reply.status !== 200) throw new Error(`committing: ${reply.status} ${JSON.stringify(reply.body)}`)
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
