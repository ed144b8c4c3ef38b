import Ajv from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createConnector } from '../../../src/contract/connectors.ts'
import { createTask } from '../../../src/contract/tasks.ts'
import { jobPlane } from '../job-runs/job-plane.ts'
import { createReceiver } from './receiver.ts'

const ajv = new Ajv({ strict: false })
addFormats(ajv)
for (const file of globSync('test/fixtures/openlineage/*.json')) {
  ajv.addSchema(JSON.parse(readFileSync(file, 'utf8')) as object)
}

type Event = Record<string, unknown>
/** The event by the published schema, and each facet by the one that it names. */
function mistakes(event: Event): unknown[] {
  const found: unknown[] = []
  const check = (schema: string, value: unknown) => {
    const validate = ajv.getSchema(schema)
    if (!validate) found.push(`There is no ${schema}`)
    else if (!validate(value)) found.push(...(validate.errors ?? []))
  }
  check(String(event['schemaURL']), event)
  const open: unknown[] = [event]
  while (open.length > 0) {
    const next = open.pop()
    if (typeof next !== 'object' || next === null) continue
    if ('_schemaURL' in next) check(String(next._schemaURL), next)
    open.push(...Object.values(next))
  }
  return found
}

const yaml = `etl: 1
kind: pipeline
name: orders
connectors:
  src: {type: postgres, access: read}
  out: {type: sqlite, access: write}
source: {connector: src, sql: {table: raw}}
steps:
  - rename: {amount: price}
  - derive: {total: 'price * quantity'}
target: {connector: out, table: orders}
`
const step = (index: number, key: string, columns: string[], rows: number) => ({
  index,
  key,
  label: key,
  status: 'success',
  rows_in: rows,
  rows_out: rows,
  rows_rejected: 0,
  bytes: 100,
  started_at: new Date().toISOString(),
  duration_ms: 1,
  columns: columns.map((name) => ({ name, type: 'BIGINT' })),
})
const report = {
  item_count: 7,
  steps: [
    step(0, 'source', ['id', 'amount', 'quantity'], 7),
    step(3, 'target', ['id', 'price', 'quantity', 'total'], 7),
  ],
}

const dated = `etl: 1
kind: pipeline
name: by_day
args:
  day: {type: date, required: true}
  part: {type: string, default: all}
connectors:
  src: {type: postgres, access: read}
  files: {type: file, access: write}
  hook: {type: http, access: write}
source: {connector: src, sql: {table: 'raw_\${{ args.part }}'}}
target: {connector: files, file: {path: 'out/\${{ args.day }}/\${{ run.id }}.csv'}}
hooks:
  after:
    - {connector: hook, http: {method: POST, path: '/done/\${{ args.day }}/\${{ run.item_count }}'}}
`

async function world() {
  const plane = await jobPlane()
  const connector = async (name: string, type: 'postgres' | 'sqlite', config: Record<string, unknown>) =>
    (await plane.editor.call(createConnector, { body: { name, type, config } })).id
  const src = await connector('db', 'postgres', { host: 'db.example', database: 'shop', user: 'etl' })
  const out = await connector('file', 'sqlite', { path: '/data/shop.db' })
  await plane.editor.call(createTask, { body: { yaml_content: yaml } })
  const template = `etl: 1
kind: job
name: nightly
connectors: {a: {type: postgres}, b: {type: sqlite, access: write}}
tasks:
  load: {task: orders, connectors: {src: a, out: b}}
`
  const { id } = (await plane.editor.post('/api/job-templates', { yaml_content: template })).body as { id: number }
  const made = await plane.editor.post(`/api/job-templates/${id}/jobs`, {
    name: 'nightly',
    connector_mapping: { a: src, b: out },
  })
  return { ...plane, src, jobId: (made.body as { id: number }).id }
}
const typeOf = ({ eventType, job }: Event) => `${(job as { name: string }).name} ${String(eventType)}`

test('a job run is told with its datasets, schemas, rows and columns, as the specification has it', async () => {
  const { platform, jobId, start, drain } = await world()
  const receiver = await createReceiver()
  platform.config.telemetry.openlineageUrl = `${receiver.url}/api/v1/lineage`
  platform.config.telemetry.openlineageKey = 'secret-key'
  start(jobId)
  await drain(() => report)
  await vi.waitFor(() => expect(receiver.received).toHaveLength(4))
  const events = receiver.received.map(({ body }) => body)
  expect(events.map(typeOf)).toEqual([
    'nightly START',
    'nightly.load START',
    'nightly.load COMPLETE',
    'nightly COMPLETE',
  ])
  expect(events.flatMap(mistakes)).toEqual([])
  expect(receiver.received[0]).toMatchObject({
    path: '/api/v1/lineage',
    headers: { authorization: 'Bearer secret-key' },
  })
  const [, , end, whole] = events
  const { run, inputs, outputs } = end as { run: Event; inputs: Event[]; outputs: Event[] }
  expect(run).toMatchObject({ facets: { parent: { run: { runId: (whole!['run'] as { runId: string }).runId } } } })
  expect(inputs).toMatchObject([
    {
      namespace: 'postgres://db.example:5432',
      name: 'shop.public.raw',
      facets: { schema: { fields: [{ name: 'id', type: 'BIGINT' }, { name: 'amount' }, { name: 'quantity' }] } },
      inputFacets: { inputStatistics: { rowCount: 7, size: 100 } },
    },
  ])
  const from = (field: string, subtype: string) => ({
    namespace: 'postgres://db.example:5432',
    name: 'shop.public.raw',
    field,
    transformations: [{ type: 'DIRECT', subtype }],
  })
  expect(outputs).toMatchObject([
    {
      namespace: 'sqlite:///data/shop.db',
      name: 'main.orders',
      outputFacets: { outputStatistics: { rowCount: 7 } },
      facets: {
        columnLineage: {
          fields: {
            id: { inputFields: [from('id', 'IDENTITY')] },
            price: { inputFields: [from('amount', 'IDENTITY')] },
            total: { inputFields: [from('amount', 'TRANSFORMATION'), from('quantity', 'TRANSFORMATION')] },
          },
        },
      },
    },
  ])
})

test('a dataset whose name has arguments is the one of the run, as far as its arguments tell', async () => {
  const { platform, editor, services, src, claim, complete } = await world()
  const [files, hook] = await Promise.all([
    editor.call(createConnector, { body: { name: 'exports', type: 'file', config: { root: '/exports' } } }),
    editor.call(createConnector, {
      body: { name: 'hook', type: 'http', config: { base_url: 'https://hook.example' } },
    }),
  ])
  const { id: taskId } = await editor.call(createTask, { body: { yaml_content: dated } })
  const receiver = await createReceiver()
  platform.config.telemetry.openlineageUrl = receiver.url
  const start = (args: Record<string, unknown>) =>
    services.runs.trigger(
      taskId,
      { arguments: args, connector_mapping: { src, files: files.id, hook: hook.id } },
      { trigger_type: 'api', created_by: null },
    )
  const names = (event: Event, of: 'inputs' | 'outputs') => (event[of] as Event[]).map(({ name }) => name)
  const { id } = await start({ day: '2026-03-01', part: '*' })
  for (const plan of claim()) await complete(plan)
  await vi.waitFor(() => expect(receiver.received).toHaveLength(2))
  const [begin, end] = receiver.received.map(({ body }) => body)
  for (const event of [begin!, end!]) {
    expect(names(event, 'inputs')).toEqual(['shop.public.raw_*'])
    // A path with what only the work gives is a pattern until it has ended.
    const done = event === end ? '/done/2026-03-01/3' : '/done/*/*'
    expect(names(event, 'outputs')).toEqual([`/exports/out/2026-03-01/${id}.csv`, done])
  }
  expect([begin!, end!].flatMap(mistakes)).toEqual([])
  await start({ day: '2026-03-02' })
  await vi.waitFor(() => expect(claim()).toHaveLength(1))
  await vi.waitFor(() => expect(receiver.received).toHaveLength(3))
  expect(names(receiver.received[2]!.body, 'inputs')).toEqual(['shop.public.raw_all'])
})

test('a failure is told with its error', async () => {
  const { platform, jobId, start, claim, fail } = await world()
  const receiver = await createReceiver()
  platform.config.telemetry.openlineageUrl = receiver.url
  start(jobId)
  // It has begun, and that is told before anything of it has ended.
  await vi.waitFor(() => expect(receiver.received.map(({ body }) => typeOf(body))).toEqual(['nightly START']))
  for (const plan of claim()) await fail(plan)
  await vi.waitFor(() => expect(receiver.received).toHaveLength(4))
  const events = receiver.received.map(({ body }) => body)
  expect(events.map(typeOf)).toEqual(['nightly START', 'nightly.load START', 'nightly.load FAIL', 'nightly FAIL'])
  expect(events.flatMap(mistakes)).toEqual([])
  expect(events[2]).toMatchObject({ run: { facets: { errorMessage: { message: 'The table is locked.' } } } })
})

test('what a receiver can’t take now is sent again, in order; what it refuses is left out', async () => {
  const { platform, jobId, start, drain } = await world()
  // Down for two requests; then the third event is refused.
  const receiver = await createReceiver((number) => (number < 2 ? 503 : number === 4 ? 400 : 200))
  platform.config.telemetry.openlineageUrl = receiver.url
  start(jobId)
  await drain(() => report)
  await vi.waitFor(() => expect(receiver.received).toHaveLength(3), { timeout: 10_000 })
  expect(receiver.received.map(({ body }) => typeOf(body))).toEqual([
    'nightly START',
    'nightly.load START',
    'nightly COMPLETE',
  ])
  const left = platform.store.sqlite.prepare('SELECT count(*) FROM telemetry_outbox').pluck()
  await vi.waitFor(() => expect(left.get()).toBe(0))
}, 20_000)

test('events are appended to a file, and off means that nothing is kept', async () => {
  const { platform, jobId, start, drain } = await world()
  const folder = mkdtempSync(join(tmpdir(), 'headgate-openlineage-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  start(jobId)
  await drain(() => report)
  const left = platform.store.sqlite.prepare('SELECT count(*) FROM telemetry_outbox').pluck()
  expect(left.get()).toBe(0)
  platform.config.telemetry.openlineageFolder = folder
  start(jobId)
  await drain(() => report)
  const lines = () =>
    globSync(`${folder}/openlineage-*.ndjson`).flatMap((file) => readFileSync(file, 'utf8').trimEnd().split('\n'))
  await vi.waitFor(() => expect(lines()).toHaveLength(4))
  // Written by the server as objects.
  expect(lines().flatMap((line) => mistakes(JSON.parse(line) as Event))).toEqual([])
  await vi.waitFor(() => expect(left.get()).toBe(0))
})
