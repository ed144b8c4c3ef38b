// After an upgrade, runs are counted in pieces beside the requests, also by a server that was ended in between.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { queryMetrics } from '../../../src/contract/metrics.ts'
import { insertRuns } from '../../bench/support/million-runs.ts'
import { startTestServer } from '../../support/server.ts'
import { endedRuns, expectRollupsOf } from './naive-rollups.ts'

const body = {
  metric: 'runs',
  from: new Date(Date.now() - 365 * 86_400_000).toISOString(),
  to: new Date(Date.now() + 86_400_000).toISOString(),
  bucket: 'total',
} as const

test('a server that starts with uncounted runs answers at once, says how far it is, and counts each of them once', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'headgate-counting-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const first = await startTestServer({ dataDir })
  insertRuns(first.platform.store.sqlite, 12_000)
  first.platform.store.shortenLog()
  // Its waiting runs have an end already.
  first.platform.store.sqlite.exec(
    "DELETE FROM runs WHERE status = 'pending'; UPDATE metric_settings SET uncounted_after = 0",
  )
  await first.close()

  const second = await startTestServer({ dataDir })
  const partial = await second.as('viewer').call(queryMetrics, { body })
  expect(partial.counted).toBeGreaterThan(0)
  expect(partial.counted).toBeLessThan(1)
  expect(partial.series[0]!.total).toBeLessThan(11_500)
  const refused = await second.as('viewer').get('/api/metrics/prometheus')
  expect(refused).toMatchObject({ status: 503, body: { error: 'UNAVAILABLE', code: 'metrics_counting' } })
  await second.close()

  const third = await startTestServer({ dataDir })
  onTestFinished(() => third.close())
  const editor = third.as('editor')
  await vi.waitFor(async () => expect((await editor.get('/api/metrics/prometheus')).status).toBe(200), {
    timeout: 60_000,
    interval: 100,
  })
  expect(await editor.call(queryMetrics, { body })).toMatchObject({ counted: null, series: [{ total: 11_500 }] })
  expectRollupsOf(third.platform.store.sqlite, endedRuns(third.platform.store.sqlite))
}, 120_000)
