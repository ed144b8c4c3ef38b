// kill -9 of the server at random moments under load. A ledger outside of it holds every answer that said yes; after all
// the deaths the store must hold exactly that. HEADGATE_FAULT_ROUNDS sets the number of deaths (20 unless told).
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Paginated } from '../../src/contract/common.ts'
import type { Metric } from '../../src/contract/metrics.ts'
import type { LogPage, Run } from '../../src/contract/runs.ts'
import { endedRuns, expectRollupsOf } from '../server/metrics/naive-rollups.ts'
import { taskYaml } from '../server/runs/control-plane.ts'
import { seed } from './support/fault-seed.ts'
import { randomFrom } from './support/job-plans.ts'
import { amountOf, startLoad } from './support/ledger-load.ts'
import { Whereabouts } from './support/persistent-client.ts'
import { type Client, type ServerProcess, connect, makeApiKey, startServerProcess } from './support/server-process.ts'

const rounds = Number(process.env.HEADGATE_FAULT_ROUNDS ?? 20)
/** Short, so that claims whose answer died with the server come again soon. */
const leases = { SVC_EXECUTORS_LEASE_MS: '1500', SVC_EXECUTORS_HEARTBEAT_MS: '100' }

async function prepare(server: ServerProcess) {
  const apiKey = await makeApiKey(server.url)
  const client = connect(server.url, { authorization: `Bearer ${apiKey}` })
  const connector = await client.send('POST', '/api/connectors', {
    name: 'f',
    type: 'file',
    config: { root: tmpdir() },
  })
  const yaml_content = taskYaml('demo.kill', 'retries: {max: 50, delay: 0s}\n')
  const task = await client.send('POST', '/api/tasks', { yaml_content })
  // Both answered with their record.
  const { id: task_id } = task.body as { id: number }
  const source = { kind: 'output', task_id, field: 'amount' }
  const amounts = ['sum', 'min', 'max'].map((aggregate) => ({ name: `amount_${aggregate}`, aggregate, source }))
  const fresh = { kind: 'freshness', freshness_of: { task_id }, deadline_minutes: 60 }
  const custom = [...amounts, { name: 'age', source: fresh }]
  const saved = await client.send('PUT', '/api/metrics/config', { custom })
  expect(saved.status).toBe(200)
  client.close()
  // Both answered 201 with their record.
  return { apiKey, taskId: (task.body as { id: number }).id, mapping: { out: (connector.body as { id: number }).id } }
}

async function allRuns(client: Client): Promise<Run[]> {
  const runs: Run[] = []
  let cursor = ''
  do {
    const { body } = await client.send('GET', `/api/runs?limit=200${cursor && `&cursor=${cursor}`}`)
    const page = body as Paginated<Run>
    runs.push(...page.result)
    cursor = page.nextCursor ?? ''
  } while (cursor)
  return runs
}

const total = async (client: Client, query: string) =>
  ((await client.send('GET', `/api/runs?limit=1&${query}`)).body as Paginated<Run>).total

test(`${rounds} deaths under load lose nothing that was acknowledged and double nothing`, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'headgate-kill-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  let server = await startServerProcess(dataDir, leases)
  onTestFinished(() => server.kill())
  const where = new Whereabouts()
  const task = await prepare(server)
  const load = startLoad(where, task)
  const ready: number[] = []
  const random = randomFrom(seed)
  for (let round = 0; round < rounds; round++) {
    where.arrived(server.url)
    // Every third death comes while the server is still warming up, the others in the middle of the work.
    const before = load.ledger.completions.size
    if (round % 3 > 0) await vi.waitUntil(() => load.ledger.completions.size > before + 20, { timeout: 60_000 })
    await delay(random.below(250))
    where.left()
    await server.kill()
    server = await startServerProcess(dataDir, leases)
    ready.push(server.readyMs)
  }
  where.arrived(server.url)
  await load.stopTriggering()

  const client = connect(server.url, { authorization: `Bearer ${task.apiKey}` })
  onTestFinished(() => client.close())
  await expect
    .poll(async () => (await total(client, 'status=pending')) + (await total(client, 'status=running')), {
      timeout: 60_000,
    })
    .toBe(0)
  await load.stop()
  const { triggers, completions } = load.ledger
  const runs = await allRuns(client)

  // Every acknowledged start is there once, and nothing else is.
  expect(runs.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual([...triggers.values()].toSorted((a, b) => a - b))
  // Every run ended once, as the executor was told it had.
  expect(runs.filter(({ status }) => status !== 'success')).toEqual([])
  expect([...completions.keys()].toSorted((a, b) => a - b)).toEqual(runs.map(({ id }) => id).toSorted((a, b) => a - b))
  expect(runs.filter(({ id, attempt }) => completions.get(id)?.join() !== String(attempt))).toEqual([])
  expect(await total(client, 'status=success')).toBe(runs.length)
  expect(await total(client, `task_id=${task.taskId}`)).toBe(runs.length)

  // Lines: numbered without gaps, none twice, and those of the attempt that counts complete and in order.
  for (const { id, attempt } of runs) {
    const { lines } = (await client.send('GET', `/api/runs/${id}/logs`)).body as LogPage
    expect(lines.map(({ line }) => line)).toEqual(lines.map((_, i) => i + 1))
    expect(new Set(lines.map(({ message }) => message)).size).toBe(lines.length)
    const last = lines.filter((line) => line.attempt === attempt).map(({ message }) => message)
    expect(last).toEqual([1, 2, 3, 4, 5].map((n) => `${id}/${attempt}/${n}`))
  }
  expect(runs.length).toBeGreaterThan(rounds)

  // What was counted in the transactions of the ends is what can be counted now.
  const sqlite = new Database(join(dataDir, 'headgate.db'), { readonly: true })
  onTestFinished(() => void sqlite.close())
  expectRollupsOf(sqlite, endedRuns(sqlite))
  // So are custom metrics: the amount of each run once.
  const values = runs.map(({ id }) => amountOf(id))
  const kept = sqlite.prepare<[string], { n: number; sum: number; min: number; max: number }>(
    `SELECT total(n) AS n, total(sum) AS sum, min(r.min) AS min, max(r.max) AS max
     FROM custom_metric_rollups AS r JOIN custom_metrics ON id = metric_id WHERE grain = 2 AND name = ?`,
  )
  for (const aggregate of ['sum', 'min', 'max']) {
    expect(kept.get(`amount_${aggregate}`)).toEqual({
      n: runs.length,
      sum: values.reduce((total, value) => total + value, 0),
      min: Math.min(...values),
      max: Math.max(...values),
    })
  }
  const last = runs.reduce((newest, run) => (run.completed_at! > newest.completed_at! ? run : newest))
  const { body: listed } = await client.send('GET', '/api/metrics')
  expect((listed as Metric[]).find(({ name }) => name === 'age')?.custom).toMatchObject({
    state: 'ok',
    value_at: last.completed_at,
  })
  const slowest = Math.round(Math.max(...ready))
  console.log(
    `${runs.length} runs over ${rounds} deaths, ${load.ledger.refused} stale attempts refused, ready again in ≤ ${slowest} ms`,
  )
}, 1_800_000)
