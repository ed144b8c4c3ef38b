// Records that a parameter offers. The executor is a script; what MongoDB makes of the queries is tested with the executor's own tests.
import { expect, test } from 'vitest'
import { createConnector } from '../../../src/contract/connectors.ts'
import type { ResultPlan } from '../../../src/contract/executor-results.ts'
import type { PresetParameter } from '../../../src/contract/explorer-presets.ts'
import type { RecordsPage } from '../../../src/contract/records.ts'
import { recordOf } from '../../../src/server/features/queries/records.rules.ts'
import type { TestClient } from '../../support/server.ts'
import { controlPlane } from '../runs/control-plane.ts'
import { fakeExecutor } from '../runs/fake-executor.ts'

const who: PresetParameter = {
  name: 'who',
  label: 'Who',
  type: 'mongoRecord',
  collection: 'people',
  labelField: 'name.full',
  descriptionFields: ['city'],
  searchFields: ['name.full', 'nr'],
}
const fields = [{ name: 'document', type: 'document' as const, native: 'document' }]
const person = (nr: number) => ({
  _id: { $oid: String(nr).padStart(24, '0') },
  name: { full: `Person ${nr}` },
  city: 'Ulm',
})

async function world() {
  const plane = await controlPlane()
  const executor = await fakeExecutor(plane)
  await executor.claim({ result_slots: 4 })
  const admin = plane.as('admin')
  const config = { uri: 'mongodb://127.0.0.1:9', database: 'shop' }
  const { id } = await admin.call(createConnector, { body: { name: 'mongo', type: 'mongodb', config } })
  const ask = (body: object, client: TestClient = plane.editor) => client.post(`/api/connectors/${id}/records`, body)
  /** Answers the next query with these documents; what was asked. */
  async function answer(documents: readonly object[]): Promise<Record<string, unknown>> {
    const plan = await taken()
    const start = { fields, statement: plan.query }
    await executor.chunk(
      plan.result_id,
      { seq: 1, rows: documents.length, start, total: documents.length },
      documents.map((document) => [document]),
    )
    return JSON.parse(plan.query) as Record<string, unknown>
  }
  async function taken(): Promise<ResultPlan> {
    for (;;) {
      const [plan] = (await executor.claim({ result_slots: 4, wait_ms: 5_000 })).results
      if (plan) return plan
    }
  }
  return { plane, id, ask, answer }
}

test('records are searched and paged at the system, and the chosen one keeps its label', async () => {
  const { ask, answer } = await world()
  const parameter = { ...who, filter: { active: true }, sort: { city: -1 } }
  const first = ask({ parameter, q: '4.2', limit: 2 })
  expect(await answer([person(1), person(2), person(3)])).toEqual({
    find: 'people',
    filter: {
      $and: [
        { active: true },
        {
          $or: [
            { 'name.full': { $regex: '4\\.2', $options: 'i' } },
            { 'name.full': { $in: [{ $numberDouble: '4.2' }] } },
            { nr: { $regex: '4\\.2', $options: 'i' } },
            { nr: { $in: [{ $numberDouble: '4.2' }] } },
          ],
        },
      ],
    },
    projection: { _id: 1, 'name.full': 1, city: 1 },
    sort: { city: -1, _id: 1 },
    skip: 0,
    limit: 3,
  })
  const page = (await first).body as RecordsPage
  expect(page.records).toEqual([
    { value: '0'.repeat(23) + '1', label: 'Person 1', description: [{ field: 'city', text: 'Ulm' }] },
    { value: '0'.repeat(23) + '2', label: 'Person 2', description: [{ field: 'city', text: 'Ulm' }] },
  ])
  const value = '0'.repeat(23) + '9'
  const second = ask({ parameter, q: '4.2', limit: 2, cursor: page.next_cursor, value })
  expect(await answer([person(3)])).toMatchObject({ skip: 2, limit: 3 })
  expect(await answer([person(9)])).toMatchObject({
    filter: { $and: [{ active: true }, { _id: { $in: [value, { $oid: value }] } }] },
    limit: 1,
  })
  expect((await second).body).toMatchObject({
    records: [{ label: 'Person 3' }],
    next_cursor: null,
    selected: { value, label: 'Person 9' },
  })
})

test('a cursor works for its own list only, and a changed one is refused', async () => {
  const { ask, answer } = await world()
  const first = ask({ parameter: who, limit: 1 })
  await answer([person(1), person(2)])
  const { next_cursor } = (await first).body as RecordsPage
  const bytes = Buffer.from(next_cursor!, 'base64url')
  bytes[bytes.length - 2]! ^= 1
  for (const body of [
    { parameter: who, limit: 1, cursor: bytes.toString('base64url') },
    { parameter: who, limit: 1, q: 'other', cursor: next_cursor },
    { parameter: { ...who, filter: { hidden: true } }, limit: 1, cursor: next_cursor },
  ]) {
    expect(await ask(body)).toMatchObject({ status: 400, body: { details: [{ path: 'body.cursor' }] } })
  }
})

test('what is no record parameter, and names that would be operators, are refused with their place', async () => {
  const { plane, ask } = await world()
  const refused = async (parameter: object) => {
    const { status, body } = await ask({ parameter })
    return [status, (body as { details: { path: string }[] }).details.map(({ path }) => path)]
  }
  expect(await refused({ name: 'a', label: 'A', type: 'objectId' })).toEqual([400, ['body.parameter.type']])
  expect(await refused({ ...who, collection: ' ' })).toEqual([400, ['body.parameter.collection']])
  expect(await refused({ ...who, labelField: '$where' })).toEqual([400, ['body.parameter.labelField']])
  expect(await refused({ ...who, searchFields: ['a', 'b.$expr'] })).toEqual([400, ['body.parameter.searchFields[1]']])
  const elsewhere = await plane.editor.post(`/api/connectors/${plane.mapping.out}/records`, { parameter: who })
  expect(elsewhere).toMatchObject({ status: 400, body: { details: [{ code: 'preset_connector_not_mongodb' }] } })
})

test('a viewer filters records only as a saved preset of the connector does', async () => {
  const { plane, id, ask, answer } = await world()
  const parameter = { ...who, filter: { team: 'blue' } }
  const definition = {
    mode: 'visual',
    filters: [{ field: 'who', operator: '=', value: '{{who}}' }],
    parameters: [parameter],
  }
  const saved = await plane.editor.post('/api/explorer-presets', {
    name: 'Of one',
    connector_id: id,
    resource: 'orders',
    definition,
  })
  const { id: preset_id } = saved.body as { id: number }
  const viewer = plane.as('viewer')
  for (const body of [
    { parameter },
    { parameter: { ...parameter, filter: { team: 'red' } }, preset_id },
    { parameter, preset_id: preset_id + 1 },
  ])
    expect(await ask(body, viewer)).toMatchObject({
      status: 400,
      body: { details: [{ path: 'body.parameter.filter', code: 'records_filter_not_saved' }] },
    })
  const allowed = ask({ parameter, preset_id }, viewer)
  await answer([person(1)])
  expect((await allowed).status).toBe(200)
  const unfiltered = ask({ parameter: who }, viewer)
  await answer([])
  expect((await unfiltered).body).toEqual({ records: [], next_cursor: null, selected: null })
})

test('values of every kind are text as a filter takes them; lists and objects can’t be chosen', () => {
  const valueOf = (v: unknown) => recordOf({ valueField: 'v' }, { v }).value
  expect(
    [
      'ö',
      true,
      { $oid: 'a'.repeat(24) },
      { $numberLong: '9007199254740993' },
      { $numberDecimal: '1.10' },
      { $numberDouble: '0.5' },
      { $date: { $numberLong: '1706745600123' } },
    ].map(valueOf),
  ).toEqual(['ö', 'true', 'a'.repeat(24), '9007199254740993', '1.10', '0.5', '2024-02-01T00:00:00.123Z'])
  for (const none of [null, undefined, [], ['a'], { a: 1 }, { $date: { $numberLong: '9e99' } }])
    expect(valueOf(none)).toBeNull()
  const source = { labelField: 'a.b', descriptionFields: ['list', 'none'] }
  expect(recordOf(source, { _id: 'x', 'a.b': 'flat', list: [{ $numberInt: '1' }] })).toEqual({
    value: 'x',
    label: 'flat',
    description: [{ field: 'list', text: '[{"$numberInt":"1"}]' }],
  })
  expect(recordOf(source, 'cut off')).toEqual({ value: null, label: '', description: [] })
})
