// Queries that a model proposes for a question: shown and checked, and run by nobody.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { isQuery, queryFindings } from '../../../src/server/features/ai/query.rules.ts'
import { type RealWorld, startRealWorld } from '../../executor/process/real-world.ts'
import { hold } from '../../../src/server/platform/config.hold.ts'
import { eventsOf, fencedYaml, lastOf, useFakeAi } from '../../support/ai-events.ts'
import { type FakeAi, openaiDelta, startFakeAi } from '../../support/fake-ai.ts'
import type { TestClient } from '../../support/server.ts'

interface Sample {
  columns: string[]
  rows: unknown[][]
}
const canary = 'canary-in-a-row'
let world: RealWorld
let fake: FakeAi
let editor: TestClient
let shop = 0

beforeAll(async () => {
  fake = await startFakeAi()
  world = await startRealWorld()
  editor = world.server.as('editor')
  mkdirSync(join(world.folder, 'in'), { recursive: true })
  writeFileSync(join(world.folder, 'in', 'orders.csv'), `id,total\n1,${canary}\n`)
  const path = join(world.folder, 'shop.db')
  const database = new Database(path)
  database.exec(`CREATE TABLE orders (id INTEGER PRIMARY KEY, total REAL); INSERT INTO orders VALUES (1, 5), (2, 7)`)
  database.exec(`CREATE TABLE notes (text TEXT); INSERT INTO notes VALUES ('${canary}'), ('password=hunter2-in-a-row')`)
  database.close()
  await vi.waitFor(async () => expect(await world.online()).toBe('online'), { timeout: 60_000, interval: 10 })
  const made = await world.server
    .as('admin')
    .post('/api/connectors', { name: 'Shop', type: 'sqlite', config: { path } })
  shop = (made.body as { id: number }).id
})
afterAll(async () => {
  await world?.close()
  await fake?.close()
})
beforeEach(() => useFakeAi(world.server, fake))

const block = (query: string) => `This counts them.\n\n\`\`\`sql\n${query}\n\`\`\`\n`
const ask = (body: object = {}) =>
  eventsOf(editor, 'generate-query', { prompt: 'How many?', connector_id: shop, ...body })

test('a question becomes a query in the language of the connector, from names and types alone, and it runs as it is', async () => {
  fake.reply({ text: block('SELECT count(*) AS n FROM orders') })
  const shown = (await editor.post('/api/ai/generate-query/preview', { prompt: 'How many?', connector_id: shop }))
    .body as { body: string; digest: string }
  expect(fake.asked).toHaveLength(0)
  const events = await ask({ expected_digest: shown.digest })
  expect(fake.asked.map(({ body }) => body)).toEqual([shown.body])
  expect(shown.body).not.toContain(canary)
  const { messages } = JSON.parse(shown.body) as { messages: { content: string }[] }
  expect(messages[0]?.content).toContain('SQLite SELECT')
  expect(JSON.parse(messages[1]?.content ?? '')).toMatchObject({
    prompt: 'How many?',
    connector: {
      type: 'sqlite',
      all_listed: true,
      resources: expect.arrayContaining([
        expect.objectContaining({
          name: 'orders',
          columns: expect.arrayContaining([expect.objectContaining({ name: 'total' })]),
        }),
      ]),
    },
  })
  const proposed = lastOf(events, 'query')
  expect(proposed).toMatchObject({ query: 'SELECT count(*) AS n FROM orders', valid: true, findings: [], attempts: 1 })
  const ran = await editor.post(`/api/connectors/${shop}/query`, {
    definition: { mode: 'raw', rawQuery: proposed?.query },
  })
  expect(ran).toMatchObject({ status: 200, body: { rows: [[{ bigint: '2' }]] } })
})

test('what writes, or reads what is not there, goes back to the model and is told', async () => {
  fake.reply(
    { text: block('DELETE FROM orders') },
    { text: block('SELECT * FROM customers') },
    { text: block('SELECT * FROM orders') },
  )
  const events = await ask()
  const found = events.flatMap((event) =>
    event.event === 'diagnostics' ? [event.findings.map(({ code }) => code)] : [],
  )
  expect(found).toEqual([['ai_query_writes'], ['ai_resource_unknown'], []])
  expect(lastOf(events, 'query')).toMatchObject({ valid: true, attempts: 3 })
  fake.reply({ text: 'I can’t tell from these tables.' })
  expect(lastOf(await ask(), 'query')).toMatchObject({ query: '', valid: false, findings: [{ code: 'ai_no_draft' }] })
})

test('a query that is to be changed is sent with its secrets held back, which come back into it', async () => {
  const base = 'SELECT * FROM orders WHERE id = 1 -- password=hunter2-of-a-comment'
  fake.reply({ text: block(base.replace('hunter2-of-a-comment', '[secret 1]').replace('= 1', '= 2')) })
  const events = await ask({ base_query: base })
  expect(fake.asked[0]?.body).not.toContain('hunter2')
  expect(lastOf(events, 'query')).toMatchObject({ query: base.replace('= 1', '= 2'), valid: true })
})

test('who may not write queries asks none, and a connector that is away is refused by name', async () => {
  const viewer = await world.server.as('viewer').post('/api/ai/generate-query', { prompt: 'x', connector_id: shop })
  expect(viewer.status).toBe(403)
  const unknown = await editor.post('/api/ai/generate-query', { prompt: 'x', connector_id: 999_999 })
  expect(unknown).toMatchObject({ status: 400, body: { details: [{ path: 'body.connector_id' }] } })
})

test('of a preview that failed, the model gets what failed at which column, and no value', async () => {
  const yaml = `etl: 1
kind: pipeline
name: cast
connectors: {shop: {type: sqlite, access: read_write}}
source: {connector: shop, sql: {table: notes}}
steps:
  - cast: {text: integer}
target: {connector: shop, table: numbers, mode: append}
`
  fake.reply({ text: block(yaml) })
  const body = { prompt: 'Load', connector_ids: [shop] }
  const events = await eventsOf(editor, 'generate-task', body)
  const found = lastOf(events, 'proposal')?.findings.find(({ code }) => code === 'ai_preview_failed')
  expect(found).toMatchObject({ path: 'steps[0]', hint: expect.stringContaining('text') })
  expect(fake.asked.length).toBeGreaterThan(1)
  const [, , , repair] = (JSON.parse(fake.asked[1]?.body ?? '') as { messages: { content: string }[] }).messages
  expect(repair?.content).toContain(JSON.stringify(found?.hint))
  expect(JSON.stringify([events, fake.asked])).not.toContain(canary)
})

test('rows of a task’s connectors leave only where they may, after they were seen, and the same ones', async () => {
  const { config } = world.server.platform
  const body = { prompt: 'Load the notes', connector_ids: [shop], rows: true }
  const path = '/api/ai/generate-task'
  const never = await editor.post(`${path}/preview`, body)
  expect(never).toMatchObject({ status: 400, body: { details: [{ path: 'body.rows', code: 'ai_rows_off' }] } })
  hold(config, 'ai.rows', 'ask')
  fake.reply({ text: 'no' })
  const unseen = await editor.post(path, body)
  expect(unseen).toMatchObject({ status: 400, body: { details: [{ code: 'ai_rows_unseen' }] } })
  const shown = (await editor.post(`${path}/preview`, body)).body as { body: string; digest: string; rows: Sample[] }
  expect(shown.body).toContain(canary)
  // The same rows by themselves: those that are in the bytes, with what is held back held back.
  expect(shown.rows).toMatchObject([
    { slot: 'shop', resource: 'notes', columns: ['text'], rows: [[canary], ['password=[secret 1]']] },
    { slot: 'shop', resource: 'orders', columns: ['id', 'total'] },
  ])
  const { messages } = JSON.parse(shown.body) as { messages: { content: string }[] }
  const { connectors } = JSON.parse(messages[1]?.content ?? '') as {
    connectors: { resources: { sample: Sample }[] }[]
  }
  expect(connectors[0]?.resources.map(({ sample }) => sample)).toEqual(
    shown.rows.map(({ columns, rows }) => ({ columns, rows })),
  )
  expect(shown.body).not.toContain('hunter2-in-a-row')
  expect(fake.asked).toHaveLength(0)
  await eventsOf(editor, 'generate-task', { ...body, expected_digest: shown.digest })
  expect(fake.asked[0]?.body).toBe(shown.body)
  // A request without them has none, whatever may be sent.
  fake.reply({ text: 'no' })
  await eventsOf(editor, 'generate-task', { ...body, rows: false })
  expect(fake.asked[0]?.body).not.toContain(canary)
  const database = new Database(join(world.folder, 'shop.db'))
  database.exec(`UPDATE notes SET text = 'another'`)
  database.close()
  fake.reply({ text: 'no' })
  expect((await editor.post(path, { ...body, expected_digest: shown.digest })).status).toBe(409)
  expect(fake.asked).toHaveLength(0)
  const audit = JSON.stringify(world.server.platform.store.sqlite.prepare('SELECT * FROM audit_records').all())
  expect(audit).not.toContain(canary)
  expect(audit).toContain('with rows')
  hold(config, 'ai.rows', 'never')
})

test('rows that are turned off while an answer comes leave with no further call', async () => {
  const { config } = world.server.platform
  const body = { prompt: 'Load the notes', connector_ids: [shop], rows: true }
  for (const again of ['a repair', 'a provider that was busy']) {
    hold(config, 'ai.rows', 'ask')
    // One after the other: what may leave is set for all.
    const { digest, body: shown } = (await editor.post('/api/ai/generate-task/preview', body)).body as {
      digest: string
      body: string
    }
    expect(shown).toContain('sample')
    let turnOff: () => void = () => {}
    const turned = new Promise<void>((resolve) => (turnOff = resolve))
    const end = `${openaiDelta(fencedYaml('etl: 1\nkind: pipelin\n'))}data: ${JSON.stringify({ choices: [{ delta: {}, finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`
    if (again === 'a repair')
      fake.reply({ bytes: [openaiDelta('Here')], later: turned.then(() => end) }, { text: 'no' })
    else fake.reply({ status: 429, headers: { 'retry-after': '1' } }, { text: 'no' })
    const events = eventsOf(editor, 'generate-task', { ...body, expected_digest: digest })
    await expect.poll(() => fake.asked.length).toBe(1)
    hold(config, 'ai.rows', 'never')
    turnOff()
    expect([again, lastOf(await events, 'error')?.code]).toEqual([again, 'ai_rows_off'])
    expect(lastOf(await events, 'proposal')).toBeUndefined()
    expect(fake.asked).toHaveLength(1)
  }
})

test('a secret at the place where a long value is cut leaves in no part', async () => {
  const { config } = world.server.platform
  hold(config, 'ai.rows', 'ask')
  hold(config, 'ai.api_key', 'a-key-that-stands-in-a-row')
  const database = new Database(join(world.folder, 'shop.db'))
  database.prepare('UPDATE notes SET text = ?').run(`${'.'.repeat(185)} a-key-that-stands-in-a-row`)
  database.close()
  const body = { prompt: 'Load the notes', connector_ids: [shop], rows: true }
  const shown = (await editor.post('/api/ai/generate-task/preview', body)).body as { body: string }
  expect(shown.body).toContain('sample')
  expect(shown.body).toContain('..... [secret')
  expect(shown.body).not.toContain('a-key')
  hold(config, 'ai.rows', 'never')
})

describe('of each language', () => {
  const known = (type: string, ...names: string[]) => ({
    type,
    all_listed: true,
    resources: names.map((name) => ({ name, kind: 'table' })),
  })
  const codes = (text: string, of: ReturnType<typeof known>) => queryFindings(text, of).map(({ code }) => code)

  test.each([
    ['WITH a AS (SELECT 1) SELECT * FROM a JOIN orders USING (id);', []],
    ['SELECT * FROM public.orders', []],
    ['SELECT * FROM information_schema.tables', []],
    ['SELECT 1; DROP TABLE orders', ['ai_query_many']],
    ['WITH gone AS (DELETE FROM orders RETURNING *) SELECT * FROM gone', ['ai_query_writes']],
    ['/* read */ UPDATE orders SET id = 1', ['ai_query_writes']],
    ['SELECT * FROM "order items"', ['ai_resource_unknown']],
    ["SELECT 'FROM nowhere; DROP' AS text FROM orders", []],
  ])('SQL: %s', (text, expected) => {
    expect(isQuery(text, 'postgres')).toBe(true)
    expect(codes(text, known('postgres', 'orders'))).toEqual(expected)
  })

  test.each([
    ["SELECT * FROM 'in/orders.csv'", []],
    ["SELECT * FROM 'book.xlsx#Sheet 2' JOIN 'daily/*.parquet' USING (id)", []],
    ["SELECT * FROM 'in/others.csv'", ['ai_resource_unknown']],
    ["COPY (SELECT 1) TO 'x.csv'", ['ai_query_writes']],
  ])('files: %s', (text, expected) => {
    expect(isQuery(text, 'file')).toBe(true)
    expect(codes(text, known('file', 'in/orders.csv', 'book.xlsx'))).toEqual(expected)
  })

  test.each([
    ['{"find": "orders", "filter": {"total": {"$gt": 5}}}', []],
    ['{"aggregate": "orders", "pipeline": [{"$out": "other"}]}', ['ai_query_writes']],
    ['{"delete": "orders"}', ['ai_query_json']],
    ['{"find": "orders"', ['ai_query_json']],
    ['{"count": "others", "query": {}}', ['ai_resource_unknown']],
  ])('MongoDB: %s', (text, expected) => {
    expect(isQuery(text, 'mongodb')).toBe(true)
    expect(codes(text, known('mongodb', 'orders'))).toEqual(expected)
  })

  test.each([
    ['odata', 'Orders?$filter=total gt 5&$top=3', []],
    ['odata', 'Others', ['ai_resource_unknown']],
    ['http', '/orders?status=open\nrecords: data.items', []],
    ['http', '/orders\nDELETE /orders', ['ai_query_path']],
  ])('%s: %s', (type, text, expected) => {
    expect(codes(text, known(type, 'Orders'))).toEqual(expected)
  })

  test('what is said around a query is none', () => {
    expect(isQuery('Here is your query', 'postgres')).toBe(false)
    expect(isQuery('I cannot do that.', 'odata')).toBe(false)
    expect(isQuery('Sorry', 'http')).toBe(false)
  })
})
