import { expect, test } from 'vitest'
import type { Connector } from '../../../src/contract/connectors.ts'
import type { QueryField, ValueType } from '../../../src/contract/query-values.ts'
import { buildQuery } from '../../../src/language/query/build-query.ts'
import { linkedFields, linksOf } from '../../../src/renderer/features/explorer/links.rules.ts'
import { hasRowsOf } from '../../../src/renderer/features/explorer/writes.rules.ts'

const field = (name: string, type: ValueType): QueryField => ({ name, type, native: '' })
const fields = [field('id', 'bigint'), field('Customer', 'text'), field('day', 'date'), field('raw', 'bytes')]
const key = (table: string, columns: string[], references: string[]) => ({ name: null, table, columns, references })
const keys = {
  foreign_keys: [
    key('customers', ['customer', 'day'], ['code', 'since']),
    key('blobs', ['raw'], ['data']),
    key('far', ['not_here'], ['id']),
  ],
  referenced_by: [key('lines', ['order_id'], ['id'])],
}

test('a value leads to the row that its key refers to, and a row to those that refer to it, with every digit', () => {
  const row = ['9007199254740993', '007', '2024-02-29', 'AP8=']
  const links = linksOf(keys, fields, row, 1)
  expect(links).toEqual([
    {
      table: 'customers',
      columns: ['customer', 'day'],
      back: false,
      filters: [
        { field: 'code', operator: '=', value: '007', valueType: 'string' },
        { field: 'since', operator: '=', value: '2024-02-29', valueType: 'date' },
      ],
    },
    {
      table: 'lines',
      columns: ['order_id'],
      back: true,
      filters: [{ field: 'order_id', operator: '=', value: '9007199254740993', valueType: 'number' }],
    },
  ])
  const place = { type: 'postgres', resource: 'lines', columns: [{ name: 'order_id', type: 'bigint' }] }
  const { text, parameters } = buildQuery({ mode: 'visual', filters: links[1]!.filters }, place, {})
  expect(text).not.toContain('9007199254740993')
  expect(Object.values(parameters)).toEqual(['9007199254740993'])
})

test('a key of which a part is NULL, values that no condition can say, and placeholders lead nowhere', () => {
  expect(linksOf(keys, fields, ['1', null, '2024-02-29', null], 1).map(({ table }) => table)).toEqual(['lines'])
  expect(linksOf(keys, fields, ['1', 'a', '2024-02-29', 'AP8='], 3).map(({ table }) => table)).toEqual(['lines'])
  expect(linksOf(keys, fields, ['1', '{{name}}', '2024-02-29', null], 1).map(({ table }) => table)).toEqual(['lines'])
  expect(linksOf({}, fields, ['1'], 0)).toEqual([])
  expect([...linkedFields(keys, fields)].filter((at) => at >= 0)).toEqual([1, 2, 3])
})

test('links belong to rows of one table, as a person or the builder asks for them', () => {
  const connector = { type: 'sqlite' } as Connector
  const built = buildQuery(
    { mode: 'visual', filters: [{ field: 'id', operator: '=', value: '1', valueType: 'number' }] },
    { type: 'sqlite', resource: 'orders', columns: undefined },
    {},
  )
  expect(hasRowsOf(connector, 'orders', built.text)).toBe(true)
  expect(hasRowsOf(connector, 'orders', 'SELECT * FROM orders WHERE id = 1')).toBe(true)
  for (const other of [
    'SELECT * FROM orders JOIN lines',
    'SELECT id AS customer FROM orders',
    'SELECT *\nFROM "orders2"',
  ])
    expect(hasRowsOf(connector, 'orders', other)).toBe(false)
})
