// A store of 50,000 runs, every tenth with a log of 64 KiB, is cleaned of what is older than 60 of its 120 days and then
// vacuumed. Meanwhile somebody else lists runs and saves a pool all the time: how long he waits.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../../src/server/platform/store.ts'
import { makeApiKey, startServerProcess } from '../faults/support/server-process.ts'
import type { BenchResult } from './result.ts'
import { clientOf } from './support/big-store.ts'
import { percentile, round } from './support/fake-fleet.ts'
import { insertRuns } from './support/million-runs.ts'

const runs = 50_000
const bar = { p99: 50 }

function fill(dataDir: string): void {
  const sqlite = openDatabase(join(dataDir, 'headgate.db'))
  insertRuns(sqlite, runs)
  const chunk = sqlite.prepare(
    'INSERT INTO run_log_chunks (run_id, attempt, seq, first_line, line_count, levels, encoding, content) VALUES (?, 1, ?, ?, 100, 2, 0, ?)',
  )
  const content = randomBytes(16_384)
  sqlite.transaction(() => {
    for (let id = 10; id < runs - 500; id += 10) for (let n = 0; n < 4; n++) chunk.run(id, n + 1, n * 100 + 1, content)
    sqlite.prepare('UPDATE runs SET log_lines = 400 WHERE id % 10 = 0 AND id < ?').run(runs - 500)
  })()
  sqlite.pragma('wal_checkpoint(TRUNCATE)')
  sqlite.close()
}

export async function run(): Promise<BenchResult[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'headgate-bench-retention-'))
  const first = await startServerProcess(dataDir)
  const apiKey = await makeApiKey(first.url)
  await first.stop()
  fill(dataDir)
  const server = await startServerProcess(dataDir)
  const client = clientOf(server.url, apiKey)
  const other = clientOf(server.url, apiKey)

  async function measured(work: () => Promise<unknown>) {
    const [reads, writes]: [number[], number[]] = [[], []]
    const done = new AbortController()
    const timed = async (into: number[], ask: () => Promise<unknown>) => {
      const began = performance.now()
      await ask()
      into.push(performance.now() - began)
    }
    const asking = (async () => {
      for (let n = 0; !done.signal.aborted; n++) {
        await timed(reads, () => other.send('GET', '/api/runs?limit=50'))
        await timed(writes, () => other.send('PUT', '/api/pools/bench', { slots: (n % 9) + 1 }))
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    })()
    const began = performance.now()
    const answer = await work()
    const seconds = (performance.now() - began) / 1_000
    done.abort()
    await asking
    return { answer, seconds, reads, writes }
  }
  const results = (what: string, { seconds, reads, writes }: Awaited<ReturnType<typeof measured>>, note: string) =>
    [['lists of runs', reads] as const, ['saving a pool', writes] as const].map(([kind, waits]): BenchResult => {
      const p99 = percentile(waits, 0.99)
      return {
        name: `${what}: ${kind} meanwhile, p99`,
        value: round(p99),
        unit: 'ms',
        bar: `≤ ${bar.p99} ms`,
        passed: p99 <= bar.p99,
        note: `${note}, ${round(seconds)} s; ${waits.length} requests, slowest ${round(Math.max(...waits))} ms`,
      }
    })
  try {
    const idle = await measured(() => new Promise((resolve) => setTimeout(resolve, 5_000)))
    await client.send('PUT', '/api/server/config', { values: { 'retention.runs_days': 60, 'retention.logs_days': 30 } })
    const cleaned = await measured(() => client.send('POST', '/api/server/clean'))
    const { removed } = (cleaned.answer as { body: { removed: { runs: number; log_lines: number } } }).body
    const vacuumed = await measured(() => client.send('POST', '/api/server/vacuum'))
    const { bytes_before, bytes_after } = (vacuumed.answer as { body: { bytes_before: number; bytes_after: number } })
      .body
    return [
      ...results('idle', idle, 'nothing else'),
      ...results('cleaning', cleaned, `${removed.runs} runs, ${removed.log_lines} lines removed`),
      ...results('vacuum', vacuumed, `${round(bytes_before / 1e6)} MB to ${round(bytes_after / 1e6)} MB`),
    ]
  } finally {
    client.close()
    other.close()
    await server.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
