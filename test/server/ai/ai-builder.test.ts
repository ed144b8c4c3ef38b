// Conditions of the Explorer's builder that a model proposes: held against the rules of presets and the columns, run by nobody.
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { builderDraft, builderProposal } from '../../../src/server/features/ai/builder.rules.ts'
import { readDefinition } from '../../../src/server/features/explorer-presets/definition-form.ts'
import { definitionMistakes } from '../../../src/server/features/explorer-presets/explorer-presets.rules.ts'
import { type RealWorld, startRealWorld } from '../../executor/process/real-world.ts'
import { eventsOf, lastOf, useFakeAi } from '../../support/ai-events.ts'
import { type FakeAi, startFakeAi } from '../../support/fake-ai.ts'
import type { TestClient } from '../../support/server.ts'

let world: RealWorld
let fake: FakeAi
let editor: TestClient
let shop = 0

beforeAll(async () => {
  fake = await startFakeAi()
  world = await startRealWorld()
  editor = world.server.as('editor')
  const path = join(world.folder, 'shop.db')
  const database = new Database(path)
  database.exec(`CREATE TABLE orders (id INTEGER PRIMARY KEY, code TEXT, total REAL);
    INSERT INTO orders VALUES (1, '007', 5), (2, 'a"b', 70), (3, '007', 90)`)
  // More than are described: the columns of the one that is meant are asked for by name.
  for (let number = 0; number < 12; number++) database.exec(`CREATE TABLE other_${number} (id INTEGER)`)
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

const block = (answer: object) => `Conditions are enough.\n\n\`\`\`json\n${JSON.stringify(answer)}\n\`\`\`\n`
const ask = (body: object = {}) =>
  eventsOf(editor, 'generate-query', { prompt: 'Big ones?', connector_id: shop, builder: true, ...body })
const big = {
  builder: 'orders',
  action: 'find',
  filters: [
    { field: 'code', operator: '=', value: '007', valueType: 'auto' },
    { field: 'total', operator: '>=', value: '50', valueType: 'number' },
  ],
  columns: ['id'],
  sort: 'total',
  order: 'desc',
  limit: '10',
}

test('conditions are proposed with the statement that they stand for, and run as they are', async () => {
  fake.reply({ text: block(big) })
  const proposed = lastOf(await ask(), 'query')
  const { builder, ...definition } = big
  expect(proposed).toMatchObject({
    valid: true,
    findings: [],
    attempts: 1,
    resource: builder,
    definition: { mode: 'visual', ...definition },
    parameters: { code: '007' },
  })
  expect(proposed?.query).toContain('ORDER BY "total" DESC\nLIMIT 10')
  const ran = await editor.post(`/api/connectors/${shop}/query`, {
    definition: proposed?.definition,
    resource: proposed?.resource,
  })
  expect(ran).toMatchObject({ status: 200, body: { rows: [['3']], statement: proposed?.query } })
  const kept = await editor.post('/api/explorer-presets', {
    name: 'Big ones',
    connector_id: shop,
    resource: 'orders',
    definition: proposed?.definition,
  })
  expect(kept.status).toBe(201)
})

test('what the builder refuses goes back to the model with its place', async () => {
  fake.reply(
    { text: block({ ...big, action: 'delete' }) },
    { text: block({ ...big, columns: ['id', 'price'], limit: 10 }) },
    { text: block({ ...big, columns: ['id', 'price'] }) },
  )
  const events = await ask()
  const found = events.flatMap((event) =>
    event.event === 'diagnostics' ? [event.findings.map(({ code, path }) => [code, path])] : [],
  )
  expect(found).toEqual([
    [['query_action_writes', 'action']],
    [['preset_field_wrong', 'limit']],
    [['ai_column_unknown', 'columns[1]']],
  ])
  // Whoever asked sees it where it can be corrected.
  expect(lastOf(events, 'query')).toMatchObject({ valid: false, query: '', definition: { columns: ['id', 'price'] } })
})

test('only a request that allows it gets conditions, and is told of them', async () => {
  const bodyOf = async (builder: boolean) =>
    (
      (await editor.post('/api/ai/generate-query/preview', { prompt: 'x', connector_id: shop, builder })).body as {
        body: string
      }
    ).body
  expect(await bodyOf(true)).toContain('query builder')
  expect(await bodyOf(false)).not.toContain('builder')
  fake.reply({ text: block(big) })
  expect(lastOf(await ask({ builder: false }), 'query')).toMatchObject({ valid: false, definition: null })
  fake.reply({ text: '```sql\nSELECT count(*) FROM orders\n```' })
  expect(lastOf(await ask(), 'query')).toMatchObject({ valid: true, definition: null, resource: null, parameters: {} })
})

test('conditions that are to be changed are sent as data, without the secrets in their values', async () => {
  const secret = 'p"w-of-a-connector'
  await world.server.as('admin').post('/api/connectors', {
    name: 'With a secret',
    type: 'postgres',
    config: { host: '127.0.0.1', port: 1, database: 'x', user: 'x' },
    secrets: { password: secret },
  })
  const now = { ...big, filters: [{ field: 'code', operator: '=', value: secret }] }
  fake.reply({ text: block(big) })
  const events = await ask({ base_query: JSON.stringify(now) })
  expect(lastOf(events, 'query')).toMatchObject({ valid: true })
  expect(fake.asked[0]?.body).not.toContain('w-of-a-connector')
  const { messages } = JSON.parse(fake.asked[0]?.body ?? '') as { messages: { content: string }[] }
  expect(JSON.parse(messages[1]?.content ?? '')).toMatchObject({
    current_query: { builder: 'orders', filters: [{ value: '[secret 1]' }] },
  })
})

describe('each system', () => {
  const proposalOf = (answer: object, type: string, columns?: string[]) => {
    const draft = builderDraft(JSON.stringify(answer))
    if (!draft) throw new Error('No draft')
    const resource = {
      name: 'Orders',
      kind: 'table',
      ...(columns && {
        columns: columns.map((name) => ({ name, type: 'text', nullable: true, primary_key: false })),
      }),
    }
    const isKnown = /^orders$/i.test(draft.resource)
    return builderProposal(draft, {
      type,
      known: { all_listed: true },
      resource: isKnown ? resource : undefined,
      read: readDefinition,
      mistakes: definitionMistakes,
    })
  }
  const filters = [{ field: 'state', operator: '=', value: 'open' }]

  test.each([
    ['postgres', 'SELECT *\nFROM "Orders"\nWHERE "state" = :state'],
    ['mysql', 'SELECT *\nFROM `Orders`\nWHERE `state` = :state'],
    ['file', `SELECT *\nFROM 'Orders'\nWHERE "state" = :state`],
    ['odata', 'Orders?$filter=state eq :state'],
    ['http', '/Orders?state=:state'],
  ])('%s', (type, text) => {
    expect(proposalOf({ builder: 'orders', filters }, type)).toMatchObject({
      resource: 'Orders',
      built: { text, parameters: { state: 'open' } },
      findings: [],
    })
  })
  test('MongoDB has its values in the text', () => {
    expect(proposalOf({ builder: 'Orders', action: 'count', filters }, 'mongodb').built?.text).toContain('"open"')
  })
  test.each([
    ['postgres', { builder: 'Other', filters }, 'ai_resource_unknown', 'builder'],
    [
      'postgres',
      { builder: 'Orders', filters: [{ ...filters[0], field: 'STATE' }] },
      'ai_column_unknown',
      'filters[0].field',
    ],
    [
      'mongodb',
      { builder: 'Orders', filters: [{ ...filters[0], value: '{{who}}' }] },
      'preset_parameter_unknown',
      'filters[0].value',
    ],
    [
      'postgres',
      { builder: 'Orders', filters: [{ ...filters[0], operator: 'like' }] },
      'query_operator_unknown',
      'filters[0].operator',
    ],
    ['postgres', { builder: 'Orders', jsonata: '$eval(x)' }, 'preset_field_wrong', 'jsonata'],
    ['http', { builder: 'Orders', filters, limit: '5' }, 'query_limit_not_here', 'limit'],
  ])('%s refuses %j', (type, answer, code, path) => {
    const { built, findings } = proposalOf(answer, type, ['id', 'state'])
    expect(built).toBeNull()
    expect(findings).toMatchObject([{ code, path }])
  })
  test('JSON of MongoDB and text are no conditions', () => {
    expect(builderDraft('{"find": "orders"}')).toBeNull()
    expect(builderDraft('SELECT 1')).toBeNull()
    expect(builderDraft('{"builder": ')).toBeNull()
  })
})
