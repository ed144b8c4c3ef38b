// From the moment a client sends "start" to the moment the executor holds the plan, warm and one at a time: what the server
// adds to a start. (trigger-latency-e2e measures on to the first line of the task's code.)
import type { BenchResult } from './result.ts'
import { percentile, round, startFleet } from './support/fake-fleet.ts'

const rounds = 1000
const warmUp = 100

export async function run(): Promise<BenchResult[]> {
  const fleet = await startFleet()
  const latencies: number[] = []
  for (let i = 0; i < warmUp + rounds; i++) {
    const claimed = fleet.claim(1, 10_000)
    // The long poll is there before the start is sent; what is measured is the way of the work, not of the poll.
    await new Promise((resolve) => setTimeout(resolve, 2))
    const began = performance.now()
    const triggered = fleet.trigger()
    const [plan] = await claimed
    const took = performance.now() - began
    await triggered
    if (!plan) throw new Error('The claim came back empty')
    await fleet.complete(plan)
    if (i >= warmUp) latencies.push(took)
  }
  await fleet.close()
  return [
    {
      name: 'trigger → claim answered, p50',
      value: round(percentile(latencies, 0.5), 2),
      unit: 'ms',
      note: 'server alone, durable',
    },
    { name: 'trigger → claim answered, p99', value: round(percentile(latencies, 0.99), 2), unit: 'ms' },
  ]
}
