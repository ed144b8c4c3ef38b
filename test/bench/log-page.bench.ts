// Pages of 1,000 lines anywhere in a log of 1,000,000, a search through all of it, and how long that holds up others.
import { createRunLogsService } from '../../src/server/features/runs/run-logs.service.ts'
import { encodeChunks } from '../../src/server/features/runs/run-logs.codec.ts'
import { createRunLogsStore } from '../../src/server/features/runs/run-logs.store.ts'
import { createRunWatchers } from '../../src/server/features/runs/run-watchers.ts'
import { createRunsStore } from '../../src/server/features/runs/runs.store.ts'
import { openTestPlatform } from '../support/platform.ts'
import type { BenchResult } from './result.ts'
import { percentile, round } from './support/fake-fleet.ts'
import { insertRuns } from './support/million-runs.ts'

const total = 1_000_000
const batch = 1000

export async function run(): Promise<BenchResult[]> {
  const { platform, close } = await openTestPlatform()
  const { store } = platform
  insertRuns(store.sqlite, 1)
  const runs = createRunsStore(store)
  const logStore = createRunLogsStore(store)
  const logs = createRunLogsService(platform, { runs, watchers: createRunWatchers() })
  const at = new Date().toISOString()
  for (let first = 1; first <= total; first += batch) {
    const lines = Array.from({ length: batch }, (_, i) => ({
      at,
      level: 'info' as const,
      step: 'source',
      message: `line ${first + i} of the log: read another page of rows from the server`,
    }))
    store.transaction(() => logStore.append(1, 1, first, first, encodeChunks(lines)))
  }
  runs.setLogs(1, 1, total)

  const pages: number[] = []
  for (let i = 0; i < 300; i++) {
    const after = Math.floor(Math.random() * (total - batch))
    const began = performance.now()
    await logs.page(1, { after, limit: batch })
    pages.push(performance.now() - began)
  }
  const gaps: number[] = []
  let last = performance.now()
  const ticking = setInterval(() => {
    gaps.push(performance.now() - last)
    last = performance.now()
  }, 1)
  const began = performance.now()
  await logs.page(1, { q: `LINE ${total} OF` })
  const searched = performance.now() - began
  clearInterval(ticking)
  close()
  const p99 = percentile(pages, 0.99)
  return [
    {
      name: 'page of 1,000 lines out of 1M, p99',
      value: round(p99),
      unit: 'ms',
      bar: '≤ 20 ms',
      passed: p99 <= 20,
      note: `p50 ${round(percentile(pages, 0.5))} ms`,
    },
    {
      name: 'search through a log of 1M lines',
      value: Math.round(searched),
      unit: 'ms',
      note: `others waited ${round(percentile(gaps, 0.5))} ms at p50, ${round(percentile(gaps, 0.95))} ms at p95, ${round(Math.max(...gaps))} ms at most`,
    },
  ]
}
