// What Prometheus waits for where 10,000 tasks have run: with as many series as unless told, and with the most that can be set.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRollupsStore } from '../../src/server/features/metrics/rollups.store.ts'
import { openDatabase } from '../../src/server/platform/store.ts'
import { connect, makeApiKey, startServerProcess } from '../faults/support/server-process.ts'
import type { BenchResult } from './result.ts'
import { percentile, round } from './support/fake-fleet.ts'

const tasks = 10_000
const runsOfTask = 20
const bar = 100
const scrapes = 100

/** Ended runs of every task, of all durations. */
function fill(dataDir: string): void {
  const sqlite = openDatabase(join(dataDir, 'headgate.db'))
  const at = new Date().toISOString()
  const add = sqlite.prepare(
    "INSERT INTO tasks (name, current_version, search_text, created_at, updated_at) VALUES (?, 1, '', ?, ?)",
  )
  const rollups = createRollupsStore(sqlite)
  sqlite
    .transaction(() => {
      for (let task = 1; task <= tasks; task++) {
        add.run(`bench.${task}`, at, at)
        rollups.note(
          Array.from({ length: runsOfTask }, (_, n) => ({
            id: task * runsOfTask + n,
            task_id: task,
            job_id: null,
            executor_id: 1,
            trigger_type: 'cron',
            status: n % 10 === 0 ? 'failed' : 'success',
            error_code: n % 10 === 0 ? 'TIMEOUT' : null,
            attempt: 1,
            completed_at: at,
            ready_at: at,
            started_at: at,
            duration_ms: (task * n * 37) % 900_000,
            item_count: n,
            reject_count: 0,
          })),
        )
      }
    })
    .immediate()
  sqlite.close()
}

export async function run(): Promise<BenchResult[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'headgate-scrape-'))
  const made = await startServerProcess(dataDir)
  const headers = { authorization: `Bearer ${await makeApiKey(made.url)}` }
  await made.stop()
  fill(dataDir)
  const server = await startServerProcess(dataDir)
  const client = connect(server.url, headers)
  async function scrape(prometheus_tasks: number): Promise<BenchResult> {
    await client.send('PUT', '/api/metrics/config', { prometheus_tasks })
    const times: number[] = []
    let characters = 0
    for (let n = 0; n < scrapes; n++) {
      const began = performance.now()
      const answer = await fetch(`${server.url}/api/metrics/prometheus`, { headers })
      characters = (await answer.text()).length
      if (answer.status !== 200) throw new Error(`scrape: ${answer.status}`)
      times.push(performance.now() - began)
    }
    const p95 = percentile(times, 0.95)
    return {
      name: `scrape with ${tasks} tasks, ${prometheus_tasks} of them with series, p95`,
      value: round(p95),
      unit: 'ms',
      note: `p50 ${round(percentile(times, 0.5))} ms, the first ${round(times[0]!)} ms, ${round(characters / 1_000)} thousand characters`,
      ...(prometheus_tasks === 200 && { bar: `≤ ${bar} ms`, passed: p95 <= bar }),
    }
  }
  const results = [await scrape(200), await scrape(5_000)]
  client.close()
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
  return results
}
