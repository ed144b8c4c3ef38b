import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { ExplorerPreset, PresetParameter } from '../../../src/contract/explorer-presets.ts'
import { listAudit } from '../../../src/contract/audit.ts'
import type { Paginated } from '../../../src/contract/common.ts'
import { createConnector } from '../../../src/contract/connectors.ts'
import { type TestClient, type TestServer, startTestServer } from '../../support/server.ts'

let server: TestServer
let editor: TestClient
let [mongo, files]: number[] = []
beforeAll(async () => {
  server = await startTestServer()
  editor = server.as('editor')
  const admin = server.as('admin')
  const make = async (type: 'mongodb' | 'file', config: Record<string, unknown>) =>
    (await admin.call(createConnector, { body: { name: type, type, config } })).id
  mongo = await make('mongodb', { uri: 'mongodb://127.0.0.1:9', database: 'shop' })
  files = await make('file', { root: `${server.dataDir}-files` })
})
afterAll(() => server.close())
beforeEach(() => server.platform.store.sqlite.exec('DELETE FROM explorer_presets'))

const path = '/api/explorer-presets'
const visual = { mode: 'visual' }
const save = async (more: object = {}, client = editor) =>
  client.post(path, { name: 'One', definition: visual, ...more })
const made = async (more: object = {}, client = editor) => {
  const answer = await save(more, client)
  expect(answer.status).toBe(201)
  return answer.body as ExplorerPreset
}
/** Names of what a list has, and its total. */
async function listed(query: Record<string, string | number> = {}): Promise<[string[], number]> {
  const { body } = await server.as('viewer').get(path, { query })
  const { result, total } = body as Paginated<ExplorerPreset>
  return [result.map(({ name }) => name), total]
}
const pathsOf = (body: unknown) => (body as { details?: { path: string }[] }).details?.map((one) => one.path)
const refused = async (more: object) => {
  const { status, body } = await save(more)
  expect([status, (body as { error: string }).error, (body as { message: string }).message]).toEqual([
    400,
    'VALIDATION_ERROR',
    'Invalid input',
  ])
  return pathsOf(body)
}
const record: PresetParameter = { name: 'who', label: 'Who', type: 'mongoRecord', collection: 'people' }
const using = (name: string) => [{ field: 'a', operator: '=', value: `x {{${name}}} y` }]

test('a preset is created, read, updated, and deleted as it was sent', async () => {
  const definition = {
    mode: 'visual',
    action: 'update',
    filters: [{ field: 'customer_id', operator: '=', value: '{{who}}', valueType: 'objectId' }],
    values: [{ field: 'state', value: 'shipped' }],
    columns: ['_id', 'total'],
    limit: '50',
    sort: 'total',
    order: 'desc',
    resultView: 'json',
    jsonata: '$[0]',
    csvDelimiter: ';',
    parameters: [
      { ...record, valueField: '_id', labelField: 'name', descriptionFields: ['city'], searchFields: ['name'] },
    ].map((one) => ({ ...one, filter: { active: true }, sort: { name: 1 }, required: false })),
  }
  const preset = await made({ name: ' Shipped ', connector_id: mongo, resource: 'orders', definition })
  expect(preset).toEqual({
    id: preset.id,
    name: 'Shipped',
    description: null,
    connector_id: mongo,
    resource: 'orders',
    definition,
    created_by: preset.created_by,
    created_at: expect.stringMatching(/Z$/),
    updated_at: null,
  })
  const { headers, body } = await editor.get(`${path}/${preset.id}`)
  expect(body).toEqual(preset)
  const etag = headers.get('etag') ?? ''

  const change = { name: 'Counted', description: 'All', definition: { mode: 'raw', rawQuery: 'SELECT 1' } }
  const updated = await editor.put(`${path}/${preset.id}`, change, { headers: { 'if-match': etag } })
  expect([updated.status, updated.body]).toEqual([
    200,
    { ...preset, ...change, connector_id: null, resource: null, updated_at: expect.stringMatching(/Z$/) },
  ])
  // Someone who still has the first text open loses nothing, and overwrites nothing.
  expect((await editor.put(`${path}/${preset.id}`, change, { headers: { 'if-match': etag } })).status).toBe(409)

  const removed = await editor.delete(`${path}/${preset.id}`)
  expect([removed.status, removed.body]).toEqual([204, ''])
  expect((await editor.get(`${path}/${preset.id}`)).status).toBe(404)
  expect((await editor.delete(`${path}/${preset.id}`)).status).toBe(404)
  const { result } = await server
    .as('admin')
    .call(listAudit, { query: { entity_id: preset.id, outcome: ['ok'], limit: 3 } })
  expect(result.map(({ operation }) => operation)).toEqual([
    'deleteExplorerPreset',
    'updateExplorerPreset',
    'createExplorerPreset',
  ])
})

test('a place in the Explorer shows its own presets, those of its connector, and those for all', async () => {
  await made({ name: 'global' })
  await made({ name: 'mongo', connector_id: mongo })
  await made({ name: 'mongo orders', connector_id: mongo, resource: 'orders' })
  await made({ name: 'mongo people', connector_id: mongo, resource: 'people' })
  await made({ name: 'files', connector_id: files })
  expect(await listed()).toEqual([['files', 'mongo people', 'mongo orders', 'mongo', 'global'], 5])
  expect(await listed({ connector_id: mongo ?? 0, resource: 'orders' })).toEqual([
    ['mongo orders', 'mongo', 'global'],
    3,
  ])
  expect(await listed({ connector_id: mongo ?? 0 })).toEqual([['mongo people', 'mongo orders', 'mongo', 'global'], 4])
  expect(await listed({ connector_id: files ?? 0, resource: 'orders' })).toEqual([['files', 'global'], 2])
  const alone = await server.as('viewer').get(path, { query: { resource: 'orders' } })
  expect([alone.status, pathsOf(alone.body)]).toEqual([400, ['query.resource']])
})

test('search looks into names and descriptions, whatever the case', async () => {
  await made({ name: 'Umsätze', description: null })
  await made({ name: 'b', description: 'The UMSÄTZE of March' })
  await made({ name: 'c', description: 'else' })
  expect(await listed({ q: 'umsÄtze' })).toEqual([['b', 'Umsätze'], 2])
})

test('pages lead through a list that grows meanwhile', async () => {
  for (const name of ['a', 'b', 'c', 'd']) await made({ name })
  const first = (await editor.get(path, { query: { limit: 3 } })).body as Paginated<ExplorerPreset>
  await made({ name: 'later' })
  const next = await editor.get(path, { query: { limit: 3, cursor: first.nextCursor ?? '' } })
  expect((next.body as Paginated<ExplorerPreset>).result.map(({ name }) => name)).toEqual(['a'])
  expect((await editor.get(path, { query: { cursor: 'damaged' } })).status).toBe(400)
  expect((await editor.get(path, { query: { limit: 201 } })).status).toBe(400)
})

test('what breaks a rule is refused with the place of each mistake', async () => {
  const definition = (more: object) => ({ definition: { ...visual, ...more } })
  const text = (name: string, more: object = {}) => ({ name, label: 'L', type: 'string', ...more })
  expect(await refused({ definition: { mode: 'else' } })).toEqual(['body.definition.mode'])
  expect(await refused({ definition: {} })).toEqual(['body.definition.mode'])
  expect(await refused(definition({ filters: using('a'), parameters: [text('a'), text('a')] }))).toEqual([
    'body.definition.parameters[1].name',
  ])
  expect(await refused(definition({ parameters: [text('a-b')] }))).toEqual(['body.definition.parameters[0].name'])
  expect(await refused({ name: ' ' })).toEqual(['body.name'])
  expect(await refused(definition({ filters: using('a'), parameters: [text('a', { label: ' ' })] }))).toEqual([
    'body.definition.parameters[0].label',
  ])
  expect(await refused(definition({ parameters: [text('')] }))).toEqual(['body.definition.parameters[0].name'])
  expect(await refused(definition({ filters: using('a'), values: [{ field: 'f', value: '{{b}}' }] }))).toEqual([
    'body.definition.filters[0].value',
    'body.definition.values[0].value',
  ])
  expect(await refused(definition({ filters: using('a'), parameters: [text('a'), text('b')] }))).toEqual([
    'body.definition.parameters[1].name',
  ])
  const odd = [{ field: '{{a}}', operator: '{{b}}', value: '1' }]
  expect(await refused(definition({ filters: odd, values: [{ field: '{{a}}', value: '1' }], sort: '{{a}}' }))).toEqual([
    'body.definition.filters[0].field',
    'body.definition.filters[0].operator',
    'body.definition.values[0].field',
    'body.definition.sort',
  ])
  const { collection: _, ...bare } = record
  const ofMongo = { connector_id: mongo, definition: { ...visual, filters: using('who'), parameters: [bare] } }
  expect(await refused(ofMongo)).toEqual(['body.definition.parameters[0].collection'])
  const elsewhere = { definition: { ...visual, filters: using('who'), parameters: [record] } }
  expect(await refused(elsewhere)).toEqual(['body.definition.parameters[0].type'])
  expect(await refused({ ...elsewhere, connector_id: files })).toEqual(['body.definition.parameters[0].type'])
  const id = text('a', { type: 'objectId', defaultValue: 'xyz' })
  expect(await refused(definition({ filters: using('a'), parameters: [id] }))).toEqual([
    'body.definition.parameters[0].defaultValue',
  ])
  expect(await refused({ resource: 'orders' })).toEqual(['body.resource'])
  expect(await refused({ connector_id: 999_999 })).toEqual(['body.connector_id'])
  expect(await listed()).toEqual([[], 0])
})

test('raw queries take parameters inside strings of JSON only', async () => {
  const raw = (rawQuery: string, ...names: string[]) => ({
    definition: { mode: 'raw', rawQuery, parameters: names.map((name) => ({ name, label: name, type: 'string' })) },
  })
  await made(raw('SELECT * FROM t WHERE a = :a'))
  await made(raw('{"find": "t", "filter": {"a": "{{a}}", "b": ["x{{b}}"]}}', 'a', 'b'))
  await made({ definition: { mode: 'raw' } })
  const at = 'body.definition.rawQuery'
  expect(await refused(raw("SELECT * FROM t WHERE a = '{{a}}'", 'a'))).toEqual([at])
  expect(await refused(raw("SELECT '{{a}}'"))).toEqual([at])
  expect(await refused(raw('SELECT 1', 'a'))).toEqual([at])
  expect(await refused(raw(' ', 'a'))).toEqual([at])
  expect(await refused(raw('{"find": {{a}}}', 'a'))).toEqual([at])
  expect(await refused(raw('{"find": "{{b}}"}', 'a'))).toEqual([at, 'body.definition.parameters[0].name'])
  // A value must not become a field or an operator.
  expect(await refused(raw('{"find": "t", "filter": {"{{a}}": "{{a}}"}}', 'a'))).toEqual([at])
})

test('a query of any depth and any number of placeholders is read, and a refusal stays short', async () => {
  const raw = (rawQuery: string, ...names: string[]) => ({
    definition: { mode: 'raw', rawQuery, parameters: names.map((name) => ({ name, label: name, type: 'string' })) },
  })
  await made(raw(`${'['.repeat(20_000)}"{{a}}"${']'.repeat(20_000)}`, 'a'))
  await made(raw(`{"find": "${'{{a}}'.repeat(170_000)}"}`, 'a'))
  expect(await refused(raw(`["${'{{b}}'.repeat(170_000)}"]`))).toEqual(['body.definition.rawQuery'])
})

test('only systems that are asked in JSON take parameters in a raw query', async () => {
  const definition = {
    mode: 'raw',
    rawQuery: '{"find": "t", "filter": {"a": "{{a}}"}}',
    parameters: [{ name: 'a', label: 'A', type: 'string' }],
  }
  await made({ connector_id: mongo, definition })
  expect(await refused({ connector_id: files, definition })).toEqual(['body.definition.rawQuery'])
})

test('viewers read presets; editors change their own, admins all', async () => {
  const preset = await made()
  expect((await save({}, server.as('viewer'))).status).toBe(403)
  const other = server.as('editor')
  const change = { name: 'Mine now', definition: visual }
  for (const answer of [
    await other.put(`${path}/${preset.id}`, change),
    await other.delete(`${path}/${preset.id}`),
    await server.as('viewer').delete(`${path}/${preset.id}`),
  ])
    expect(answer).toMatchObject({ status: 403, body: { error: 'FORBIDDEN' } })
  const byAdmin = await server.as('admin').put(`${path}/${preset.id}`, change)
  expect(byAdmin).toMatchObject({ status: 200, body: { name: 'Mine now', created_by: preset.created_by } })
})
