import { expect, onTestFinished, test } from 'vitest'
import { createCustomMetricsStore } from '../../../src/server/features/metrics/custom-metrics.store.ts'
import { createMetricQueries } from '../../../src/server/features/metrics/metric-queries.ts'
import { createTestClock, openTestPlatform } from '../../support/platform.ts'

test('the query that was not asked for longest is next, so slow ones that are due again hold up no other', async () => {
  const clock = createTestClock()
  const { platform, close } = await openTestPlatform({ clock })
  onTestFinished(close)
  const custom = createCustomMetricsStore(platform.store)
  for (const name of ['a', 'b', 'c', 'd', 'e']) {
    const source = { kind: 'query' as const, connector_id: 1, query: name, every_minutes: 1 }
    custom.insert({ name, source }, clock.iso())
  }
  const asked: string[] = []
  const queries = createMetricQueries(platform, {
    custom,
    queries: {
      few(_connector, query) {
        asked.push(query)
        return Promise.resolve({ fields: [{ name: 'n', type: 'bigint', native: 'int8' }], rows: [['1']] })
      },
    },
    onValue() {},
    onFailure() {},
  })
  for (let round = 0; round < 4; round++) {
    queries.startDue()
    await queries.ended()
    // All of them are due by then.
    clock.advance(60_000)
  }
  expect(asked).toEqual(['a', 'b', 'c', 'd', 'e', 'a', 'b', 'c'])
})
