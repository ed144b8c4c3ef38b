import { afterAll, beforeAll, expect, test } from 'vitest'
import { createConnector } from '../../../src/contract/connectors.ts'
import {
  createExplorerPreset,
  deleteExplorerPreset,
  listExplorerPresets,
  updateExplorerPreset,
} from '../../../src/contract/explorer-presets.ts'
import { type TestClient, type TestServer, startTestServer } from '../../support/server.ts'
import { type Imported, bundleOf, exported, importInto, recordsOf } from './bundles.ts'

let server: TestServer
let admin: TestClient
let other: TestServer
let there: TestClient
beforeAll(async () => {
  server = await startTestServer()
  admin = server.as('admin')
  other = await startTestServer()
  there = other.as('admin')
})
afterAll(async () => {
  await server.close()
  await other.close()
})

const actions = ({ results }: Imported) => results.map(({ name, action }) => `${action} ${name}`)
const visual = (value: string) => ({
  mode: 'visual' as const,
  filters: [{ field: 'id', operator: '=', value }],
  ...(value.includes('{{') && { parameters: [{ name: 'id', label: 'Id "ä"\n🚂', type: 'string' as const }] }),
})
const connector = async (client: TestClient, name: string) => {
  const body = { name, type: 'sqlite' as const, config: { path: `/tmp/${name}.db` } }
  return (await client.call(createConnector, { body })).id
}
const create = (client: TestClient, body: Parameters<typeof createBody>[0]) =>
  client.call(createExplorerPreset, { body: createBody(body) })
const createBody = (body: {
  name: string
  connector_id?: number
  resource?: string
  description?: string
  value?: string
}) => {
  const { value = '1', ...rest } = body
  return { ...rest, definition: visual(value) }
}
const line = (name: string, text: unknown) => ({
  kind: 'explorer_preset',
  name,
  versions: [{ version: 1, yaml_content: typeof text === 'string' ? text : JSON.stringify(text) }],
})

test('presets come back as they were, with their connectors by name, and again is unchanged', async () => {
  const shop = await connector(admin, 'shop')
  await connector(there, 'unrelated')
  const shopThere = await connector(there, 'shop')
  await create(admin, { name: 'Everywhere', value: '{{id}}', description: 'Line\n"two" \u2028' })
  await create(admin, { name: 'One', connector_id: shop })
  await create(admin, { name: 'One', connector_id: shop, resource: 'orders' })
  // The same name in the same place, and one that is called as the others are numbered.
  await create(admin, { name: 'One', connector_id: shop, resource: 'orders', value: '2' })
  await create(admin, { name: 'One · shop · orders (2)', value: '3' })
  const bundle = await exported(admin)
  const names = [
    'Everywhere',
    'One · shop',
    'One · shop · orders',
    'One · shop · orders (2)',
    'One · shop · orders (2) (2)',
  ]
  expect(recordsOf(bundle).map(({ name }) => name)).toEqual(names)
  const dry = await importInto(there, bundle, { dry_run: true })
  expect((await there.call(listExplorerPresets)).total).toBe(0)
  const real = await importInto(there, bundle)
  expect(dry.text).toBe(real.text)
  expect(actions(real)).toEqual(names.map((name) => `create ${name}`))
  const made = (await there.call(listExplorerPresets)).result
  expect(new Set(made.map(({ connector_id }) => connector_id))).toEqual(new Set([null, shopThere]))
  expect(made.find(({ name }) => name === 'Everywhere')).toMatchObject({
    description: 'Line\n"two" \u2028',
    resource: null,
    definition: visual('{{id}}'),
  })
  const texts = (found: string) => recordsOf(found).map(({ name, versions }) => [name, versions[0]?.yaml_content])
  expect(texts(await exported(there))).toEqual(texts(bundle))
  expect((await importInto(there, bundle)).summary).toMatchObject({ unchanged: 5, created: 0, updated: 0, errors: 0 })
  expect((await importInto(there, bundle, { mode: 'upsert_all_versions' })).summary).toMatchObject({ unchanged: 5 })
})

test('what differs is updated, skipped, or an error, as the policy says; whoever created it stays its owner', async () => {
  const { id } = await create(there, { name: 'Policy' })
  const theirs = { name: 'Policy', description: null, connector: null, resource: null, definition: visual('9') }
  const bundle = bundleOf(line('Policy', theirs))
  const stored = async () => (await there.call(listExplorerPresets, { query: { q: 'Policy' } })).result
  expect(actions(await importInto(there, bundle, { conflict_policy: 'skip' }))).toEqual(['skip Policy'])
  expect(actions(await importInto(there, bundle, { conflict_policy: 'error' }))).toEqual(['error Policy'])
  expect(actions(await importInto(there, bundle, { mode: 'create_only' }))).toEqual(['skip Policy'])
  expect(await stored()).toMatchObject([{ id, definition: visual('1') }])
  expect(actions(await importInto(there, bundle))).toEqual(['update Policy'])
  expect(await stored()).toMatchObject([{ id, definition: visual('9') }])
  expect(await stored()).toHaveLength(1)
  await there.call(updateExplorerPreset, { params: { id }, body: createBody({ name: 'Policy', value: '5' }) })
  await there.call(deleteExplorerPreset, { params: { id } })
  expect(actions(await importInto(there, bundle, { normalize_names: true }))).toEqual(['create Policy'])
})

test('a preset without its connector, with rules broken, or under another name is an error that says so; the others go on', async () => {
  const plain = { description: null, connector: null, resource: null, definition: visual('1') }
  const cases: [string, unknown, string][] = [
    ['A · gone', { ...plain, name: 'A', connector: 'gone' }, 'There is no connector "gone"'],
    ['B', { ...plain, name: 'B', resource: 'orders' }, '`connector`'],
    ['C', { ...plain, name: 'C', definition: { mode: 'visual', filters: [{ field: 1 }] } }, '`definition.filters.0'],
    [
      'D',
      { ...plain, name: 'D', definition: visual('{{x}}') },
      '`definition.filters[0].value`: There is no parameter "x"',
    ],
    ['E', 'no JSON', 'must be a JSON object'],
    ['F', { ...plain, name: 'other' }, 'other'],
    ['G', { ...plain, name: 'G', definition: { mode: 'visual', extra: 1 } }, '`definition'],
    ['H', { ...plain, name: ' H ' }, '`name`'],
    ['I', [], 'must be a JSON object'],
    // It could be read, but no bundle could be written with it.
    ['J', `{"name":"J","definition":${'['.repeat(500)}${']'.repeat(500)}}`, 'more than 500 levels'],
  ]
  const imported = await importInto(
    there,
    bundleOf(...cases.map(([name, text]) => line(name, text)), line('Sound', { ...plain, name: 'Sound' })),
  )
  expect(actions(imported)).toEqual([...cases.map(([name]) => `error ${name}`), 'create Sound'])
  for (const [at, [, , says]] of cases.entries()) expect(imported.results[at]?.message).toContain(says)
})

test('a list of presets is exported alone, and unknown ids are named', async () => {
  const { id } = await create(admin, { name: 'Alone' })
  const bundle = await exported(admin, { explorer_presets: String(id) })
  expect(recordsOf(bundle).map(({ kind, name }) => `${kind} ${name}`)).toEqual(['explorer_preset Alone'])
  expect((await admin.get('/api/export?explorer_presets=999999')).status).toBe(404)
  expect(recordsOf(await exported(admin, { tasks: 'none' }))).toEqual([])
})
