import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { parseTask } from '../../../src/language/task/parse-task.ts'
import { canBeTask, taskText } from '../../../src/renderer/features/explorer/task-draft.rules.ts'

test('the draft is a task that the language takes, with the query and its values', () => {
  const text = taskText('sqlite', 'Orders of “Ada”', 'SELECT *\nFROM "orders"\nWHERE "total" > :total;', {
    total: '05',
  })
  expect(parseTask(text).diagnostics).toEqual([])
  expect(parse(text)).toMatchObject({
    name: 'orders_of_ada',
    connectors: { source_data: { type: 'sqlite', access: 'read' }, target_data: { type: 'file', access: 'write' } },
    source: { sql: { query: 'SELECT *\nFROM "orders"\nWHERE "total" > :total', params: { total: '05' } } },
    target: { file: { path: 'orders_of_ada.csv' } },
  })
  expect(['postgres', 'mysql', 'sqlite', 'duckdb', 'mongodb', 'file'].map(canBeTask)).toEqual([true, true, true, true, false, false]) // prettier-ignore
})

test('whatever a query, its title, and its values hold arrives as it was', () => {
  const value = fc.oneof(fc.string({ unit: 'binary' }), fc.integer(), fc.boolean(), fc.constant(null))
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), value, (title, rest, bound) => {
      fc.pre(!String(bound).includes('${{') && !rest.endsWith(';'))
      const query = `SELECT ${rest}`.trim()
      const { source } = parse(taskText('postgres', title, query, { name: bound })) as {
        source: { sql: { query: string; params: { name: unknown } } }
      }
      const { query: arrived, params } = source.sql
      expect([arrived, params.name]).toEqual([query, bound])
    }),
  )
})
