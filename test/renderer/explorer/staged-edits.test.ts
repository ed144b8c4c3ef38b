import { expect, test } from 'vitest'
import type { QueryField } from '../../../src/contract/query-values.ts'
import {
  countOf,
  kindOf,
  noEdits,
  requestOf,
  typedValue,
  withRow,
  withValue,
  withoutRows,
} from '../../../src/renderer/features/explorer/staged-edits.ts'
import { isWholeRows, writes } from '../../../src/renderer/features/explorer/writes.rules.ts'

const fields: QueryField[] = [
  { name: 'id', type: 'bigint', native: 'INTEGER' },
  { name: 'name', type: 'text', native: 'TEXT' },
]
const rows = [
  ['1', 'Ada'],
  ['2', null],
]
const at = (row: number) => rows[row]

test('edits, new rows, and deleted rows become what is sent, and each step can be undone', () => {
  const changed = withValue(noEdits, { row: 0, field: 1, value: null, original: 'Ada' })
  const deleted = withoutRows(changed, [1])
  const added = withValue(withRow(deleted), { row: 0, field: 1, value: 'New', original: undefined })
  expect(requestOf(added, fields, at)).toEqual([
    { kind: 'insert', values: { name: 'New' } },
    { kind: 'update', original: { id: '1', name: 'Ada' }, values: { name: null } },
    { kind: 'delete', original: { id: '2', name: null } },
  ])
  expect([0, 1, 2, 3].map((row) => kindOf(added, row))).toEqual(['insert', 'update', 'delete', undefined])
  expect(countOf(added)).toBe(3)
  expect(added.before?.before).toBe(deleted)
  expect(requestOf(withoutRows(added, [0, 1, 2]), fields, at).map(({ kind }) => kind)).toEqual(['delete', 'delete'])
  expect(countOf(withoutRows(deleted, [1]))).toBe(1)
})

test('a value that is what was read is no change', () => {
  const changed = withValue(noEdits, { row: 0, field: 1, value: 'Eve', original: 'Ada' })
  expect(countOf(withValue(changed, { row: 0, field: 1, value: 'Ada', original: 'Ada' }))).toBe(0)
})

test('what is typed is a value of its type, exactly, or none', () => {
  const typed = (text: string, type: QueryField['type']) => typedValue(text, { name: 'a', type, native: '' })
  expect(typed('9223372036854775807', 'bigint')).toBe('9223372036854775807')
  expect([typed('1.5', 'bigint'), typed('', 'integer'), typed('1.5', 'integer'), typed('yes', 'boolean')]).toEqual(
    Array.from({ length: 4 }),
  )
  expect([typed('NaN', 'double'), typed('1e3', 'double'), typed('FALSE', 'boolean')]).toEqual(['NaN', 1000, false])
  expect([typed('7', 'any'), typed('7.0', 'any'), typed('', 'text')]).toEqual([{ bigint: '7' }, { text: '7.0' }, ''])
  expect([typed('{"a": {"$numberLong": "1"}}', 'document'), typed('{', 'document')]).toEqual([
    { a: { $numberLong: '1' } },
    undefined,
  ])
})

test('statements that write are told from those that read', () => {
  expect(
    ['delete from t', ' -- why\nUPDATE t SET a = 1', '/* a */ insert into t values (1)'].map((text) =>
      writes(text, 'postgres'),
    ),
  ).toEqual([true, true, true])
  expect(['SELECT 1', 'updates', '-- delete from t'].map((text) => writes(text, 'sqlite'))).toEqual([
    false,
    false,
    false,
  ])
  expect([writes('{"delete": "t"}', 'mongodb'), writes('{"find": "delete"}', 'mongodb')]).toEqual([true, false])
})

test('only results with all columns of one table can be edited', () => {
  const whole = (type: 'postgres' | 'mongodb', resource: string, text: string) =>
    isWholeRows({ type } as Parameters<typeof isWholeRows>[0], resource, text)
  for (const text of [
    'SELECT * FROM orders',
    'SELECT * FROM orders;',
    'SELECT * FROM orders\nWHERE id > 1 ORDER BY id LIMIT 5',
  ])
    expect([text, whole('postgres', 'orders', text)]).toEqual([text, true])
  for (const text of [
    'SELECT * FROM orders, people',
    'SELECT * FROM orders2',
    'SELECT id FROM orders',
    'SELECT * FROM orders WHERE a = 1 UNION SELECT * FROM b',
    'SELECT * FROM orders JOIN b USING (id)',
  ])
    expect([text, whole('postgres', 'orders', text)]).toEqual([text, false])
  expect(whole('mongodb', 'people', '{"find": "people", "filter": {}}')).toBe(true)
  expect(whole('mongodb', 'people', '{"find": "people", "projection": {"a": 1}}')).toBe(false)
})
