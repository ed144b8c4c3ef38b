import { expect, test, vi } from 'vitest'
import type { KeyValue } from '../../../src/server/features/telemetry/otlp-values.ts'
import { createPipelineMetrics } from '../../../src/server/features/telemetry/pipeline-metrics.ts'
import { postJson } from '../../../src/server/features/telemetry/post-json.ts'
import type { RunFacts } from '../../../src/server/features/telemetry/facts.ts'
import { type Span, resultOf, runSpans } from '../../../src/server/features/telemetry/traces.rules.ts'
import { jobPlane } from '../job-runs/job-plane.ts'
import { type Received, createReceiver } from './receiver.ts'

// As the server that is tested has it.
const spansIn = (received: readonly Received[]) =>
  received
    .filter(({ path }) => path === '/v1/traces')
    .flatMap(({ body }) => body['resourceSpans'] as { scopeSpans: { spans: Span[] }[] }[])
    .flatMap(({ scopeSpans }) => scopeSpans)
    .flatMap(({ spans }) => spans)
const isText = (value: KeyValue['value'], text: string) => 'stringValue' in value && value.stringValue === text
const step = (attempt: number) => ({
  index: 0,
  key: 'source',
  label: `read ${attempt}`,
  status: 'success',
  rows_in: 3,
  rows_out: 3,
  rows_rejected: 0,
  bytes: 9,
  started_at: '2026-03-01T08:30:00.000Z',
  duration_ms: 1.5,
  columns: [],
})
const at = '2026-03-01T08:00:00.000Z'
const failedRun: RunFacts = {
  id: 7,
  task_id: 1,
  task_name: 'orders.load',
  task_version: 1,
  override_hash: null,
  job_run_id: null,
  task_key: null,
  item_index: null,
  trigger_type: 'api',
  connector_mapping: null,
  logical_date: at,
  attempt: 1,
  status: 'failed',
  executor_name: 'local',
  created_at: at,
  started_at: at,
  completed_at: at,
  updated_at: at,
  item_count: null,
  reject_count: null,
  error_code: 'TIMEOUT',
  error_message: null,
}

test('a job run is one trace: its runs, their attempts linked, and their steps', async () => {
  const { platform, job, start, claim, complete, fail } = await jobPlane()
  const receiver = await createReceiver()
  platform.config.telemetry.otlpEndpoint = `${receiver.url}/`
  platform.config.telemetry.otlpKey = 'secret-key'
  platform.config.telemetry.otlpHeaders = 'x-team=etl%2C%20nightly,x-dataset=prod'
  const id = await job('  a: {task: stubborn, connectors: {out: dir}}\n')
  start(id)
  for (const plan of claim()) await fail(plan, true)
  for (const plan of claim()) await complete(plan, { steps: [step(2)] })
  await vi.waitFor(() => expect(spansIn(receiver.received)).toHaveLength(5))
  expect(receiver.received[0]?.headers).toMatchObject({
    authorization: 'Bearer secret-key',
    'x-team': 'etl, nightly',
    'x-dataset': 'prod',
  })
  const spans = new Map(spansIn(receiver.received).map((span) => [span.name, span]))
  const of = (name: string) => spans.get(name)!
  expect([...spans.keys()].toSorted()).toEqual(['RUN job_1', 'a', 'attempt 1', 'attempt 2', 'read 2'])
  expect(new Set([...spans.values()].map(({ traceId }) => traceId)).size).toBe(1)
  expect(of('RUN job_1').parentSpanId).toBeUndefined()
  expect(of('a').parentSpanId).toBe(of('RUN job_1').spanId)
  expect(of('attempt 1').parentSpanId).toBe(of('a').spanId)
  expect(of('read 2').parentSpanId).toBe(of('attempt 2').spanId)
  expect(of('attempt 2').links).toEqual([{ traceId: of('a').traceId, spanId: of('attempt 1').spanId }])
  expect(of('attempt 1').status).toEqual({ code: 2, message: 'The table is locked.' })
  expect(of('a').status).toEqual({ code: 0 })
  expect(of('RUN job_1').attributes).toContainEqual({ key: 'cicd.pipeline.result', value: { stringValue: 'success' } })
  expect(of('read 2')).toMatchObject({
    startTimeUnixNano: '1772353800000000000',
    endTimeUnixNano: '1772353800001500000',
    attributes: expect.arrayContaining([{ key: 'headgate.rows_out', value: { intValue: '3' } }]),
  })
})

test('spans have the address of their run: the public one, or where the server listens', async () => {
  const { platform, url, job, start, drain } = await jobPlane()
  const receiver = await createReceiver()
  platform.config.telemetry.otlpEndpoint = receiver.url
  const id = await job('  a: {task: work, connectors: {out: dir}}\n')
  const addresses = () =>
    spansIn(receiver.received)
      .flatMap(({ attributes }) => attributes)
      .filter(({ key }) => key.endsWith('.url.full'))
  const address = (key: string, path: string) => ({ key, value: { stringValue: path } })
  start(id)
  await drain()
  await vi.waitFor(() => expect(addresses()).toHaveLength(2))
  platform.config.publicUrl = 'https://etl.example/headgate'
  start(id)
  await drain()
  await vi.waitFor(() => expect(addresses()).toHaveLength(4))
  expect(addresses()).toEqual([
    address('cicd.pipeline.task.run.url.full', `${url}/runs/1`),
    address('cicd.pipeline.run.url.full', `${url}/job-runs/1`),
    address('cicd.pipeline.task.run.url.full', 'https://etl.example/headgate/runs/2'),
    address('cicd.pipeline.run.url.full', 'https://etl.example/headgate/job-runs/2'),
  ])
})

test('a span that the receiver refuses, or too many at once, cost no others', async () => {
  const logged: string[] = []
  const { platform, job, start, drain } = await jobPlane({ onLog: (line) => logged.push(line) })
  // Down until everything waits; then it takes no more than 8 spans at once, and never those of the job run `refused`.
  let up = false
  const receiver = await createReceiver((_number, body) => {
    if (!up) return 503
    const spans = spansIn([{ path: '/v1/traces', headers: {}, body }])
    if (spans.length > 8) return 413
    return spans.some(({ attributes }) => attributes.some(({ value }) => isText(value, refused))) ? 400 : 200
  })
  platform.config.telemetry.otlpEndpoint = receiver.url
  const id = await job('  a: {task: work, connectors: {out: dir}}\n')
  const refused = 'http://here/job-runs/7'
  platform.config.publicUrl = 'http://here'
  for (let at = 0; at < 20; at++) start(id)
  await drain()
  up = true
  const left = platform.store.sqlite.prepare('SELECT count(*) FROM telemetry_outbox').pluck()
  await vi.waitFor(() => expect(left.get()).toBe(0), { timeout: 10_000 })
  const told = spansIn(receiver.received).flatMap(({ attributes }) =>
    attributes.flatMap(({ key, value }) =>
      key.endsWith('.url.full') && 'stringValue' in value ? [value.stringValue] : [],
    ),
  )
  const all = Array.from({ length: 20 }, (_, at) => [`http://here/runs/${at + 1}`, `http://here/job-runs/${at + 1}`])
  expect(told.toSorted()).toEqual(
    all
      .flat()
      .filter((url) => url !== refused)
      .toSorted(),
  )
  const refusals = logged.filter((line) => line.includes('refused a span'))
  expect(refusals).toHaveLength(1)
  expect(JSON.parse(refusals[0]!)).toMatchObject({
    kind: 'job_run_ended',
    id: 7,
    reason: 'The receiver answered 400: {}',
  })
}, 20_000)

test('a failure of the system is an error, one of the task a failure', () => {
  const resultsOf = (codes: string[]) => codes.map((error_code) => resultOf({ status: 'failed', error_code }))
  expect(resultsOf(['EXECUTOR_LOST', 'WORKER_CRASHED', 'TYPE_ERROR', 'TIMEOUT'])).toEqual([
    'error',
    'error',
    'failure',
    'timeout',
  ])
  expect(resultOf({ status: 'completed' })).toBe('success')
})

test('metrics follow the CI/CD conventions', async () => {
  const { platform, services, job, start, drain, claim, fail } = await jobPlane()
  const receiver = await createReceiver()
  platform.config.telemetry.otlpEndpoint = receiver.url
  const id = await job('  a: {task: work, connectors: {out: dir}}\n')
  start(id)
  await drain()
  start(id)
  for (const plan of claim()) await fail(plan)
  start(id)
  await services.telemetry.sendMetrics()
  const sent = receiver.received.find(({ path }) => path === '/v1/metrics')!.body
  // As the server that is tested has it.
  const [{ scopeMetrics }] = sent['resourceMetrics'] as [{ scopeMetrics: { metrics: { name: string }[] }[] }]
  const metrics = new Map(scopeMetrics[0]!.metrics.map((metric) => [metric.name, metric]))
  const pipeline = { key: 'cicd.pipeline.name', value: { stringValue: 'job_1' } }
  const result = (value: string) => ({ key: 'cicd.pipeline.result', value: { stringValue: value } })
  expect(metrics.get('cicd.pipeline.run.duration')).toMatchObject({
    unit: 's',
    histogram: {
      aggregationTemporality: 2,
      dataPoints: [
        { count: '1', attributes: expect.arrayContaining([pipeline, result('success')]) },
        { count: '1', attributes: expect.arrayContaining([pipeline, result('failure')]) },
      ],
    },
  })
  expect(metrics.get('cicd.pipeline.run.errors')).toMatchObject({
    sum: { isMonotonic: true, dataPoints: [{ asInt: '1', attributes: expect.arrayContaining([pipeline]) }] },
  })
  expect(metrics.get('cicd.pipeline.run.active')).toMatchObject({
    sum: {
      isMonotonic: false,
      dataPoints: ['pending', 'executing'].map((state, at) => ({
        asInt: String(at),
        attributes: [pipeline, { key: 'cicd.pipeline.run.state', value: { stringValue: state } }],
      })),
    },
  })
  expect(metrics.get('cicd.worker.count')).toBeDefined()
})

test('a pipeline that is no longer active is 0, and pipelines beyond the limit are one', () => {
  const metrics = createPipelineMetrics('2026-03-01T00:00:00.000Z')
  const active = (...names: string[]) => {
    const found = metrics
      .at(
        '2026-03-01T00:01:00.000Z',
        names.map((name) => ({ name, status: 'running', n: 1 })),
        { available: 1, busy: 0, offline: 0 },
      )
      .find(({ name }) => name === 'cicd.pipeline.run.active')
    // As it is made.
    const { dataPoints } = (found as { sum: { dataPoints: { attributes: KeyValue[]; asInt: string }[] } }).sum
    return dataPoints.flatMap(({ attributes, asInt }) => {
      const [name, state] = attributes.map(({ value }) => ('stringValue' in value ? value.stringValue : ''))
      return state === 'executing' ? [`${name} ${asInt}`] : []
    })
  }
  expect(active('a', 'b')).toEqual(['a 1', 'b 1'])
  expect(active('b')).toEqual(['a 0', 'b 1'])
  const many = active(...Array.from({ length: 3_000 }, (_, at) => `p${at}`))
  expect(many).toHaveLength(2_001)
  expect(many.at(-1)).toBe('_other 1002')
})

test('runs that fail with their executor count as errors of the system, those of a task do not', () => {
  const metrics = createPipelineMetrics('2026-03-01T00:00:00.000Z')
  for (const error_code of ['EXECUTOR_LOST', 'EXECUTOR_LOST', 'TYPE_ERROR']) {
    metrics.runEnded({ ...failedRun, job_run_id: 3, error_code })
  }
  const all = metrics.at('2026-03-01T00:01:00.000Z', [], { available: 1, busy: 0, offline: 0 })
  expect(all.find(({ name }) => name === 'cicd.system.errors')).toMatchObject({
    sum: {
      isMonotonic: true,
      dataPoints: [
        {
          asInt: '2',
          attributes: [
            { key: 'cicd.system.component', value: { stringValue: 'executor' } },
            { key: 'error.type', value: { stringValue: 'EXECUTOR_LOST' } },
          ],
        },
      ],
    },
  })
})

test('a run outside of jobs is a pipeline run, one of a job is a part of it', () => {
  const context = { store: 'store', url: 'https://etl.example' }
  const [own] = runSpans(context, failedRun, [], [])
  expect(own).toMatchObject({
    kind: 2,
    name: 'RUN orders.load',
    attributes: expect.arrayContaining([
      { key: 'cicd.pipeline.name', value: { stringValue: 'orders.load' } },
      { key: 'cicd.pipeline.result', value: { stringValue: 'timeout' } },
      { key: 'cicd.pipeline.task.run.url.full', value: { stringValue: 'https://etl.example/runs/7' } },
    ]),
  })
  const [part] = runSpans(context, { ...failedRun, job_run_id: 3, task_key: 'load' }, [], [])
  expect(part?.kind).toBe(1)
  expect(part?.attributes.filter(({ key }) => /^cicd\.pipeline\.(name|result)$/.test(key))).toEqual([])
})

test('nothing is sent to where clouds give out credentials, by address, by name, or through a redirect', async () => {
  const aborted = new AbortController().signal
  const to = (url: string) => postJson({ url, key: 'secret', version: '1', signal: aborted }, {})
  for (const url of [
    'http://169.254.169.254/v1/traces',
    'http://[64:ff9b::a9fe:a9fe]/',
    'http://metadata.google.internal/',
  ])
    await expect(to(url)).rejects.toThrow('This address is not allowed')
  const receiver = await createReceiver(() => 302)
  await expect(to(receiver.url)).rejects.toThrow('The receiver answered 302')
  expect(receiver.requests()).toBe(1)
})
