import { expect, test } from 'vitest'
import { mistakeAt, statementOf, withParameters } from '../../../src/renderer/features/explorer/builder.rules.ts'

const place = { type: 'postgres', resource: 'sales.orders', columns: [{ name: 'total', type: 'numeric(10,2)' }] }

test('the statement is the one that is sent, with parameters by their names', () => {
  const filters = [
    { field: 'total', operator: '>', value: '5' },
    { field: 'total', operator: '<', value: '{{most}}', valueType: 'number' as const },
  ]
  expect(statementOf({ mode: 'visual', filters, limit: '10' }, place)).toEqual({
    kind: 'statement',
    query: {
      text: 'SELECT *\nFROM "sales"."orders"\nWHERE "total" > CAST(:total AS smallint)\n  AND "total" < :total_2\nLIMIT 10',
      parameters: { total: '5', total_2: '{{most}}' },
    },
  })
})

test('every mistake is said at its place', () => {
  const filters = [
    { field: '', operator: '=', value: '' },
    { field: 'total', operator: '>', value: 'x' },
  ]
  const shown = statementOf({ mode: 'visual', filters }, place)
  expect([
    mistakeAt(shown, 'filters[0].field')?.code,
    mistakeAt(shown, 'filters[1].value')?.code,
    mistakeAt(shown, 'limit'),
  ]).toEqual(['query_field_empty', 'query_value_number', undefined])
})

test('placeholders are parameters, known ones as they were, and those that no value names go', () => {
  const kept = { name: 'b', label: 'The B', type: 'objectId' as const }
  const definition = {
    mode: 'visual' as const,
    filters: [{ field: 'x', operator: '=', value: '{{a}} and {{b}}' }],
    parameters: [kept, { name: 'gone', label: 'Gone', type: 'string' as const }],
  }
  expect(withParameters(definition).parameters).toEqual([{ name: 'a', label: 'a', type: 'string' }, kept])
  expect(withParameters({ ...definition, filters: [] })).not.toHaveProperty('parameters')
})
