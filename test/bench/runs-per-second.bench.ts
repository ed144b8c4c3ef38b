// No-op runs a second through the server alone: started over REST, claimed, and completed with log and steps by an executor
// that does nothing. The load generator shares the machine.
import type { RunPlan } from '../../src/contract/executor-protocol.ts'
import type { BenchResult } from './result.ts'
import { round, startFleet } from './support/fake-fleet.ts'

const seconds = 8
const warmUp = 2
const triggering = 48
const slots = 64

export async function run(): Promise<BenchResult[]> {
  const fleet = await startFleet()
  const state = { going: true, done: 0, free: slots }
  const starting = Array.from({ length: triggering }, async () => {
    while (state.going) await fleet.trigger()
  })
  const completing = new Map<number, Promise<void>>()
  async function completeOne(plan: RunPlan): Promise<void> {
    await fleet.complete(plan)
    state.done++
    state.free++
    completing.delete(plan.run_id)
  }
  const claiming = (async () => {
    while (state.going) {
      const plans = await fleet.claim(state.free, 1000)
      state.free -= plans.length
      for (const plan of plans) {
        completing.set(plan.run_id, completeOne(plan))
      }
      if (state.free === 0) await Promise.race(completing.values())
    }
  })()
  const wait = (s: number) => new Promise((resolve) => setTimeout(resolve, s * 1000))
  await wait(warmUp)
  const [doneBefore, cpuBefore, began] = [state.done, fleet.cpuMs(), performance.now()]
  await wait(seconds)
  const runs = state.done - doneBefore
  const elapsed = (performance.now() - began) / 1000
  const cpu = fleet.cpuMs() - cpuBefore
  const rss = fleet.server.rssMb()
  state.going = false
  await Promise.all([...starting, claiming])
  await Promise.all(completing.values())
  await fleet.close()
  return [
    {
      name: 'no-op runs through the server',
      value: Math.round(runs / elapsed),
      unit: 'runs/s',
      bar: '≥ 500/s, aim 2,000/s',
      passed: runs / elapsed >= 500,
      note: `every run durable with log and steps; load generator on the same machine; server ${Math.round(rss)} MB`,
    },
    {
      name: 'processor time of the server per no-op run',
      value: round(cpu / Math.max(runs, 1), 2),
      unit: 'ms',
      note: `${Math.round(cpu / elapsed / 10)} % of one core used`,
    },
  ]
}
