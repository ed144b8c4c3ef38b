// Pages of 50 out of 1,000,000 runs over REST, with every filter and pairs of them, on the first page, in the middle and
// near the end, with `total`; then the same sorted by duration and by status, also of runs by when they ended. Filters and pages come in
// a mixed order, so that nothing is warmer than it would be.
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
  const statuses = runStatuses.map((status) => `status=${status}`)
  const triggers = triggerTypes.map((trigger) => `trigger_type=${trigger}`)
  const tasks = ['task_id=1', 'task_id=77']
  const periods = [`from=${daysAgo(90)}`, `to=${daysAgo(30)}`, `from=${daysAgo(60)}&to=${daysAgo(20)}`]
  const groups = [statuses, triggers, tasks, ['job_run_id=500'], periods]
  const pairs = groups.flatMap((a, i) =>
    groups.slice(i + 1).flatMap((b) => a.flatMap((x) => b.map((y) => `${x}&${y}`))),
  )
  return ['', ...groups.flat(), ...pairs]
}

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000 + 12_345).toISOString()
const sorts = ['sort=duration_ms', 'sort=duration_ms&order=asc', 'sort=status', 'sort=status&order=desc']
const sorted = (sets: readonly string[]) => sets.flatMap((set) => sorts.map((sort) => `${sort}&${set}`))
/** A month of runs by when they ended: 230,000. */
const byEnd = () =>
  ['', '&task_id=1', '&status=failed', '&status=cancelled'].map(
    (filter) => `completed_from=${daysAgo(30)}&completed_to=${daysAgo(2)}${filter}`,
  )

interface Timed {
  query: string
  ms: number
}

export async function run(): Promise<BenchResult[]> {
  const { dataDir, apiKey } = await makeBigStore()
  const server = await startServerProcess(dataDir)
  const client = clientOf(server.url, apiKey)
  const get = async (query: string) => (await client.send('GET', `/api/runs?limit=50&${query}`)).body as Paginated<Run>

  async function measure(sets: readonly string[]): Promise<{ requests: string[]; times: Timed[] }> {
    const requests: string[] = []
    for (const filters of sets) {
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
    const times: Timed[] = []
    for (let i = 0; i < repeats; i++) {
      for (const query of shuffled(requests)) {
        const began = performance.now()
        await get(query)
        times.push({ query, ms: performance.now() - began })
      }
    }
    return { requests, times }
  }

  const newest = await measure(filterSets())
  const inOrder = await measure(sorted([...filterSets(), `from=${daysAgo(0.1)}`]))
  const ended = await measure(sorted(byEnd()))
  client.close()
  const rss = server.rssMb()
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
  const memory = { name: 'lists of 1M runs, memory of the server', value: Math.round(rss), unit: 'MB' }
  return [
    ...results('list', newest, bar),
    ...results('sorted list', inOrder, bar),
    // Their total is counted in the index, which alone takes longer.
    ...results('sorted list by end', ended),
    memory,
  ]
}

function results(
  name: string,
  { requests, times }: { requests: string[]; times: Timed[] },
  most?: number,
): BenchResult[] {
  const values = times.map(({ ms }) => ms)
  const slowest = times.toSorted((a, b) => b.ms - a.ms)[0]!
  const p99 = percentile(values, 0.99)
  return [
    {
      name: `${name} of 50 of 1M runs, p50`,
      value: round(percentile(values, 0.5)),
      unit: 'ms',
      note: `${requests.length} filters and pages, over HTTP`,
    },
    { name: `${name} of 50 of 1M runs, p95`, value: round(percentile(values, 0.95)), unit: 'ms' },
    {
      name: `${name} of 50 of 1M runs, p99`,
      value: round(p99),
      unit: 'ms',
      ...(most !== undefined && { bar: `≤ ${most} ms`, passed: p99 <= most }),
      note: `slowest ${round(slowest.ms)} ms: ${slowest.query.replace(/&cursor=.*/, ' (further page)') || 'no filter'}`,
    },
  ]
}

function shuffled<T>(values: readonly T[]): T[] {
  return values
    .map((value) => ({ value, at: Math.random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ value }) => value)
}
