// Custom metrics: where their values come from, when they are violated, and who is told.
import { expect, test } from 'vitest'
import { getAttention } from '../../../src/contract/attention.ts'
import type { CustomMetric, CustomMetricState } from '../../../src/contract/custom-metrics.ts'
import type { ChunkHead } from '../../../src/contract/executor-results.ts'
import { getLineage } from '../../../src/contract/lineage.ts'
import {
  getMetricsConfig,
  listMetrics,
  queryMetrics,
  testMetricQuery,
  updateMetricsConfig,
} from '../../../src/contract/metrics.ts'
import { systemClock } from '../../../src/server/platform/clock.ts'
import { controlPlane, taskYaml } from '../runs/control-plane.ts'
import { fakeExecutor } from '../runs/fake-executor.ts'
import { channels } from '../notifications/notification-world.ts'
import type { TestServerOptions } from '../../support/server.ts'

const minute = 60_000
const day = 24 * 60 * minute

/** A clock whose time of day can be set; what is measured with it goes on. */
function wallClock() {
  const clock = {
    offset: 0,
    now: () => new Date(systemClock.now().getTime() + clock.offset),
    iso: () => clock.now().toISOString(),
    monotonic: systemClock.monotonic,
  }
  return clock
}

async function world(options: TestServerOptions = {}) {
  const clock = wallClock()
  const plane = await controlPlane({ clock, ...options })
  const executor = await fakeExecutor(plane)
  const told = await channels(plane.editor).create({
    type: 'desktop',
    on: ['metric_violated', 'metric_recovered'],
    job_ids: [],
  })
  return {
    plane,
    clock,
    executor,
    set: (...custom: CustomMetric[]) => plane.editor.call(updateMetricsConfig, { body: { custom } }),
    async stateOf(name: string): Promise<CustomMetricState> {
      const found = (await plane.editor.call(listMetrics)).find((metric) => metric.name === name)
      return found!.custom!
    },
    query: async (metric: string, more: { bucket?: 'hour' | 'total' } = {}) => {
      const [from, to] = [-day, day].map((by) => new Date(clock.now().getTime() + by).toISOString())
      const { bucket = 'total' } = more
      return plane.editor.call(queryMetrics, { body: { metric, from: from!, to: to!, bucket } })
    },
    /** What the channel was told, oldest first. */
    told: async () => (await channels(plane.editor).deliveries(told)).map(({ event }) => event),
    attention: async () => {
      const { items } = await plane.editor.call(getAttention)
      return items.flatMap(({ kind, name, message }) => (kind === 'metric' ? [`${name}: ${message}`] : []))
    },
    /** A run that ends as it is told. */
    async run(report: Record<string, unknown> = {}) {
      const { id } = await plane.trigger()
      const { runs } = await executor.claim()
      const now = clock.iso()
      const answer = await executor.complete(runs[0]!, { started_at: now, completed_at: now, ...report })
      if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
      return id
    },
  }
}

const output = (task_id: number, more: Partial<CustomMetric> = {}): CustomMetric => ({
  name: 'amount',
  source: { kind: 'output', task_id, field: 'total' },
  ...more,
})

test('numbers of succeeded runs are the values of a metric, from outputs and from the summary', async () => {
  const { plane, set, run, query, stateOf } = await world()
  const { taskId } = plane
  await set(
    ...(['sum', 'avg', 'min', 'max', 'last'] as const).map((aggregate) =>
      output(taskId, { name: `total_${aggregate}`, aggregate, unit: 'EUR' }),
    ),
    { name: 'nested', source: { kind: 'output', task_id: taskId, field: 'by.country' } },
    { name: 'read', source: { kind: 'summary', task_id: taskId, field: 'rows_in' } },
  )
  for (const total of [3, 8, 1]) {
    await run({ outputs: { total, by: { country: total * 2 } }, metrics: { rows_in: total * 10, lane: 'x' } })
  }
  await run({ status: 'failed', outputs: { total: 1000 }, error: { code: 'X', message: 'x', retryable: false } })
  const totals = await Promise.all(['sum', 'avg', 'min', 'max', 'last'].map((name) => query(`total_${name}`)))
  expect(totals.map(({ series }) => series[0]!.total)).toEqual([12, 4, 1, 8, 1])
  expect(totals[0]).toMatchObject({ metric: 'total_sum', unit: 'EUR', series: [{ group: {}, values: [12] }] })
  expect((await query('nested')).series[0]!.total).toBe(2)
  expect((await query('read')).series[0]!.total).toBe(10)
  const hours = await query('total_sum', { bucket: 'hour' })
  expect(hours.series[0]!.values.reduce((sum, value) => sum! + value!, 0)).toBe(12)
  const last = await run({ outputs: { total: 'many' }, metrics: {} })
  expect(await stateOf('total_last')).toMatchObject({
    kind: 'output',
    value: 1,
    state: 'ok',
    error_message: `Run #${last} has no number at "total".`,
  })
})

test('a threshold is told of once when it is violated and once when it no longer is, whatever comes between', async () => {
  const { plane, set, run, told, attention, stateOf } = await world()
  await set(output(plane.taskId, { threshold: { above: 100, below: 10 } }))
  const value = (total: number) => run({ outputs: { total } })
  await value(50)
  expect(await told()).toEqual([])
  await value(101)
  await value(12500.000125)
  expect(await told()).toEqual(['metric_violated'])
  expect(await attention()).toEqual(['amount: The value 12,500.000125 is above 100'])
  await value(9.5)
  expect(await told()).toEqual(['metric_violated'])
  expect(await stateOf('amount')).toMatchObject({ state: 'violated', error_message: 'The value 9.5 is below 10' })
  await value(10)
  expect(await told()).toEqual(['metric_violated', 'metric_recovered'])
  expect(await attention()).toEqual([])
  // A stricter rule is violated by the value that is known, and one that is removed is violated no more.
  await set(output(plane.taskId, { threshold: { below: 11 } }))
  await set()
  expect(await told()).toEqual(['metric_violated', 'metric_recovered', 'metric_violated', 'metric_recovered'])
  expect((await plane.editor.call(getMetricsConfig)).custom).toEqual([])
})

test('data that is not written before its deadline is violated until it is, by whatever is watched', async () => {
  const { plane, clock, set, run, told, stateOf, attention } = await world()
  const { services } = plane
  await run()
  const { datasets } = await plane.editor.call(getLineage)
  const dataset = datasets.find(({ last_written }) => last_written !== null)!.id
  const of = (name: string, freshness_of: { dataset: string } | { task_id: number }): CustomMetric => ({
    name,
    source: { kind: 'freshness', freshness_of, deadline_minutes: 60 },
  })
  await set(of('by_dataset', { dataset }), of('by_task', { task_id: plane.taskId }))
  const first = await stateOf('by_dataset')
  expect(first).toMatchObject({ state: 'ok', kind: 'freshness' })
  expect(Date.parse(first.deadline_at!) - Date.parse(first.value_at!)).toBe(60 * minute)
  clock.offset += 59 * minute
  services.metrics.watch()
  expect(await told()).toEqual([])
  clock.offset += 2 * minute
  services.metrics.watch()
  services.metrics.watch()
  expect(await told()).toEqual(['metric_violated', 'metric_violated'])
  expect((await attention()).map((text) => text.split(':')[0]).toSorted((a, b) => a!.localeCompare(b!))).toEqual([
    'by_dataset',
    'by_task',
  ])
  const lineage = await plane.editor.call(getLineage)
  expect(lineage.datasets.find(({ id }) => id === dataset)!.freshness).toMatchObject({
    metric: 'by_dataset',
    state: 'violated',
  })
  // A run that fails writes nothing.
  await run({ status: 'failed', error: { code: 'X', message: 'x', retryable: false } })
  expect(await told()).toHaveLength(2)
  const id = await run()
  expect((await told()).slice(2)).toEqual(['metric_recovered', 'metric_recovered'])
  expect(await stateOf('by_task')).toMatchObject({ state: 'ok', run_id: id, value: expect.any(Number) })
})

test('a clock that jumps raises nothing twice and hides nothing for ever', async () => {
  const { plane, clock, set, run, told } = await world()
  const { metrics } = plane.services
  const watch = (by: number) => {
    clock.offset += by
    metrics.watch()
  }
  await set({
    name: 'fresh',
    source: { kind: 'freshness', freshness_of: { task_id: plane.taskId }, deadline_minutes: 60 },
  })
  await run()
  watch(2 * day)
  watch(-2 * day)
  watch(0)
  // Put back: what was told stays until it is written.
  expect(await told()).toEqual(['metric_violated'])
  await run()
  expect(await told()).toEqual(['metric_violated', 'metric_recovered'])
  // Written in a year that turns out to be wrong: the deadline counts from when that was noticed.
  clock.offset += 365 * day
  await run()
  watch(-365 * day)
  watch(61 * minute)
  expect((await told()).slice(2)).toEqual(['metric_violated'])
})

test('a write that is reported late does not make the data older than it is', async () => {
  const { plane, clock, set, executor, stateOf } = await world()
  await set({
    name: 'fresh',
    source: { kind: 'freshness', freshness_of: { task_id: plane.taskId }, deadline_minutes: 60 },
  })
  const ids = [(await plane.trigger()).id, (await plane.trigger()).id]
  const { runs } = await executor.claim()
  const [first, second] = ids.map((id) => runs.find(({ run_id }) => run_id === id)!)
  clock.offset += 10 * minute
  const earlier = clock.iso()
  clock.offset += 10 * minute
  const later = clock.iso()
  await executor.complete(second!, { started_at: earlier, completed_at: later })
  await executor.complete(first!, { started_at: earlier, completed_at: earlier })
  expect(await stateOf('fresh')).toMatchObject({ value_at: later, run_id: second!.run_id })
})

const start: NonNullable<ChunkHead['start']> = {
  fields: [{ name: 'n', type: 'bigint', native: 'int8' }],
  statement: 'SELECT count(*)',
}

test('the query of a metric runs in an executor when it is due, and gives one number or says what is wrong', async () => {
  const { plane, clock, executor, set, told, stateOf, attention } = await world()
  const { metrics } = plane.services
  const connector_id = plane.mapping.out
  const answer = async (rows: unknown[][], head: Partial<ChunkHead> = {}) => {
    metrics.watch()
    const { results } = await executor.claim({ result_slots: 4, wait_ms: 5_000 })
    expect(results.map(({ query }) => query)).toEqual(['SELECT count(*)'])
    await executor.chunk(results[0]!.result_id, { seq: 1, rows: rows.length, total: rows.length, start, ...head }, rows)
    await metrics.ended()
    clock.offset += 5 * minute
  }
  await set({
    name: 'open_orders',
    unit: 'orders',
    source: { kind: 'query', connector_id, query: 'SELECT count(*)', every_minutes: 5 },
    threshold: { above: 10 },
  })
  await answer([['7']])
  expect(await stateOf('open_orders')).toMatchObject({ value: 7, state: 'ok', run_id: null, error_message: null })
  await answer([['12']])
  expect(await told()).toEqual(['metric_violated'])
  // Not due yet: nothing is asked.
  clock.offset -= 4 * minute
  metrics.watch()
  expect((await executor.claim({ result_slots: 4 })).results).toEqual([])
  clock.offset += 4 * minute
  await answer([[null]])
  expect(await stateOf('open_orders')).toMatchObject({ value: 12, state: 'violated' })
  await answer([['3']])
  expect(await told()).toEqual(['metric_violated', 'metric_recovered'])

  await answer([])
  expect(await stateOf('open_orders')).toMatchObject({ state: 'ok', error_message: expect.stringContaining('no row') })
  await answer([['1'], ['2']])
  expect(await attention()).toEqual([])
  await answer([['n/a']])
  expect(await stateOf('open_orders')).toMatchObject({
    state: 'failing',
    value: 3,
    error_message: 'The value of "n" (bigint) isn’t a number. Convert it in the query.',
  })
  expect(await attention()).toEqual(['open_orders: The value of "n" (bigint) isn’t a number. Convert it in the query.'])
  await answer([['4']])
  expect(await attention()).toEqual([])
})

test('a query is tried before it is saved, and what it must not return is a mistake of it', async () => {
  const { plane, executor } = await world()
  const asked = async (rows: unknown[][], head: Partial<ChunkHead> = {}) => {
    const answer = plane.editor.post('/api/metrics/config/test', {
      connector_id: plane.mapping.out,
      query: 'SELECT count(*)',
    })
    const { results } = await executor.claim({ result_slots: 4, wait_ms: 5_000 })
    await executor.chunk(results[0]!.result_id, { seq: 1, rows: rows.length, total: rows.length, start, ...head }, rows)
    const { status, body } = await answer
    const [detail] = (body as { details?: { code: string; path: string }[] }).details ?? []
    return detail ? `${status} ${detail.path} ${detail.code}` : (body as { value: number }).value
  }
  expect(await asked([['42']])).toBe(42)
  expect(await asked([[{ decimal: '1.5' }]])).toBe(1.5)
  expect(await asked([[null]])).toBeNull()
  const documents: (typeof start)['fields'] = [{ name: 'document', type: 'document', native: 'document' }]
  const document = { start: { ...start, fields: documents } }
  expect(await asked([[{ _id: null, n: { $numberLong: '12' } }]], document)).toBe(12)
  expect(await asked([])).toBe('400 body.query metric_query_no_row')
  expect(await asked([['1'], ['2']])).toBe('400 body.query metric_query_rows')
  const two = { start: { ...start, fields: [start.fields[0]!, start.fields[0]!] } }
  expect(await asked([['1', '2']], two)).toBe('400 body.query metric_query_columns')
  expect(await asked([['0x10']])).toBe('400 body.query metric_query_not_number')
  expect(await asked([['Infinity']])).toBe('400 body.query metric_query_not_number')
  const nowhere = await plane.editor.post('/api/metrics/config/test', { connector_id: 999, query: 'x' })
  expect(nowhere).toMatchObject({
    status: 400,
    body: { details: [{ path: 'body.connector_id', code: 'no_connector' }] },
  })
  expect((await plane.as('viewer').post('/api/metrics/config/test', {})).status).toBe(403)
  expect(testMetricQuery.id).toBe('testMetricQuery')
})

test('settings that can’t be right are refused with their place, and nothing of them is kept', async () => {
  const { plane, set } = await world()
  const { taskId } = plane
  await set(output(taskId))
  const refused = async (...custom: object[]) => {
    const { status, body } = await plane.editor.put('/api/metrics/config', { custom, retention_days: 3 })
    const { details } = body as { details: { path: string; code: string }[] }
    return [status, ...details.map(({ path, code }) => `${path} ${code}`)]
  }
  const fresh = (freshness_of: object) => ({ kind: 'freshness', freshness_of, deadline_minutes: 5 })
  expect(await refused(output(taskId), output(taskId))).toEqual([400, 'body.custom[1].name metric_name_taken'])
  expect(await refused(output(taskId, { name: 'runs' }))).toEqual([400, 'body.custom[0].name metric_name_builtin'])
  expect(await refused(output(999))).toEqual([400, 'body.custom[0].source.task_id metric_no_task'])
  expect(await refused(output(taskId, { threshold: { above: 1, below: 2 } }))).toEqual([
    400,
    'body.custom[0].threshold.above metric_threshold_order',
  ])
  const query = { kind: 'query', connector_id: 999, query: 'x', every_minutes: 5 }
  expect(await refused({ name: 'a', source: query })).toEqual([400, 'body.custom[0].source.connector_id no_connector'])
  expect(await refused({ name: 'a', source: fresh({ job_id: 999 }) })).toEqual([
    400,
    'body.custom[0].source.freshness_of.job_id no_job',
  ])
  expect(await refused({ name: 'a', source: fresh({ dataset: 'nowhere x' }) })).toEqual([
    400,
    'body.custom[0].source.freshness_of.dataset metric_no_dataset',
  ])
  const late = { name: 'a', source: fresh({ task_id: taskId }), threshold: { above: 1 }, unit: 'h' }
  expect(await refused(late)).toEqual([
    400,
    'body.custom[0].threshold metric_threshold_not_here',
    'body.custom[0].unit metric_unit_not_here',
  ])
  expect((await refused({ name: 'Not a name', source: query }))[0]).toBe(400)
  const config = await plane.editor.call(getMetricsConfig)
  expect(config).toMatchObject({ retention_days: 400, custom: [{ name: 'amount' }] })
  const query1 = (body: object) => plane.editor.post('/api/metrics/query', { metric: 'amount', ...body })
  const time = { from: '2026-03-01T00:00:00Z', to: '2026-03-02T00:00:00Z', bucket: 'day' }
  expect((await query1({ ...time, group_by: ['task'] })).body).toMatchObject({
    details: [{ path: 'body.group_by', code: 'metric_one_series' }],
  })
})

test('values go with their metric and with time, and another metric of the name begins without them', async () => {
  const { plane, clock, set, run, query } = await world()
  await set(output(plane.taskId, { aggregate: 'sum' }))
  await run({ outputs: { total: 5 } })
  const rows = () =>
    plane.platform.store.sqlite.prepare<[], number>('SELECT count(*) FROM custom_metric_rollups').pluck().get()
  expect(rows()).toBe(3)
  await set()
  await set(output(plane.taskId, { aggregate: 'sum' }))
  expect((await query('amount')).series[0]!.total).toBe(0)
  const letGo = () => {
    for (const piece of plane.services.metrics.lettingGo()) while (plane.platform.store.transaction(piece));
  }
  letGo()
  expect(rows()).toBe(0)
  await run({ outputs: { total: 7 } })
  await plane.editor.call(updateMetricsConfig, { body: { retention_days: 1 } })
  clock.offset += 3 * day
  letGo()
  expect(rows()).toBe(0)
})

test('a job is fresh as long as its newest completed job run is', async () => {
  const { plane, clock, set, told, stateOf } = await world()
  const { sqlite } = plane.platform.store
  const { editor } = plane
  await editor.post('/api/tasks', { yaml_content: taskYaml('load') })
  const template = await editor.post('/api/job-templates', {
    yaml_content:
      'etl: 1\nkind: job\nname: t\nconnectors: {out: {type: file}}\ntasks: {load: {task: load, connectors: {out: out}}}\n',
  })
  const { id } = template.body as { id: number }
  const made = await editor.post(`/api/job-templates/${id}/jobs`, { name: 'nightly', connector_mapping: plane.mapping })
  const job = (made.body as { id: number }).id
  await set({
    name: 'nightly_age',
    source: { kind: 'freshness', freshness_of: { job_id: job }, deadline_minutes: 10 },
  })
  clock.offset += 11 * minute
  plane.services.metrics.watch()
  expect(await told()).toEqual(['metric_violated'])
  expect(await stateOf('nightly_age')).toMatchObject({
    value: null,
    error_message: expect.stringMatching(/^Never written/),
  })
  const started = await editor.post(`/api/jobs/${job}/run`, {})
  expect(started.status).toBe(201)
  const executor = await fakeExecutor(plane, 'second')
  const { runs } = await executor.claim()
  const now = clock.iso()
  await executor.complete(runs[0]!, { started_at: now, completed_at: now })
  expect(await told()).toEqual(['metric_violated', 'metric_recovered'])
  expect(sqlite.prepare('SELECT status FROM job_runs').pluck().all()).toEqual(['completed'])
})
