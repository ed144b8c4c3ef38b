import { expect, test } from 'vitest'
import type { QueryField, ValueType } from '../../../src/contract/query-values.ts'
import { type Condition, asDefinition, sortedRows, testOf } from '../../../src/renderer/features/explorer/find.rules.ts'

const fieldOf = (type: ValueType, name: string = type): QueryField => ({ name, type, native: type })
const sorted = (type: ValueType, values: readonly unknown[], order: 'asc' | 'desc' = 'asc') =>
  sortedRows(
    values.map((value) => [value]),
    { field: 0, order },
    [fieldOf(type)],
  ).map((row) => values[row])
const found = (type: ValueType, values: readonly unknown[], operator: Condition['operator'], value = '') => {
  const tested = testOf({ field: 0, operator, value }, [fieldOf(type)])
  if (tested === null || 'mistake' in tested) return tested
  return values.filter((one) => tested.test([one]).length > 0)
}

test('numbers sort by all of their digits', () => {
  const big = ['9007199254740993', '-9223372036854775808', '9007199254740992', '0', '9223372036854775807']
  expect(sorted('bigint', big)).toEqual([
    '-9223372036854775808',
    '0',
    '9007199254740992',
    '9007199254740993',
    '9223372036854775807',
  ])
  const exact = ['1.10', '-1.2', '1.1000000000000000000001', '1E+3', '-0.00', '999.9', '1e-7', 'NaN', '-Infinity']
  expect(sorted('decimal', exact)).toEqual([
    '-Infinity',
    '-1.2',
    '-0.00',
    '1e-7',
    '1.10',
    '1.1000000000000000000001',
    '999.9',
    '1E+3',
    'NaN',
  ])
  expect(sorted('double', [5e-324, -2, 1e21, '-0', 'Infinity', 0.1])).toEqual([-2, '-0', 5e-324, 0.1, 1e21, 'Infinity'])
})

test('moments sort by every digit of their fraction, and years before 1 and after 9999 stand where they belong', () => {
  const moments = [
    '2024-02-29T12:34:56.123457Z',
    '2024-02-29T12:34:56Z',
    '2024-02-29T12:34:56.123456Z',
    '10000-01-01T00:00:00Z',
    '0044-03-15T00:00:00Z BC',
    'infinity',
    '-infinity',
  ]
  expect(sorted('datetime_tz', moments)).toEqual([
    '-infinity',
    '0044-03-15T00:00:00Z BC',
    '2024-02-29T12:34:56Z',
    '2024-02-29T12:34:56.123456Z',
    '2024-02-29T12:34:56.123457Z',
    '10000-01-01T00:00:00Z',
    'infinity',
  ])
})

test('rows without a value come last either way, and equal rows stay in their order', () => {
  const rows = [
    ['b', 1],
    [null, 2],
    ['a', 3],
    ['b', 4],
  ]
  const fields = [fieldOf('text'), fieldOf('integer')]
  expect(sortedRows(rows, { field: 0, order: 'asc' }, fields)).toEqual([2, 0, 3, 1])
  expect(sortedRows(rows, { field: 0, order: 'desc' }, fields)).toEqual([0, 3, 2, 1])
})

test('values of any type sort by their own, numbers among each other', () => {
  const values = [{ text: 'x' }, { bigint: '10' }, { double: 9.5 }, { integer: 2 }, null]
  expect(sorted('any', values)).toEqual([{ integer: 2 }, { double: 9.5 }, { bigint: '10' }, { text: 'x' }, null])
  // SQLite: a text in a column of numbers.
  expect(sorted('integer', [3, { text: 'n/a' }, 1])).toEqual([1, 3, { text: 'n/a' }])
})

test('comparisons are exact, and leave NULL out', () => {
  const big = ['9007199254740992', '9007199254740993', null]
  expect(found('bigint', big, '=', '9007199254740993')).toEqual(['9007199254740993'])
  expect(found('bigint', big, '!=', '9007199254740993')).toEqual(['9007199254740992'])
  expect(found('decimal', ['0.10', '0.1', '0.1000001'], '=', '.1')).toEqual(['0.10', '0.1'])
  const moments = ['2024-02-29T12:34:56.123456Z', '2024-02-29T12:34:56.123457Z']
  expect(found('datetime_tz', moments, '>', '2024-02-29 13:34:56.123456+01:00')).toEqual([moments[1]])
  expect(found('date', ['2024-02-29', '2024-03-01'], '<=', '2024-02-29')).toEqual(['2024-02-29'])
  expect(found('boolean', [true, false], '=', 'TRUE')).toEqual([true])
  expect(found('integer', [1, { text: 'n/a' }], '=', 'n/a')).toEqual({ mistake: 'number' })
  expect(found('any', [{ integer: 1 }, { text: '1' }, { bigint: '1' }], '=', '1')).toHaveLength(3)
  expect(found('text', [null, '', 'x'], 'is null')).toEqual([null])
  expect(found('text', [null, '', 'x'], 'is not null')).toEqual(['', 'x'])
  expect(found('integer', [1], '>', 'one')).toEqual({ mistake: 'number' })
  expect(found('date', ['2024-02-29'], '=', '2024-02-30')).toEqual({ mistake: 'date' })
  expect(found('text', ['x'], 'contains', '')).toBeNull()
})

test('text is found in every column without regard to case, bytes as they are shown', () => {
  const fields = [fieldOf('text'), fieldOf('bytes'), fieldOf('document')]
  const tested = testOf({ field: null, operator: 'contains', value: 'FF' }, fields)
  const rows = [
    ['Coffee', 'AP8=', { _id: { $oid: 'aff0' } }],
    [null, null, { a: 1 }],
  ]
  expect(tested && 'test' in tested ? rows.map(tested.test) : tested).toEqual([[0, 1, 2], []])
})

test('a search is asked of the system where conditions can say it', () => {
  const fields = [fieldOf('bigint', 'id'), fieldOf('text', 'a'), fieldOf('text', 'a')]
  const base = { mode: 'visual' as const, filters: [{ field: 'x', operator: '=', value: '1' }] }
  const condition: Condition = { field: 0, operator: '>=', value: '9007199254740993' }
  expect(asDefinition(base, condition, { field: 0, order: 'desc' }, fields)).toEqual({
    mode: 'visual',
    filters: [...base.filters, { field: 'id', operator: '>=', value: '9007199254740993', valueType: 'auto' }],
    sort: 'id',
    order: 'desc',
  })
  expect(asDefinition(base, { field: null, operator: 'contains', value: 'x' }, null, fields)).toBeNull()
  expect(asDefinition(base, { field: 1, operator: '=', value: 'x' }, null, fields)).toBeNull()
})
