// The first start after an upgrade that counts runs anew: how long 100,000 runs take while the server works, and what requests wait.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { openDatabase } from '../../src/server/platform/store.ts'
import { startServerProcess } from '../faults/support/server-process.ts'
import type { BenchResult } from './result.ts'
import { clientOf, makeBigStore } from './support/big-store.ts'
import { percentile, round } from './support/fake-fleet.ts'

const runs = 100_000
const paths = ['/api/runs?limit=50', '/api/tasks?limit=50', `/api/runs/${runs / 2}`]

export async function run(): Promise<BenchResult[]> {
  const { dataDir, apiKey } = await makeBigStore(runs)
  const sqlite = openDatabase(join(dataDir, 'headgate.db'))
  sqlite.exec('UPDATE metric_settings SET uncounted_after = 0')
  sqlite.close()
  const server = await startServerProcess(dataDir)
  const client = clientOf(server.url, apiKey)
  /** One request every 20 ms, and how long each takes, until it is enough. */
  async function ask(enough: () => Promise<boolean> | boolean): Promise<number[]> {
    const times: number[] = []
    for (let n = 0; n % 50 > 0 || !(await enough()); n++) {
      const began = performance.now()
      const { status } = await client.send('GET', paths[n % paths.length]!)
      if (status !== 200) throw new Error(`${paths[n % paths.length]}: ${status}`)
      times.push(performance.now() - began)
      await delay(20)
    }
    return times
  }
  const began = performance.now()
  // Text, which the client doesn't read.
  const scrape = () => fetch(`${server.url}/api/metrics/prometheus`, { headers: { authorization: `Bearer ${apiKey}` } })
  const during = await ask(async () => (await scrape()).ok)
  const took = performance.now() - began
  let rounds = 0
  const after = await ask(() => rounds++ > 20)
  client.close()
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
  return [
    {
      name: 'runs counted anew by a working server',
      value: round(runs / (took / 1000)),
      unit: 'runs/s',
      note: `ready in ${round(server.readyMs)} ms`,
    },
    ...([0.5, 0.99] as const).map((share): BenchResult => ({
      name: `a request while runs are counted, p${share * 100}`,
      value: round(percentile(during, share)),
      unit: 'ms',
      note: `${round(percentile(after, share))} ms afterwards; slowest ${round(Math.max(...during))} ms`,
    })),
  ]
}
