import type { Connector, ResourceDetail } from '../../../src/contract/connectors.ts'
import type { ExplorerFilter, ExplorerValue } from '../../../src/contract/explorer-presets.ts'
import type { QueryResult } from '../../../src/contract/queries.ts'
import { buildWrite } from '../../../src/language/query/write-query.ts'
import { type ChangeWorld, raw } from './change-world.ts'

const filter = (field: string, operator: string, value = '', valueType: ExplorerFilter['valueType'] = 'auto') => ({
  field,
  operator,
  value,
  valueType,
})

/** Conditions over `people`, of whom one has neither a name nor an age. */
const conditions: ExplorerFilter[][] = [
  [],
  [filter('name', '=', 'Ada')],
  [filter('name', '!=', 'Ada')],
  [filter('name', '!=', '', 'null')],
  [filter('name', 'is null')],
  [filter('name', 'is not null'), filter('name', '<', 'B')],
  [filter('name', 'in', '["Ada", "Grace", "with, comma"]')],
  [filter('name', 'not in', 'Ada, Grace')],
  [filter('name', 'contains', 'a')],
  [filter('name', 'contains', '%')],
  [filter('name', 'not contains', 'ac')],
  [filter('name', 'starts with', 'A')],
  [filter('name', 'ends with', 'n')],
  [filter('name', 'ends with', '')],
  [filter('age', '>=', '41', 'number')],
  [filter('age', 'not in', '36, 45', 'number')],
]

/** Changes that touch other rows than a query with the same conditions finds, also as the statement that the window shows. */
export async function changesThatDiffer(world: ChangeWorld, id: number): Promise<object[]> {
  const { body: connector } = await world.editor.get(`/api/connectors/${id}`)
  const { body: detail } = await world.editor.get(`/api/connectors/${id}/resources/people`)
  const place = { type: (connector as Connector).type, resource: 'people', columns: (detail as ResourceDetail).columns }
  const values: ExplorerValue[] = [{ field: 'name', value: "O'Hara" }]
  const different: object[] = []
  for (const filters of conditions) {
    const counted = await world.editor.post(`/api/connectors/${id}/query`, {
      resource: 'people',
      definition: { mode: 'visual', action: 'count', filters },
    })
    const [[found] = []] = (counted.body as QueryResult).rows
    // SQLite says of computed values which type they are.
    const rows = Number(typeof found === 'object' && found !== null ? Object.values(found)[0] : found)
    for (const action of ['update', 'delete'] as const) {
      const definition = { mode: 'visual' as const, action, filters, values }
      const { text, parameters } = buildWrite(definition, place)
      const built = await world.review(id, { resource: 'people', definition })
      const written = await world.review(id, raw(text, parameters))
      if (built.rows !== rows || written.rows !== rows)
        different.push({ action, filters, rows, built: built.rows, written: written.rows })
    }
  }
  return different
}

export const emptyList = { mode: 'visual', action: 'delete', filters: [filter('name', 'in')] }
