// Custom metrics of the demo: a number of the warehouse, and a freshness rule that is violated and clears.
import { setTimeout as pause } from 'node:timers/promises'
import type { CustomMetricState } from '../../src/contract/custom-metrics.ts'
import { getLineage } from '../../src/contract/lineage.ts'
import { listMetrics, updateMetricsConfig } from '../../src/contract/metrics.ts'
import type { Client } from './control-plane.ts'
import { type Cell, printTable } from './table.ts'

const table = 'flight_routes'
const waitMs = 90_000

/** `write` fills the table once more. False when the rule is not violated, or does not clear. */
export async function showFreshness(
  api: Client,
  slots: Record<string, number>,
  write: () => Promise<unknown>,
): Promise<boolean> {
  const { datasets } = await api.call(getLineage)
  const dataset = datasets.find(({ label, last_written }) => label === table && last_written !== null)
  if (!dataset) return false
  const custom = [
    {
      name: 'flight_routes_age',
      description: 'The routes are to be written every minute',
      source: { kind: 'freshness' as const, freshness_of: { dataset: dataset.id }, deadline_minutes: 1 },
    },
    {
      name: 'routes',
      description: 'Routes in the warehouse',
      unit: 'routes',
      source: {
        kind: 'query' as const,
        connector_id: slots['warehouse'] ?? 0,
        query: `SELECT count(*) FROM ${table}`,
        every_minutes: 5,
      },
    },
  ]
  await api.call(updateMetricsConfig, { body: { custom } })
  console.log(`\nA rule says that ${table} is written every minute; waiting until it is violated …`)
  const rows: Cell[][] = []
  const until = async (state: CustomMetricState['state']): Promise<boolean> => {
    for (const end = performance.now() + waitMs; performance.now() < end; await pause(500)) {
      const found = (await api.call(listMetrics)).find(({ name }) => name === 'flight_routes_age')?.custom
      if (found?.state !== state) continue
      rows.push([`flight_routes_age`, state, `${Math.round((found.value ?? 0) / 1000)} s`, found.error_message ?? ''])
      return true
    }
    return false
  }
  const violated = await until('violated')
  await write()
  const cleared = await until('ok')
  printTable(['metric', 'state', 'age', 'details'], rows)
  return violated && cleared
}
