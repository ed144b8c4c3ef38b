import { expect, it } from 'vitest'
import { documentKind } from '../../src/language/document-kind.ts'
import { columnTypeOf } from '../../src/language/task/column-types.ts'
import { resolveTask } from '../../src/language/task/resolve-task.ts'
import { parseTask } from '../../src/language/task/parse-task.ts'

it.each([
  ['kind: job', 'job'],
  ['kind: jbo', 'job'],
  ['kind: dashboard', 'dashboard'],
  ['kind: dashbord', 'dashboard'],
  ['kind: pipelin', 'task'],
  ['kind: sql', 'task'],
  ['name: job', 'task'],
])('%s is a document of the language of a %s', (text, kind) => {
  expect(documentKind(text)).toBe(kind)
})

it.each([
  ['VARCHAR', 'string'],
  ['BIGINT', 'integer'],
  ['UTINYINT', 'integer'],
  ['DOUBLE', 'number'],
  ['TIMESTAMP WITH TIME ZONE', 'datetime'],
  ['TIMESTAMP_NS', 'datetime'],
  ['DECIMAL(12,2)', 'decimal(12,2)'],
  ['STRUCT(a INTEGER)', 'json'],
  ['VARCHAR[]', 'json'],
  ['BLOB', 'binary'],
  ['INTERVAL', 'interval'],
])('%s is %s in the language', (stored, type) => {
  expect(columnTypeOf(stored)).toBe(type)
})

it('outputs and hooks that can only fail are problems before the work', () => {
  const text = (output: string): string =>
    [
      'etl: 1',
      'kind: pipeline',
      'name: early',
      'connectors: {db: {type: sqlite, access: write}}',
      'args: {day: {type: string}}',
      'source: {inline: {rows: [{id: 1}]}}',
      'target: {connector: db, table: t}',
      `outputs: {x: '\${{ ${output} }}'}`,
    ].join('\n')
  const problems = (output: string): string[] => {
    const { task } = parseTask(text(output))
    const run = { id: 1, attempt: 1, logical_date: '2024-01-01T00:00:00Z' }
    return task ? resolveTask(task, { args: { day: 'x' }, run }).problems.map(({ path }) => path) : ['invalid']
  }
  expect(problems('$toMillis(args.day)')).toEqual(['outputs.x'])
  expect(problems('$toMillis(run.logical_date)')).toEqual([])
  // What only the end of the run knows is left alone.
  expect(problems('$uppercase(run.item_count)')).toEqual([])
  expect(problems('$keys($$)[0] & 1')).toEqual([])
})
