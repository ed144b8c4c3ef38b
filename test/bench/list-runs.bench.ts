// Pages of 50 out of 1,000,000 runs over REST, with every filter and pairs of them, on the first page, in the middle and
// near the end, with `total`. Filters and pages come in a mixed order, so that nothing is warmer than it would be.
import { rmSync } from 'node:fs'
import type { Paginated } from '../../src/contract/common.ts'
import { type Run, runStatuses, triggerTypes } from '../../src/contract/runs.ts'
import { startServerProcess } from '../faults/support/server-process.ts'
import type { BenchResult } from './result.ts'
import { clientOf, makeBigStore } from './support/big-store.ts'
import { percentile, round } from './support/fake-fleet.ts'

const bar = 10
const repeats = 3

function filterSets(): string[] {
  const iso = (days: number) => new Date(Date.now() - days * 86_400_000 + 12_345).toISOString()
  const statuses = runStatuses.map((status) => `status=${status}`)
  const triggers = triggerTypes.map((trigger) => `trigger_type=${trigger}`)
  const tasks = ['task_id=1', 'task_id=77']
  const periods = [`from=${iso(90)}`, `to=${iso(30)}`, `from=${iso(60)}&to=${iso(20)}`]
  const groups = [statuses, triggers, tasks, ['job_run_id=500'], periods]
  const pairs = groups.flatMap((a, i) =>
    groups.slice(i + 1).flatMap((b) => a.flatMap((x) => b.map((y) => `${x}&${y}`))),
  )
  return ['', ...groups.flat(), ...pairs]
}

export async function run(): Promise<BenchResult[]> {
  const { dataDir, apiKey } = await makeBigStore()
  const server = await startServerProcess(dataDir)
  const client = clientOf(server.url, apiKey)
  const get = async (query: string) => (await client.send('GET', `/api/runs?limit=50&${query}`)).body as Paginated<Run>

  const requests: string[] = []
  for (const filters of filterSets()) {
    let query = filters
    // First pages, and pages further on, reached by their cursors; then one back.
    for (let page = 0; page < 4; page++) {
      requests.push(query)
      const { nextCursor, prevCursor } = await get(query)
      const cursor = page < 2 ? nextCursor : (prevCursor ?? nextCursor)
      if (!cursor) break
      query = `${filters}&cursor=${cursor}`
    }
  }
  const times: { query: string; ms: number }[] = []
  for (let i = 0; i < repeats; i++) {
    for (const query of shuffled(requests)) {
      const began = performance.now()
      await get(query)
      times.push({ query, ms: performance.now() - began })
    }
  }
  client.close()
  const rss = server.rssMb()
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
  const values = times.map(({ ms }) => ms)
  const slowest = times.toSorted((a, b) => b.ms - a.ms)[0]!
  const p99 = percentile(values, 0.99)
  return [
    {
      name: 'list of 50 of 1M runs, p50',
      value: round(percentile(values, 0.5)),
      unit: 'ms',
      note: `${requests.length} filters and pages, over HTTP`,
    },
    {
      name: 'list of 50 of 1M runs, p99',
      value: round(p99),
      unit: 'ms',
      bar: `≤ ${bar} ms`,
      passed: p99 <= bar,
      note: `slowest ${round(slowest.ms)} ms: ${slowest.query.replace(/&cursor=.*/, ' (further page)') || 'no filter'}; server ${Math.round(rss)} MB`,
    },
  ]
}

function shuffled<T>(values: readonly T[]): T[] {
  return values
    .map((value) => ({ value, at: Math.random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ value }) => value)
}
