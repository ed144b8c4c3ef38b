// Metrics over 1,000,000 runs, 90 days by day and status, over REST; and how long it takes to sum the runs up again.
import { rmSync } from 'node:fs'
import { definitions } from '../../src/server/features/metrics/metrics.rules.ts'
import { rebuildMetrics } from '../../src/server/features/metrics/rebuild-metrics.ts'
import { startServerProcess } from '../faults/support/server-process.ts'
import type { BenchResult } from './result.ts'
import { clientOf, makeBigStore } from './support/big-store.ts'
import { percentile, round } from './support/fake-fleet.ts'

const bar = 50
const repeats = 12

export async function run(): Promise<BenchResult[]> {
  const { dataDir, apiKey } = await makeBigStore()
  const began = performance.now()
  const { runs } = rebuildMetrics(dataDir)
  const rebuiltIn = performance.now() - began
  const server = await startServerProcess(dataDir)
  const client = clientOf(server.url, apiKey)
  const to = new Date().toISOString()
  const from = new Date(Date.now() - 90 * 86_400_000).toISOString()
  const times: { what: string; ms: number }[] = []
  for (let n = 0; n < repeats; n++) {
    for (const metric of definitions.keys()) {
      for (const timezone of ['UTC', 'Europe/Berlin', 'Asia/Kolkata']) {
        const body = { metric, from, to, bucket: 'day', timezone, group_by: ['status'] }
        const asked = performance.now()
        const { status } = await client.send('POST', '/api/metrics/query', body)
        if (status !== 200) throw new Error(`${metric}: ${status}`)
        times.push({ what: `${metric}, ${timezone}`, ms: performance.now() - asked })
      }
    }
  }
  client.close()
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
  const values = times.map(({ ms }) => ms)
  const slowest = times.toSorted((a, b) => b.ms - a.ms)[0]!
  const p99 = percentile(values, 0.99)
  return [
    { name: 'metric over 1M runs, 90 days by day and status, p50', value: round(percentile(values, 0.5)), unit: 'ms' },
    {
      name: 'metric over 1M runs, 90 days by day and status, p99',
      value: round(p99),
      unit: 'ms',
      bar: `≤ ${bar} ms`,
      passed: p99 <= bar,
      note: `every metric in three time zones, over HTTP; slowest ${round(slowest.ms)} ms: ${slowest.what}`,
    },
    { name: 'metrics of 1M runs rebuilt', value: round(rebuiltIn / 1000), unit: 's', note: `${runs} ended runs` },
  ]
}
