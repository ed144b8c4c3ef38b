import { expect, test } from 'vitest'
import { columnLineage } from '../../../src/language/lineage/column-lineage.ts'
import type { PipelineTask } from '../../../src/language/task/kinds/task-document.types.ts'
import { parseTask } from '../../../src/language/task/parse-task.ts'

function lineageOf(steps: string, source: string[] | null, inputs: Record<string, string[] | null> = {}) {
  const { task, diagnostics } = parseTask(`etl: 1
kind: pipeline
name: a
connectors: {db: {type: sqlite, access: read_write}}
source: {connector: db, sql: {table: t}}
inputs: {countries: {connector: db, sql: {table: c}}}
steps:
${steps}
target: {connector: db, table: u}
`)
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
  // Written above as one.
  const found = columnLineage(task as PipelineTask, source, inputs)
  if (found === null) return null
  const columns = found.columns.map(
    ({ name, origins }) =>
      `${name} ← ${origins.map(({ from, column, unchanged }) => `${from}.${column}${unchanged ? '' : ' computed'}`).join(', ')}`,
  )
  return [...columns, ...(found.others ? ['others'] : [])]
}

test('select, rename, derive and cast are followed', () => {
  const steps = `  - rename: {quantity: amount}
  - derive: {total: 'amount * "Price" + round(fee, 2)', day: "CAST(sold_at AS date) - DATE '2026-01-01'", one: '1'}
  - cast: {total: 'decimal(18,2)'}
  - select: [id, total, amount, day, one]`
  const expected = [
    'id ← source.id',
    'total ← source.quantity computed, source.Price computed, source.fee computed',
    'amount ← source.quantity',
    'day ← source.sold_at computed',
    'one ← ',
  ]
  expect(lineageOf(steps, ['id', 'quantity', 'Price', 'fee', 'sold_at'])).toEqual(expected)
  expect(lineageOf(steps, null)).toEqual(expected)
})

test('columns that are not named arrive under their own names', () => {
  expect(lineageOf('  - drop: [b]', ['a', 'b', 'c'])).toEqual(['a ← source.a', 'c ← source.c'])
  expect(lineageOf('  - derive: {d: a.b.c + e}', null)).toEqual(['d ← source.a computed, source.e computed', 'others'])
})

test('a derived column that replaces one stays in its place', () => {
  expect(lineageOf('  - derive: {A: upper(a)}', ['a', 'b'])).toEqual(['A ← source.a computed', 'b ← source.b'])
})

test('a lookup adds columns of its input', () => {
  expect(lineageOf('  - lookup: {input: countries, on: code, columns: {country: name}}', ['code'])).toEqual([
    'code ← source.code',
    'country ← countries.name',
  ])
  expect(lineageOf('  - lookup: {input: countries, on: code}', ['code'], { countries: ['code', 'name'] })).toEqual([
    'code ← source.code',
    'name ← countries.name',
  ])
  expect(lineageOf('  - lookup: {input: countries, on: code}', ['code'])).toBeNull()
})

test('behind code nothing is claimed', () => {
  expect(lineageOf('  - sql: SELECT 1 AS a FROM stream', ['a'])).toBeNull()
})
