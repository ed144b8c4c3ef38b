import { expect, test } from 'vitest'
import {
  changesAllRows,
  mistakeAt,
  statementOf,
  withColumnValue,
  withParameters,
} from '../../../src/renderer/features/explorer/builder.rules.ts'

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

test('a new row names the columns that were entered, and a column is entered once', () => {
  const entered = withColumnValue([], 'total', { value: '7' })
  expect(entered).toEqual([{ field: 'total', value: '7', valueType: 'auto' }])
  const both = withColumnValue(entered, 'note', { value: '', valueType: 'null' })
  expect(withColumnValue(both, 'total', { value: '7.50', valueType: 'auto' }).map(({ value }) => value)).toEqual([
    '7.50',
    '',
  ])
  expect(withColumnValue(both, 'total', null).map(({ field }) => field)).toEqual(['note'])
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

test('a change is a statement with its values bound, in the system’s own language', () => {
  const written = {
    mode: 'visual' as const,
    filters: [{ field: 'total', operator: '>', value: '5' }],
    values: [
      { field: 'total', value: '7.50' },
      { field: 'note', value: '', valueType: 'null' as const },
    ],
    // What another action has is kept, and not sent.
    columns: ['total'],
    limit: '10',
  }
  const text = (action: 'insert' | 'update' | 'delete', where = place) => {
    const shown = statementOf({ ...written, action }, where)
    return shown.kind === 'statement' ? shown.query.text : ''
  }
  expect(text('insert')).toBe('INSERT INTO "sales"."orders" ("total", "note")\nVALUES (CAST(:total AS numeric), NULL)')
  expect(text('update')).toBe(
    'UPDATE "sales"."orders"\nSET "total" = CAST(:total AS numeric),\n  "note" = NULL\nWHERE "total" > CAST(:total_2 AS smallint)',
  )
  expect(text('delete')).toBe('DELETE FROM "sales"."orders"\nWHERE "total" > CAST(:total AS smallint)')
  const mongo = { type: 'mongodb', resource: 'orders', columns: [{ name: 'total', type: 'int' }] }
  expect(JSON.parse(text('update', mongo))).toEqual({
    update: 'orders',
    updates: [{ q: { total: { $gt: 5 } }, u: { $set: { total: { $numberDouble: '7.5' }, note: null } }, multi: true }],
  })
  expect(withParameters({ ...written, action: 'delete' })).toEqual({
    mode: 'visual',
    action: 'delete',
    filters: written.filters,
  })
  expect(changesAllRows({ ...written, action: 'delete', filters: [] })).toBe(true)
})

test('mistakes in values that are written are said at their places, and placeholders there are parameters', () => {
  const values = [
    { field: 'total', value: 'x', valueType: 'number' as const },
    { field: '', value: '1' },
  ]
  const shown = statementOf({ mode: 'visual', action: 'update', filters: [], values }, place)
  expect([mistakeAt(shown, 'values[0].value')?.code, mistakeAt(shown, 'values[1].field')?.code]).toEqual([
    'query_value_number',
    'query_field_empty',
  ])
  const none = statementOf({ mode: 'visual', action: 'insert' }, place)
  expect(mistakeAt(none, 'values')?.code).toBe('query_values_missing')
  const twice = [values[1]!, { field: 'a', value: '1' }, { field: 'a', value: '2' }]
  expect(
    mistakeAt(statementOf({ mode: 'visual', action: 'insert', values: twice }, place), 'values[2].field')?.code,
  ).toBe('query_value_twice')
  const filled = { mode: 'visual' as const, action: 'insert' as const, values: [{ field: 'total', value: '{{sum}}' }] }
  expect(withParameters(filled).parameters).toEqual([{ name: 'sum', label: 'sum', type: 'string' }])
  expect(statementOf(filled, place)).toMatchObject({ query: { parameters: { total: '{{sum}}' } } })
})
