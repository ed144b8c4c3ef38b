// People who start job runs, open and refuse gates, pause, resume and cancel, while the server dies under them; and what
// they were told.
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Paginated } from '../../../src/contract/common.ts'
import type { JobRun, NodeStatus } from '../../../src/contract/job-runs.ts'
import { type PlanNode, type Random, fateOf } from './job-plans.ts'
import { type PersistentClient, type Whereabouts, persistentClient } from './persistent-client.ts'

export interface Job {
  id: number
  plan: PlanNode[]
}
/** What somebody was told about a job run that he started. */
export interface Started {
  id: number
  job: Job
  seed: number
  /** `sure`: the yes was heard; `maybe`: the server died over it and the second time it was refused. */
  cancelled: 'no' | 'maybe' | 'sure'
  pauses: number
}
export interface JobLedger {
  started: Map<number, Started>
  /** Things seen that may never be. */
  broken: string[]
  seen: { pauses: number; gates: number; cancels: number; looks: number }
}

const openStatuses: ReadonlySet<string> = new Set(['pending', 'running', 'paused'])
const endStatuses: ReadonlySet<string> = new Set(['success', 'completed', 'failed', 'cancelled', 'skipped'])
/** Job runs that are open at a time. */
const enough = 10

export function startJobLoad(where: Whereabouts, apiKey: string, jobs: readonly Job[], random: Random) {
  const client = persistentClient(where, apiKey)
  const ledger: JobLedger = { started: new Map(), broken: [], seen: { pauses: 0, gates: 0, cancels: 0, looks: 0 } }
  const state = { starting: true, operating: true, open: Infinity }
  const known = new Map<string, NodeStatus>()

  async function start(): Promise<void> {
    const job = random.pick(jobs)
    const seed = random.below(1_000_000)
    const headers = { 'idempotency-key': randomUUID() }
    const reply = await client.send('POST', `/api/jobs/${job.id}/run`, { arguments: { seed } }, headers)
    if (reply.status !== 201) return void ledger.broken.push(`start: ${reply.status} ${JSON.stringify(reply.body)}`)
    const { id } = reply.body as JobRun // as the contract has it
    ledger.started.set(id, { id, job, seed, cancelled: 'no', pauses: 0 })
  }

  async function starter(): Promise<void> {
    while (state.starting) {
      if (state.open < enough) await start()
      // What is open is counted by `look`; this is made up for there.
      state.open++
      await delay(20)
    }
  }

  /** What has ended was acknowledged by that: it never changes any more. */
  function compare(run: JobRun): void {
    const states = JSON.parse(run.run_state ?? '{}') as Record<string, NodeStatus>
    for (const [key, status] of [...Object.entries(states), ['', run.status] as const]) {
      const name = `${run.id}/${key}`
      const before = known.get(name)
      if (before && before !== status) ledger.broken.push(`${name} was ${before} and is ${status}`)
      if (key === '' ? !openStatuses.has(status) : endStatuses.has(status)) known.set(name, status)
    }
  }

  async function decideGates(run: JobRun, { seed }: Started, share = 0.5): Promise<void> {
    const states = JSON.parse(run.run_state ?? '{}') as Record<string, NodeStatus>
    for (const [key, status] of Object.entries(states)) {
      if (status !== 'paused' || !random.chance(share)) continue
      const open = fateOf(seed, key, 0) !== 'never'
      const reply = await client.send('POST', `/api/job-runs/${run.id}/gates/${key}`, { open })
      if (reply.status === 200) ledger.seen.gates++
      else if (reply.status !== 400) ledger.broken.push(`gate: ${reply.status} ${JSON.stringify(reply.body)}`)
    }
  }

  async function pause(started: Started): Promise<void> {
    const reply = await client.send('POST', `/api/job-runs/${started.id}/pause`, { stop_running: random.chance(0.3) })
    // The server may have paused it and died before it said so; the second time it refuses.
    if (reply.status === 200 || reply.again) started.pauses++
    if (reply.status !== 200) return
    ledger.seen.pauses++
    await delay(random.below(300))
    const { body } = await client.send('GET', `/api/job-runs/${started.id}`)
    const { status, pause_reason } = body as JobRun
    if (status !== 'paused' || pause_reason !== 'asked') {
      ledger.broken.push(`${started.id} was paused and is ${status} (${pause_reason})`)
    }
    await unpause(started)
  }

  async function unpause(started: Started): Promise<void> {
    const { id } = started
    // Resuming opens the gates that wait, those as well that the model wants refused.
    const { body } = await client.send('GET', `/api/job-runs/${id}`)
    await decideGates(body as JobRun, started, 1)
    const reply = await client.send('POST', `/api/job-runs/${id}/resume`)
    if (reply.status !== 200 && !reply.again) {
      ledger.broken.push(`resume ${id}: ${reply.status} ${JSON.stringify(reply.body)}`)
    }
  }

  async function cancel(started: Started): Promise<void> {
    const reply = await client.send('POST', `/api/job-runs/${started.id}/cancel`)
    if (reply.status === 200) started.cancelled = 'sure'
    else if (reply.again) started.cancelled = 'maybe'
    ledger.seen.cancels++
  }

  async function look(): Promise<void> {
    const runs = await listed(client, 'limit=60')
    ledger.seen.looks++
    for (const run of runs) compare(run)
    // One that waited for long is not among the newest any more, and yet needs somebody who opens its gates. One after the
    // other, so that what is seen later is newer.
    const open = new Map<number, JobRun>()
    for (const status of openStatuses) {
      for (const run of await listed(client, `limit=200&status=${status}`)) {
        compare(run)
        open.set(run.id, run)
      }
    }
    state.open = open.size
    for (const run of open.values()) {
      const started = ledger.started.get(run.id)
      // Its number may still be on the way to whoever started it.
      if (!started) continue
      await decideGates(run, started)
      if (run.status === 'running' && started.cancelled === 'no') {
        if (random.chance(0.01)) await pause(started)
        else if (random.chance(0.005)) await cancel(started)
      } else if (run.status === 'paused' && run.pause_reason === 'asked') {
        // A pause whose answer got lost.
        await unpause(started)
      }
    }
  }

  async function operator(): Promise<void> {
    while (state.operating) {
      await look()
      await delay(60)
    }
  }

  const starting = starter()
  const operating = operator()
  return {
    ledger,
    client,
    async stopStarting() {
      state.starting = false
      await starting
    },
    async stop() {
      state.operating = false
      await operating
    },
  }
}

/** Newest first. */
async function listed(client: PersistentClient, query: string): Promise<JobRun[]> {
  const { body } = await client.send('GET', `/api/job-runs?${query}`)
  return (body as Paginated<JobRun>).result
}
