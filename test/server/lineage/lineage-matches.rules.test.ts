import { expect, test } from 'vitest'
import type { LineageDataset } from '../../../src/contract/lineage.ts'
import { namePattern } from '../../../src/language/lineage/name-pattern.ts'
import { matchEdges } from '../../../src/server/features/lineage/lineage-matches.rules.ts'

const dataset = (name: string, kind: LineageDataset['kind'] = 'file'): LineageDataset => ({
  id: name,
  kind,
  namespace: 'file',
  name,
  label: name,
  pattern: /[*?[{]/.test(name),
  connectors: [],
  last_written: null,
})
const said = (reads: string[], writes: string[], kind?: LineageDataset['kind']) =>
  matchEdges(
    [...new Set([...reads, ...writes])].map((name) => dataset(name, kind)),
    [{ reads: new Set(reads), writes: new Set(writes) }],
  ).edges.map(({ from, to }) => `${from} → ${to}`)

test('what is written leads to the pattern that reads it, and a written pattern to what is read', () => {
  expect(said(['in/*.csv'], ['in/a.csv', 'in/b.json', 'in/deep/c.csv'])).toEqual(['in/a.csv → in/*.csv'])
  expect(said(['in/**'], ['in/*/a.csv', 'out/a.csv'])).toEqual(['in/*/a.csv → in/**'])
  expect(said(['orders_2026'], ['orders_*'], 'table')).toEqual(['orders_* → orders_2026'])
  expect(said(['in/*.csv', 'in/a.csv'], [])).toEqual([])
})

test.each([
  ['a?[b-d]', 'axc', true],
  ['a?[!b-d]', 'axc', false],
  ['/orders/{id}/lines', '/orders/7/lines', true],
  ['/orders/{id}/lines', '/orders/7/8/lines', false],
  ['*', '', true],
  ['a**b', 'a/x/b', true],
  ['[', '[', true],
])('%s covers %s: %s', (pattern, name, expected) => {
  expect(namePattern(pattern, false).matches(name)).toBe(expected)
})

test('a hostile pattern takes no longer than its size allows', () => {
  const { matches } = namePattern('*a'.repeat(100) + 'b', true)
  const begun = performance.now()
  expect(matches('a'.repeat(2_000))).toBe(false)
  expect(performance.now() - begun).toBeLessThan(2_000)
})
