import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { AiUsageReport } from '../../../src/contract/ai-usage.ts'
import { hold } from '../../../src/server/platform/config.hold.ts'
import { eventsOf, fencedYaml, lastOf } from '../../support/ai-events.ts'
import { type FakeAi, openaiDelta, startFakeAi } from '../../support/fake-ai.ts'
import { type TestClient, type TestServer, startTestServer } from '../../support/server.ts'

let server: TestServer
let admin: TestClient
let editor: TestClient
let fake: FakeAi
let connector = 0
let now = Date.parse('2026-03-10T12:00:00Z')

const good = `etl: 1
kind: pipeline
name: one
connectors: {shop_db: {type: postgres, access: read_write}}
source: {inline: {rows: [{id: 1}]}}
target: {connector: shop_db, table: t, mode: append}
`
const bad = good.replace('kind: pipeline', 'kind: pipelin')

beforeAll(async () => {
  fake = await startFakeAi()
  const clock = {
    now: () => new Date(now),
    iso: () => new Date(now).toISOString(),
    monotonic: () => performance.now(),
  }
  server = await startTestServer({ clock })
  admin = server.as('admin')
  editor = server.as('editor')
  const config = { host: 'db.example', port: 5432, database: 'shop', user: 'etl' }
  const body = { name: 'Shop DB', type: 'postgres', config, secrets: { password: 'a-password' } }
  connector = ((await admin.post('/api/connectors', body)).body as { id: number }).id
})
afterAll(async () => {
  await server.close()
  await fake.close()
})
beforeEach(() => {
  now = Date.parse('2026-03-10T12:00:00Z')
  const { config, store } = server.platform
  store.sqlite.exec('DELETE FROM ai_usage_by_day')
  hold(config, 'ai.provider', 'compatible')
  hold(config, 'ai.base_url', fake.url)
  hold(config, 'ai.model', 'model-1')
  hold(config, 'ai.api_key', 'a-key-of-the-tests')
  hold(config, 'ai.daily_tokens', 0)
  hold(config, 'ai.prices', [])
  hold(config, 'ai.currency', 'USD')
})

const byText = (a: string, b: string) => (a < b ? -1 : 1)
const at = (time: string) => (now = Date.parse(time))
const generate = (client = editor) =>
  eventsOf(client, 'generate-task', { prompt: 'Load it', connector_ids: [connector] })
const budget = (tokens: number) => hold(server.platform.config, 'ai.daily_tokens', tokens)
const usage = async (query: string, client = admin) =>
  (await client.get(`/api/ai/usage?${query}`)).body as { requests: number; tokens: number; report: AiUsageReport }
const report = async (query: string, client = admin) => (await usage(query, client)).report
/** A call that was made on a day. */
function used(day: string, model: string, [input, output]: [number, number], user = 1): void {
  server.platform.store.sqlite
    .prepare(`INSERT INTO ai_usage_by_day VALUES (?, 'api.example', ?, ?, 1, 0, 0, ?, ?)`)
    .run(day, model, user, input, output)
}

test('usage is kept by day, model, and person, with tokens of requests and answers apart', async () => {
  fake.reply({ text: fencedYaml(good) })
  await generate()
  await generate(admin)
  hold(server.platform.config, 'ai.model', 'model-2')
  await generate()
  const { total, groups, from, to } = await report('group_by=day&group_by=model&group_by=user')
  expect([from, to]).toEqual(['2026-02-09', '2026-03-10'])
  expect(total).toMatchObject({ calls: 3, input_tokens: 300, output_tokens: 60, cost: null, unpriced_tokens: 0 })
  expect(
    groups.map(({ day, host, model, username }) => [day, host, model, username].join(' ')).toSorted(byText),
  ).toEqual([
    `2026-03-10 ${fake.host} model-1 admin-1`,
    `2026-03-10 ${fake.host} model-1 editor-2`,
    `2026-03-10 ${fake.host} model-2 editor-2`,
  ])
  expect((await report('group_by=model')).groups).toMatchObject([
    { model: 'model-1', day: null, user_id: null, calls: 2, input_tokens: 200, output_tokens: 40 },
    { model: 'model-2', calls: 1 },
  ])
})

test('only admins see the usage of others', async () => {
  fake.reply({ text: fencedYaml(good) })
  await generate()
  await generate(admin)
  expect(await report('group_by=user')).toMatchObject({ everyone: true, total: { calls: 2 } })
  const own = await report('group_by=user', editor)
  expect(own).toMatchObject({ everyone: false, total: { calls: 1 }, groups: [{ username: 'editor-2', calls: 1 }] })
  expect(own.groups).toHaveLength(1)
  // The budget is everyone's.
  expect(await usage('', editor)).toMatchObject({ requests: 2, tokens: 240, report: null })
})

test('a cost is shown where a model has a price, and models without one are named', async () => {
  used('2026-03-09', 'vendor/model x:1', [2_000_000, 500_000])
  used('2026-03-09', 'free', [10, 10])
  used('2026-03-09', 'other', [1_000, 0])
  expect(await report('group_by=model')).toMatchObject({ currency: null, unpriced_models: [], total: { cost: null } })
  hold(server.platform.config, 'ai.prices', ['vendor/model x:1 0.15 0.6', 'free 0 0'])
  hold(server.platform.config, 'ai.currency', 'EUR')
  const { groups, ...rest } = await report('group_by=model')
  expect(rest).toMatchObject({ currency: 'EUR', unpriced_models: ['other'], total: { unpriced_tokens: 1_000 } })
  expect(rest.total.cost).toBeCloseTo(0.6, 10)
  expect(groups.map(({ model, cost }) => [model, cost])).toEqual([
    ['vendor/model x:1', 0.6],
    ['other', null],
    ['free', 0],
  ])
  expect((await report('from=2026-03-10')).total).toMatchObject({ calls: 0, cost: null })
})

test('a price is a model with two numbers, and each model has one', async () => {
  const set = (value: unknown) => server.as('superadmin').put('/api/server/config', { values: { 'ai.prices': value } })
  expect((await set(['gpt-5-mini 0.25 2', 'a model with blanks 1 2'])).status).toBe(200)
  expect([...server.platform.config.ai.prices]).toEqual([
    ['gpt-5-mini', { input: 0.25, output: 2 }],
    ['a model with blanks', { input: 1, output: 2 }],
  ])
  for (const wrong of ['m 1', 'm 1,5 2', 'm -1 2', '1 2', 'm 1 1e9', 'm\n 1 2', 7]) {
    // One after the other: the file is one.
    const { status, body } = await set([wrong])
    expect([wrong, status, JSON.stringify(body)]).toEqual([wrong, 400, expect.stringContaining('not_model_price')])
  }
  expect(JSON.stringify((await set(['m 1 2', 'm 3 4'])).body)).toContain('model_price_twice')
  expect((await set(null)).status).toBe(200)
})

test('the budget of a day ends at midnight UTC, and a call counts on the day it began', async () => {
  budget(120)
  fake.reply({ text: fencedYaml(good) })
  at('2026-03-10T23:59:58Z')
  await generate()
  const refused = await editor.post('/api/ai/generate-task', { prompt: 'x' })
  expect(refused).toMatchObject({ status: 429, body: { code: 'ai_budget_spent' } })
  expect(refused.headers.get('retry-after')).toBe('2')
  at('2026-03-11T00:00:00Z')
  expect(await usage('')).toMatchObject({ requests: 0, tokens: 0 })

  fake.reply({ hang: true })
  at('2026-03-11T23:59:59Z')
  const leaving = new AbortController()
  const asked = open(leaving.signal)
  await expect.poll(() => fake.asked.length).toBe(1)
  at('2026-03-12T00:00:01Z')
  leaving.abort()
  await asked
  await expect
    .poll(async () => (await report('group_by=day')).groups.map(({ day }) => day))
    .toEqual(['2026-03-10', '2026-03-11'])
})

/** A proposal that is left when the signal says so. */
async function open(signal: AbortSignal): Promise<void> {
  await fetch(`${server.url}/api/ai/generate-task`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...editor.headers },
    body: JSON.stringify({ prompt: 'x' }),
    signal,
  })
    .then((answer) => answer.text())
    .catch(() => {})
}

test('calls in progress hold their part of the budget, and give it back', async () => {
  budget(100)
  fake.reply({ hang: true })
  const leaving = new AbortController()
  const asked = open(leaving.signal)
  await expect.poll(() => fake.asked.length).toBe(1)
  const refused = await editor.post('/api/ai/generate-task', { prompt: 'x' })
  expect(refused).toMatchObject({ status: 429, body: { code: 'ai_budget_held' } })
  expect(refused.headers.get('retry-after')).toBe('5')
  leaving.abort()
  await asked
  await expect.poll(async () => (await usage('')).requests).toBe(1)
  // What was sent is counted, though the provider said nothing of it.
  const { total } = await report('group_by=day')
  expect(total).toMatchObject({ calls: 1, failed_calls: 0, estimated_calls: 1 })
  budget(total.input_tokens + total.output_tokens + 1)
  fake.reply({ text: fencedYaml(good) })
  expect(lastOf(await generate(), 'proposal')?.valid).toBe(true)
})

test('of many calls at the same time, each is counted', async () => {
  fake.reply({ text: fencedYaml(good) })
  await Promise.all(Array.from({ length: 12 }, (_, n) => generate(n % 2 ? admin : editor)))
  expect((await report('group_by=user')).groups.map(({ calls, input_tokens }) => [calls, input_tokens])).toEqual([
    [6, 600],
    [6, 600],
  ])
})

test('a budget that ends within a proposal is told as its error', async () => {
  budget(100)
  fake.reply({ text: fencedYaml(bad) })
  const events = await generate()
  expect(lastOf(events, 'error')).toMatchObject({ code: 'ai_budget_spent', params: { limit: 100 } })
  expect(fake.asked).toHaveLength(1)
})

test('a call that failed costs what it may have used, and nothing if it was refused', async () => {
  fake.reply({ status: 401 })
  await generate()
  expect((await report('to=2026-03-10')).total).toMatchObject({
    calls: 1,
    failed_calls: 1,
    estimated_calls: 0,
    input_tokens: 0,
    output_tokens: 0,
  })
  fake.reply({ breakAfter: 'x'.repeat(400) })
  await generate()
  const { total } = await report('to=2026-03-10')
  expect(total).toMatchObject({ calls: 2, failed_calls: 2, estimated_calls: 1, output_tokens: 100 })
  expect(total.input_tokens).toBeGreaterThan(100)
})

test('absurd counts of a provider are not believed', async () => {
  const usageEvent = `data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: Number.MAX_SAFE_INTEGER, completion_tokens: -5 } })}\n\n`
  fake.reply({ bytes: [openaiDelta(fencedYaml(good)), usageEvent, 'data: [DONE]\n\n'] })
  await generate()
  const { total } = await report('to=2026-03-10')
  expect(total.estimated_calls).toBe(1)
  expect(total.input_tokens).toBeLessThan(100_000)
})

test('hostile names of models are kept and given as they are', async () => {
  const names = [`'); DROP TABLE users; --`, '<img src=x onerror=alert(1)>', '__proto__', `${'x'.repeat(199)}…`, '0 0']
  for (const name of names) used('2026-03-09', name, [10, 10])
  hold(server.platform.config, 'ai.prices', ['__proto__ 1 1', '0 0 1 1'])
  const { groups, unpriced_models } = await report('group_by=model')
  expect(groups.map(({ model }) => model ?? '').toSorted(byText)).toEqual(names.toSorted(byText))
  expect(groups.filter(({ cost }) => cost !== null).map(({ model }) => model)).toEqual(
    expect.arrayContaining(['__proto__', '0 0']),
  )
  expect(unpriced_models).toHaveLength(3)
})

test('usage is kept for 400 days, and a report is as large as it may be', async () => {
  used('2025-02-03', 'model-1', [1, 1])
  used('2025-02-04', 'model-1', [1, 1])
  fake.reply({ text: fencedYaml(good) })
  await generate()
  const days = async (query: string) => (await report(`${query}&group_by=day`)).groups.map(({ day }) => day)
  expect(await days('from=2025-02-04&to=2026-03-10')).toEqual(['2025-02-04', '2026-03-10'])
  expect(await days('from=2025-01-01&to=2025-02-03')).toEqual([])
  for (const [query, path, code] of [
    ['from=2025-02-03', 'query.to', 'ai_usage_days'],
    ['from=2026-03-10&to=2026-03-09', 'query.to', 'before_from'],
    ['from=2026-02-30', 'query.from', undefined],
    ['group_by=host', 'query.group_by', undefined],
  ] as const) {
    const { status, body } = await admin.get(`/api/ai/usage?${query}`)
    expect([query, status, body]).toMatchObject([query, 400, { details: [{ ...(code && { path, code }) }] }])
  }
  for (let n = 0; n < 2_001; n++) used('2026-03-09', `m${n}`, [1, 1])
  const { body } = await admin.get('/api/ai/usage?group_by=model')
  expect(body).toMatchObject({ details: [{ path: 'query.group_by', code: 'ai_usage_groups' }] })
})
