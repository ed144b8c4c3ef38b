import { expect, test, vi } from 'vitest'
import { createConnector } from '../../../src/contract/connectors.ts'
import { setJobTaskOverride } from '../../../src/contract/jobs.ts'
import { type Lineage, getLineage } from '../../../src/contract/lineage.ts'
import type { QueryOf } from '../../../src/contract/operation.ts'
import { triggerRun } from '../../../src/contract/runs.ts'
import { createTask, updateTask } from '../../../src/contract/tasks.ts'
import { jobPlane } from '../job-runs/job-plane.ts'

const copy = (name: string, from: string, to: string, more = '') => `etl: 1
kind: pipeline
name: ${name}
connectors:
  src: {type: sqlite, access: read}
  out: {type: sqlite, access: write}
source: {connector: src, sql: {table: ${from}}}
${more}target: {connector: out, table: ${to}}
`

async function world() {
  const plane = await jobPlane()
  const connector = (name: string, path: string) =>
    plane.editor.call(createConnector, { body: { name, type: 'sqlite', config: { path } } })
  const task = (yaml_content: string) => plane.editor.call(createTask, { body: { yaml_content } })
  const [reader, writer, other] = [
    await connector('reader', '/data/shop.db'),
    await connector('writer', '/data/shop.db'),
    await connector('other', '/data/other.db'),
  ]
  const job = async (name: string, tasks: string, mapping: Record<string, number>) => {
    const yaml_content = `etl: 1\nkind: job\nname: ${name}\nconnectors: {a: {type: sqlite}, b: {type: sqlite, access: write}}\ntasks:\n${tasks}`
    const { id } = (await plane.editor.post('/api/job-templates', { yaml_content })).body as { id: number }
    const made = await plane.editor.post(`/api/job-templates/${id}/jobs`, { name, connector_mapping: mapping })
    expect(made.status).toBe(201)
    return (made.body as { id: number }).id
  }
  return {
    ...plane,
    reader: reader.id,
    writer: writer.id,
    other: other.id,
    task,
    job2: job,
    lineage: (query: QueryOf<typeof getLineage> = {}) => plane.editor.call(getLineage, { query }),
  }
}

const slots = '{src: a, out: b}'
const edgesOf = ({ edges }: Lineage) => edges.map(({ from, to, kind }) => `${from} → ${to} (${kind})`).toSorted()
const named = ({ datasets }: Lineage, name: string) => datasets.find((dataset) => dataset.name === name)

test('a chain over two jobs, whose connectors lead to one database', async () => {
  const { job2, task, reader, writer, lineage } = await world()
  await task(copy('load', 'raw', 'orders'))
  await task(copy('sum', 'Orders', 'totals'))
  const first = await job2('first', `  load: {task: load, connectors: ${slots}}\n`, { a: reader, b: writer })
  await job2('second', `  sum: {task: sum, connectors: ${slots}}\n`, { a: reader, b: writer })
  const all = await lineage()
  expect(edgesOf(all).filter((edge) => edge.includes('sqlite'))).toEqual([
    'sqlite:///data/shop.db main.orders → task 4 (read)',
    'sqlite:///data/shop.db main.raw → task 3 (read)',
    'task 3 → sqlite:///data/shop.db main.orders (write)',
    'task 4 → sqlite:///data/shop.db main.totals (write)',
  ])
  expect(named(all, 'main.orders')).toMatchObject({
    kind: 'table',
    namespace: 'sqlite:///data/shop.db',
    label: 'orders',
    pattern: false,
    connectors: [
      { id: writer, name: 'writer', type: 'sqlite' },
      { id: reader, name: 'reader', type: 'sqlite' },
    ],
    last_written: null,
  })
  expect(all.tasks.find(({ name }) => name === 'load')).toEqual({
    id: 'task 3',
    task_id: 3,
    name: 'load',
    jobs: [{ job_id: first, name: 'first', task_key: 'load' }],
    last_run: null,
  })

  const dataset = 'sqlite:///data/shop.db main.orders'
  const near = async (query: QueryOf<typeof getLineage>) => {
    const { datasets, tasks } = await lineage(query)
    return [...datasets.map(({ label }) => label), ...tasks.map(({ name }) => name)].toSorted()
  }
  expect(await near({ dataset, depth: 1 })).toEqual(['load', 'orders', 'sum'])
  expect(await near({ dataset, direction: 'upstream' })).toEqual(['load', 'orders', 'raw'])
  expect(await near({ dataset, direction: 'downstream' })).toEqual(['orders', 'sum', 'totals'])
  expect(await near({ job_id: first, depth: 0 })).toEqual(['load'])
  expect(await near({ task_id: 4, depth: 1 })).toEqual(['orders', 'sum', 'totals'])
  expect(await near({ connector_id: writer, depth: 0 })).toEqual(['orders', 'totals'])
})

test('when, by which run and how many rows were last written', async () => {
  const { job2, task, reader, writer, lineage, start, drain, platform, claim, fail } = await world()
  await task(copy('load', 'raw', 'orders'))
  const job = await job2('first', `  load: {task: load, connectors: ${slots}}\n`, { a: reader, b: writer })
  start(job)
  const [plan] = await drain(() => ({ item_count: 4_200 }))
  const written = await lineage()
  const run = plan!.run_id
  expect(named(written, 'main.orders')?.last_written).toEqual({
    at: expect.any(String),
    run_id: run,
    task_id: 3,
    task_name: 'load',
    rows: 4_200,
  })
  expect(written.tasks.find(({ name }) => name === 'load')?.last_run).toMatchObject({ run_id: run, status: 'success' })

  // A failure is said of the task; what it has not written stays as it was.
  start(job)
  for (const next of claim()) await fail(next)
  const failed = await lineage()
  expect(failed.tasks.find(({ name }) => name === 'load')?.last_run).toMatchObject({ status: 'failed' })
  expect(named(failed, 'main.orders')?.last_written).toEqual(named(written, 'main.orders')?.last_written)

  platform.store.sqlite.exec('DELETE FROM runs')
  expect(named(await lineage(), 'main.orders')?.last_written).toMatchObject({ run_id: null, rows: 4_200 })
})

test('of a fan-out, the rows of all its items in the last job run count', async () => {
  const { job2, task, reader, writer, lineage, start, drain } = await world()
  await task(copy('load', 'raw', 'orders'))
  const fan = `  load: {task: load, connectors: ${slots}, for_each: {in: [1, 2, 3], as: x}}\n`
  const job = await job2('first', fan, { a: reader, b: writer })
  for (const rows of [100, 10]) {
    start(job)
    await drain(() => ({ item_count: rows }))
    expect(named(await lineage(), 'main.orders')?.last_written).toMatchObject({ rows: 3 * rows })
  }
})

test('a run that is reported late does not take the place of a newer one', async () => {
  const { editor, platform, task, reader, writer, lineage, claim, complete } = await world()
  const { id } = await task(copy('load', 'raw', 'orders'))
  const body = { connector_mapping: { src: reader, out: writer } }
  await editor.call(triggerRun, { params: { taskId: id }, body })
  await editor.call(triggerRun, { params: { taskId: id }, body })
  const [first, second] = claim().toSorted((a, b) => a.run_id - b.run_id)
  const earlier = platform.clock.iso()
  await vi.waitUntil(() => platform.clock.iso() > earlier)
  const later = platform.clock.iso()
  await complete(second!, { started_at: earlier, completed_at: later, item_count: 2 })
  await complete(first!, { started_at: earlier, completed_at: earlier, item_count: 1 })
  const now = await lineage()
  expect(named(now, 'main.orders')?.last_written).toMatchObject({ at: later, run_id: second!.run_id, rows: 2 })
  expect(now.tasks.find(({ name }) => name === 'load')?.last_run).toMatchObject({ run_id: second!.run_id })
})

test('a task with other connectors is another node, and a text of the job’s own counts', async () => {
  const { job2, task, editor, reader, writer, other, lineage } = await world()
  await task(copy('load', 'raw', 'orders'))
  const node = `  load: {task: load, connectors: ${slots}}\n`
  await job2('production', node, { a: reader, b: writer })
  const staging = await job2('staging', node, { a: other, b: other })
  const tasks = async () => (await lineage()).tasks.filter(({ name }) => name === 'load')
  expect((await tasks()).map(({ id, jobs }) => [id, jobs.map(({ name }) => name)])).toEqual([
    ['task 3', ['production']],
    ['task 3 2', ['staging']],
  ])
  const body = { yaml_content: copy('load', 'raw', 'trial') }
  await editor.call(setJobTaskOverride, { params: { id: staging, key: 'load' }, body })
  expect(named(await lineage(), 'main.trial')?.namespace).toBe('sqlite:///data/other.db')
})

test('texts are read before they are asked for, also while further tasks are created', async () => {
  const { task, platform } = await world()
  const read = platform.store.sqlite.prepare<[], number>('SELECT count(*) FROM lineage_texts').pluck()
  const before = read.get() ?? 0
  let created = 0
  await vi.waitFor(
    async () => {
      await task(copy(`load${created++}`, 'raw', 'orders'))
      expect(read.get()).toBeGreaterThan(before)
    },
    { timeout: 20_000, interval: 50 },
  )
})

test('tasks that no job runs count with the connectors of their runs, or with none', async () => {
  const { task, editor, reader, writer, lineage, drain } = await world()
  const { id } = await task(copy('alone', 'raw', 'orders'))
  const unbound = await lineage({ task_id: id })
  expect(unbound.datasets.map((dataset) => dataset.id)).toEqual([`unbound:${id}/src raw`, `unbound:${id}/out orders`])
  await editor.post(`/api/runs/trigger/${id}`, { connector_mapping: { src: reader, out: writer } })
  await drain()
  expect((await lineage({ task_id: id })).datasets.map((dataset) => dataset.id)).toEqual([
    'sqlite:///data/shop.db main.raw',
    'sqlite:///data/shop.db main.orders',
  ])
  // What an older version wrote isn't claimed of the table that the newest one writes.
  await editor.call(updateTask, { params: { id }, body: { yaml_content: copy('alone', 'raw', 'elsewhere') } })
  expect(named(await lineage(), 'main.elsewhere')?.last_written).toBeNull()
})

test('columns of a task, with the datasets they come from', async () => {
  const { task, lineage } = await world()
  const { id } = await task(copy('shape', 'raw', 'orders', "steps:\n  - select: [a]\n  - derive: {b: 'a + 1'}\n"))
  const { tasks } = await lineage({ task_id: id, columns: true })
  const origin = { part: 'source', datasets: [`unbound:${id}/src raw`], column: 'a' }
  expect(tasks[0]?.columns).toEqual({
    known: [
      { name: 'a', origins: [{ ...origin, unchanged: true }] },
      { name: 'b', origins: [{ ...origin, unchanged: false }] },
    ],
    others: false,
  })
  expect((await lineage({ task_id: id })).tasks[0]).not.toHaveProperty('columns')
})
