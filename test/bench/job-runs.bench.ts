// What the engine of job runs costs: a chain in which every task waits for the one before, a wide fan-out, and claims while
// 10,000 runs wait. The executor does nothing but answer; it shares the machine.
import type { RunPlan } from '../../src/contract/executor-protocol.ts'
import type { BenchResult } from './result.ts'
import { type Fleet, percentile, round, startFleet } from './support/fake-fleet.ts'

const chainLength = 40
const items = 1_000
const waiting = 10_000
const claims = 1_000

const chain = () => {
  const node = (n: number) =>
    `  t${n}: {task: bench.noop${n > 0 ? `, depends_on: [t${n - 1}]` : ''}, connectors: {out: out}}\n`
  return `etl: 1\nkind: job\nname: bench.chain\nconnectors: {out: {type: file, access: write}}\ntasks:\n${Array.from({ length: chainLength }, (_, n) => node(n)).join('')}`
}
const fanOut = `etl: 1
kind: job
name: bench.fan_out
parameters: {items: {type: list, items: integer, required: true}}
connectors: {out: {type: file, access: write}}
concurrency: {tasks: 64}
tasks:
  all: {task: bench.noop, for_each: {in: "\${{ parameters.items }}", as: item, max_parallel: 64}, connectors: {out: out}}
`

/** Makes a job of the template, runs it with an executor of so many slots, and gives how long that took, in ms. */
async function timeOf(fleet: Fleet, yaml: string, slots: number, parameters: Record<string, unknown>): Promise<number> {
  const made = async (path: string, body: unknown) => {
    const reply = await fleet.user.send('POST', path, body)
    if (reply.status !== 201) throw new Error(`${path}: ${reply.status} ${JSON.stringify(reply.body)}`)
    return (reply.body as { id: number }).id
  }
  const template = await made('/api/job-templates', { yaml_content: yaml })
  const name = `bench ${template}`
  const job = await made(`/api/job-templates/${template}/jobs`, {
    name,
    connector_mapping: { out: fleet.out },
    parameters,
  })
  const began = performance.now()
  const id = await made(`/api/jobs/${job}/run`, {})
  const wanted = parameters['items'] ? items : chainLength
  const state = { given: 0, done: 0, free: slots }
  const completing = new Set<Promise<void>>()
  const completeOne = async (plan: RunPlan) => {
    await fleet.complete(plan)
    state.done++
    state.free++
  }
  while (state.done < wanted) {
    // Once all are given out a claim would wait in vain, and its wait would be counted.
    const wants = state.free > 0 && state.given < wanted
    const plans = wants ? await fleet.claim(state.free, 1_000) : []
    state.free -= plans.length
    state.given += plans.length
    for (const plan of plans) {
      const completion = completeOne(plan)
      completing.add(completion)
      void completion.finally(() => completing.delete(completion))
    }
    if (state.free === 0 || state.given === wanted) await Promise.race(completing)
  }
  const took = performance.now() - began
  const { status } = (await fleet.user.send('GET', `/api/job-runs/${id}`)).body as { status: string }
  if (status !== 'completed') throw new Error(`Job run ${id} is ${status}`)
  return took
}

async function claimTimes(fleet: Fleet): Promise<number[]> {
  const starters = Array.from({ length: 32 }, async (_, n) => {
    for (let i = n; i < waiting; i += 32) await fleet.trigger()
  })
  await Promise.all(starters)
  const times: number[] = []
  for (let n = 0; n < claims; n++) {
    const began = performance.now()
    const [plan] = await fleet.claim(1, 5_000)
    times.push(performance.now() - began)
    if (!plan) throw new Error('Nothing to claim, with runs waiting')
    await fleet.complete(plan)
  }
  return times
}

export async function run(): Promise<BenchResult[]> {
  const fleet = await startFleet()
  try {
    await timeOf(fleet, chain().replace('bench.chain', 'bench.warm_up'), 4, {})
    const chained = await timeOf(fleet, chain(), 4, {})
    const fanned = await timeOf(fleet, fanOut, 64, { items: Array.from({ length: items }, (_, n) => n) })
    const times = await claimTimes(fleet)
    return [
      {
        name: `${chainLength} tasks in a chain`,
        value: round(chained, 0),
        unit: 'ms',
        note: `${round(chained / chainLength, 2)} ms from one task to the next, with the executor’s two calls`,
      },
      {
        name: `fan-out over ${items} items`,
        value: round(fanned, 0),
        unit: 'ms',
        note: `${round((items / fanned) * 1000, 0)} items/s, 64 at once`,
      },
      {
        name: `claim with ${waiting} runs waiting, p50`,
        value: round(percentile(times, 0.5)),
        unit: 'ms',
      },
      { name: `claim with ${waiting} runs waiting, p99`, value: round(percentile(times, 0.99)), unit: 'ms' },
    ]
  } finally {
    await fleet.close()
  }
}
