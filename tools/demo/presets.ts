// Presets of the demo for the Explorer; each is run once, so that none is kept that finds nothing.
import { type ExplorerPreset, createExplorerPreset } from '../../src/contract/explorer-presets.ts'
import { cancelQuery, queryConnector } from '../../src/contract/queries.ts'
import type { Client } from './control-plane.ts'
import { type Cell, printTable } from './table.ts'

const presets = [
  {
    name: 'Busiest routes',
    description: 'Routes by number of flights, with their delays',
    connector: 'warehouse',
    resource: 'flight_routes',
    rawQuery: 'SELECT route, flights, mean_delay, late_percent, distance FROM flight_routes ORDER BY flights DESC',
  },
  {
    name: 'Routes that are often late',
    description: 'At least :flights flights and :percent percent of them late',
    connector: 'warehouse',
    resource: 'flight_routes',
    rawQuery:
      'SELECT * FROM flight_routes WHERE flights >= :flights AND late_percent >= :percent ORDER BY late_percent DESC',
    parameters: { flights: 5, percent: 20 },
  },
  {
    name: 'Airports by state',
    description: 'A file, read as a table',
    connector: 'samples',
    resource: 'airports.csv',
    rawQuery: "SELECT state, count(*) AS airports FROM 'airports.csv' GROUP BY state ORDER BY airports DESC, state",
  },
]

/** False when one of them finds no rows. */
export async function createPresets(api: Client, slots: Record<string, number>): Promise<boolean> {
  const rows: Cell[][] = []
  for (const { connector, parameters = {}, rawQuery, name, ...rest } of presets) {
    const id = slots[connector] ?? 0
    const definition: ExplorerPreset['definition'] = { mode: 'raw', rawQuery }
    await api.call(createExplorerPreset, { body: { ...rest, name, connector_id: id, definition } })
    const body = { definition: { mode: 'raw' as const, rawQuery }, parameters }
    const answer = await api.call(queryConnector, { params: { id }, body })
    await api.call(cancelQuery, { params: { id, queryId: answer.query_id } })
    rows.push([name, connector, answer.rows.length])
  }
  console.log('\nPresets for the Explorer:')
  printTable(['preset', 'connector', 'first rows'], rows)
  return rows.every(([, , found]) => found !== 0)
}
