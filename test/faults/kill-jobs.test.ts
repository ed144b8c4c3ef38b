// kill -9 of the server, of the executor or of both at random moments, under a load of jobs with fan-outs, retries, gates,
// pauses and a pool. Each task calls a ledger outside of all that. After all the deaths every job run must have come to what
// a model says, and each unit of work to exactly one run. HEADGATE_JOB_FAULT_ROUNDS sets the number of deaths (50 unless told).
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Paginated } from '../../src/contract/common.ts'
import type { JobRun, JobRunGraph } from '../../src/contract/job-runs.ts'
import type { Run } from '../../src/contract/runs.ts'
import { type CallLedger, startCallLedger } from './support/call-ledger.ts'
import { startExecutorProcess } from './support/executor-process.ts'
import { seed } from './support/fault-seed.ts'
import { type Job, startJobLoad } from './support/job-load.ts'
import { callTask, randomFrom, randomPlan, templateYaml } from './support/job-plans.ts'
import { doneTwice, judge } from './support/job-verdict.ts'
import { type PersistentClient, Whereabouts } from './support/persistent-client.ts'
import { whatHangs } from './support/what-hangs.ts'
import { connect, makeApiKey, startServerProcess } from './support/server-process.ts'

const rounds = Number(process.env.HEADGATE_JOB_FAULT_ROUNDS ?? 50)
/** Short, so that work whose executor died comes again soon. */
const leases = { SVC_EXECUTORS_LEASE_MS: '1500', SVC_EXECUTORS_HEARTBEAT_MS: '300' }
const jobCount = 12

/** Connector, task, pool, and jobs of random templates. */
async function prepare(url: string, ledger: CallLedger): Promise<{ apiKey: string; jobs: Job[] }> {
  const apiKey = await makeApiKey(url)
  const client = connect(url, { authorization: `Bearer ${apiKey}` })
  async function make(method: string, path: string, body: object): Promise<number> {
    const reply = await client.send(method, path, body)
    if (reply.status >= 300) throw new Error(`${path}: ${reply.status} ${JSON.stringify(reply.body)}`)
    return (reply.body as { id: number }).id
  }
  const config = { base_url: ledger.url, allow_private: true }
  const api = await make('POST', '/api/connectors', { name: 'ledger', type: 'http', config })
  await make('POST', '/api/tasks', { yaml_content: callTask })
  await make('PUT', '/api/pools/faults', { slots: 2 })
  const random = randomFrom(seed)
  const jobs: Job[] = []
  for (let n = 0; n < jobCount; n++) {
    const plan = randomPlan(random)
    const yaml_content = templateYaml(`faults.${n}`, plan)
    const template = await make('POST', '/api/job-templates', { yaml_content })
    const body = { name: `faults ${n}`, connector_mapping: { api }, parameters: { seed: 0 } }
    jobs.push({ id: await make('POST', `/api/job-templates/${template}/jobs`, body), plan })
  }
  client.close()
  return { apiKey, jobs }
}

async function pages<T>(client: PersistentClient, path: string): Promise<T[]> {
  const found: T[] = []
  let cursor = ''
  do {
    const { body } = await client.send('GET', `${path}?limit=200${cursor && `&cursor=${cursor}`}`)
    const page = body as Paginated<T>
    found.push(...page.result)
    cursor = page.nextCursor ?? ''
  } while (cursor)
  return found
}

const countOf = async (client: PersistentClient, status: string) =>
  ((await client.send('GET', `/api/job-runs?limit=1&status=${status}`)).body as Paginated<JobRun>).total

test(`${rounds} deaths of server and executor leave every job run where the model says`, async () => {
  const random = randomFrom(seed + 1)
  const dataDir = mkdtempSync(join(tmpdir(), 'headgate-kill-jobs-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const ledger = await startCallLedger()
  onTestFinished(() => ledger.close())
  let server = await startServerProcess(dataDir, leases)
  onTestFinished(() => server.kill())
  const { apiKey, jobs } = await prepare(server.url, ledger)
  // Two of them: the other one works on while one is dead.
  const executors = ['first', 'second'].map((name) => startExecutorProcess(dataDir, name, 2))
  onTestFinished(async () => void (await Promise.all(executors.map((executor) => executor.kill()))))
  const where = new Whereabouts()
  const load = startJobLoad(where, apiKey, jobs, randomFrom(seed + 2))
  where.arrived(server.url)
  /** What nothing becomes of is told with all that is open. */
  async function orTold(wait: Promise<unknown>): Promise<void> {
    try {
      await wait
    } catch (error) {
      const told = `${await whatHangs(load.client)} ${JSON.stringify(load.ledger.broken)}`
      throw new Error(`Seed ${seed}: nothing becomes of this: ${told}`, { cause: error })
    }
  }

  const began = performance.now()
  for (let round = 0; round < rounds; round++) {
    const before = ledger.calls.length
    // Some deaths come while things are still warming up, the others in the middle of the work.
    if (random.chance(0.7))
      await orTold(vi.waitUntil(() => ledger.calls.length > before, { timeout: 120_000, interval: 5 }))
    await delay(random.below(300))
    const dies = random.pick(['server', 'server', 'server', 'executor', 'executor', 'both'])
    if (dies !== 'server') {
      const which = random.below(executors.length)
      await executors[which]!.kill()
      executors[which] = startExecutorProcess(dataDir, executors[which]!.name, 2)
    }
    if (dies !== 'executor') {
      where.left()
      await server.kill()
      server = await startServerProcess(dataDir, leases)
      where.arrived(server.url)
    }
  }
  const spent = performance.now() - began
  await load.stopStarting()
  const { client } = load
  const open = async () =>
    (await countOf(client, 'pending')) + (await countOf(client, 'running')) + (await countOf(client, 'paused'))
  await orTold(expect.poll(open, { timeout: 240_000, interval: 100 }).toBe(0))
  await load.stop()

  const { started, broken, seen } = load.ledger
  const runs = await pages<JobRun>(client, '/api/job-runs')
  expect(runs.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual([...started.keys()].toSorted((a, b) => a - b))
  for (const { id } of runs) {
    const graph = (await client.send('GET', `/api/job-runs/${id}/graph`)).body as JobRunGraph
    broken.push(...judge(graph, started.get(id)!, ledger.calls, await pages<Run>(client, `/api/job-runs/${id}/runs`)))
  }
  client.close()
  expect(broken, `seed ${seed}`).toEqual([])
  expect(runs.length).toBeGreaterThan(rounds / 8)
  const twice = doneTwice(ledger.calls)
  expect(twice.length).toBeLessThanOrEqual(rounds / 10)
  console.log(
    `${runs.length} job runs, ${ledger.calls.length} calls, ${twice.length} attempts done twice, ${JSON.stringify(seen)} over ${rounds} deaths in ${Math.round(spent / 1000)} s; seed ${seed}`,
  )
}, 3_600_000)
