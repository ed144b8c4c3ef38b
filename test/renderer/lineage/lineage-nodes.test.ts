import { expect, test } from 'vitest'
import type { Lineage } from '../../../src/contract/lineage.ts'
import type { GraphNode } from '../../../src/renderer/ui/graph/graph.types.ts'
import {
  focused,
  found,
  graphNodesOf,
  narrowed,
  neighboursOf,
  searchTexts,
} from '../../../src/renderer/features/lineage/lineage-nodes.ts'

const dataset = (id: string, connector: string): Lineage['datasets'][number] => ({
  id,
  kind: 'table',
  namespace: 'n',
  name: id,
  label: id,
  pattern: false,
  connectors: [{ id: 1, name: connector, type: 'sqlite' }],
  last_written: null,
})
const lineage: Lineage = {
  datasets: [dataset('raw', 'Lake'), dataset('orders', 'shop'), dataset('totals', 'shop')],
  tasks: [
    { id: 'task 1', task_id: 1, name: 'load', jobs: [{ job_id: 1, name: 'Nightly', task_key: 'l' }], last_run: null },
    { id: 'task 2', task_id: 2, name: 'sum', jobs: [], last_run: null },
  ],
  edges: [
    { from: 'raw', to: 'task 1', kind: 'read' },
    { from: 'task 1', to: 'orders', kind: 'write' },
    { from: 'orders', to: 'task 2', kind: 'read' },
    { from: 'task 2', to: 'totals', kind: 'write' },
  ],
  truncated: false,
}
const said = (node: GraphNode | undefined, now: number) =>
  typeof node?.sublabel === 'function' ? node.sublabel(now) : node?.sublabel
const nodes = graphNodesOf(lineage, { dataset: () => 'd', task: () => 't' })

test.each([
  ['orders', ['orders']],
  ['NIGHTLY', ['task 1']],
  ['shop tot', ['totals']],
  ['lake', ['raw']],
  ['nothing', []],
])('a search for %s', (q, expected) => {
  expect([...found(searchTexts(lineage), q)]).toEqual(expected)
})

test('what is beside a match stays, dimmed', () => {
  const shown = narrowed(nodes, new Set(['orders']))
  expect(shown.map(({ id, dimmed }) => [id, dimmed === true])).toEqual([
    ['orders', false],
    ['task 1', true],
    ['task 2', true],
  ])
  expect(neighboursOf(lineage, 'orders')).toEqual({ before: ['task 1'], after: ['task 2'] })
})

test('what the chosen data neither comes from nor goes to is dimmed', () => {
  const apart: GraphNode = { id: 'apart', kind: 'table', label: 'apart', dependsOn: ['orders'] }
  const dimmedFor = (chosen: string) =>
    focused([...nodes, apart], chosen).flatMap((one) => (one.dimmed ? [one.id] : []))
  expect(dimmedFor('task 2')).toEqual(['apart'])
  expect(dimmedFor('orders')).toEqual([])
  expect(focused(nodes, 'raw')).toEqual(nodes)
})

test('a search that finds everything leaves the graph as it is', () => {
  expect(narrowed(nodes, new Set(nodes.map(({ id }) => id)))).toBe(nodes)
})

test('a dataset that is overdue looks failed, and says only that it is overdue', () => {
  const freshness = { metric: 'age', state: 'violated' as const, deadline_at: '2026-03-01T08:00:00.000Z' }
  const [first, second] = graphNodesOf(
    { ...lineage, datasets: [{ ...dataset('raw', 'Lake'), freshness }, dataset('orders', 'shop')] },
    { dataset: () => 'Overdue', task: () => 't' },
  )
  expect(first).toMatchObject({ status: 'failed', brief: true })
  expect(said(first, 0)).toBe('Overdue')
  expect(second).not.toHaveProperty('status')
})

test('a dataset tells its age by the clock of the page, so that two places never differ', () => {
  const [first] = graphNodesOf(lineage, { dataset: (_, __, now) => `${now / 60_000} min ago`, task: () => 't' })
  expect([said(first, 120_000), said(first, 180_000)]).toEqual(['2 min ago', '3 min ago'])
})
