// Changes of MongoDB (FerretDB here) through server, executor and worker, with the driver watching.
import { Double, Int32, Long, MongoClient, ObjectId, type Db } from 'mongodb'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { hasMongo, startMongo, type MongoServer } from '../../support/ferretdb.ts'
import { type ChangeWorld, raw, startChangeWorld } from './change-world.ts'
import { changesThatDiffer, emptyList } from './conditions.ts'
import { refusedFor } from './sql-suite.ts'

interface Person {
  _id: ObjectId | number | string
  name: string
  age: unknown
}

describe.skipIf(!hasMongo)('MongoDB', () => {
  let server: MongoServer
  let client: MongoClient
  let db: Db
  let world: ChangeWorld
  let id: number
  beforeAll(async () => {
    server = await startMongo({ inMemory: true })
    client = await new MongoClient(server.uri).connect()
    db = client.db('shop')
    world = await startChangeWorld()
    id = await world.connect({ type: 'mongodb', config: { uri: server.uri, database: 'shop' }, secrets: {} })
  })
  afterAll(async () => {
    await world?.close()
    await client?.close()
    await server?.stop()
  })
  const people = () => db.collection<Person>('people')
  const names = async () => (await people().find().sort({ name: 1 }).toArray()).map(({ name }) => name)
  beforeEach(async () => {
    await people().deleteMany({})
    await people().insertMany([
      { _id: new ObjectId('64b7f3a2c9e77a0001020304'), name: 'Ada', age: new Int32(36) },
      { _id: 2, name: 'Grace', age: new Double(45) },
      { _id: 'three', name: 'Alan', age: Long.fromString('9007199254740993') },
    ])
  })
  /** As the grid has read them. */
  const documents = async () => {
    const { rows } = await world.run(id, JSON.stringify({ find: 'people', sort: { name: 1 } }))
    return rows.map(([document]) => document as Record<string, unknown>)
  }

  test('documents are inserted, replaced, and deleted exactly', async () => {
    const [ada, alan, grace] = await documents()
    const added = {
      _id: { $oid: '64b7f3a2c9e77a0001020305' },
      name: "$where' }",
      long: { $numberLong: '9223372036854775807' },
      part: { $numberDouble: '5.0' },
      at: { $date: { $numberLong: '1709209234123' } },
      bytes: { $binary: { base64: 'AP8=', subType: '00' } },
      nested: { list: [{ $numberInt: '1' }, null, { a: { $numberLong: '2' } }] },
    }
    const body = {
      resource: 'people',
      edits: [
        { kind: 'insert', values: { document: added } },
        { kind: 'update', original: { document: ada }, values: { document: { ...ada, name: 'Lady Ada' } } },
        { kind: 'delete', original: { document: grace } },
        { kind: 'update', original: { document: alan }, values: { document: { ...alan, note: null } } },
      ],
    }
    const review = await world.review(id, body)
    expect(review).toMatchObject({ rows: 4, transaction: false })
    expect(await names()).toEqual(['Ada', 'Alan', 'Grace'])
    expect(await world.review(id, { ...body, confirmation: review.confirmation })).toMatchObject({ changed: 4 })
    const found = await documents()
    expect(found).toEqual([added, { ...alan, note: null }, { ...ada, name: 'Lady Ada' }])
    const typed = await people().findOne({ name: "$where' }" }, { promoteValues: false })
    expect(String((typed as unknown as { long: Long }).long)).toBe('9223372036854775807')
  })

  test('a document that changed its value or only the type of one is a conflict', async () => {
    const [ada, alan, grace] = await documents()
    const edit = (document: unknown) => ({ resource: 'people', edits: [{ kind: 'delete', original: { document } }] })
    const { confirmation } = await world.review(id, edit(grace))
    await people().updateOne({ _id: 2 }, { $set: { age: Long.fromNumber(45) } })
    const late = await world.post(id, { ...edit(grace), confirmation })
    expect(late).toMatchObject({ status: 409, body: { details: [{ params: { fields: ['age'] } }] } })
    await people().updateOne({ name: 'Ada' }, { $set: { more: 1 } })
    expect(await world.post(id, edit(ada))).toMatchObject({ body: { details: [{ params: { fields: ['more'] } }] } })
    await people().deleteOne({ name: 'Alan' })
    expect(await world.post(id, edit(alan))).toMatchObject({ body: { details: [{ code: 'changes_row_gone' }] } })
    expect(await names()).toEqual(['Ada', 'Grace'])
  })

  test('commands are counted without being run', async () => {
    const update = {
      update: 'people',
      updates: [{ q: { age: { $lt: 50 } }, u: { $set: { age: { $numberLong: '9223372036854775807' } } }, multi: true }],
    }
    const review = await world.review(id, raw(JSON.stringify(update)))
    expect(review).toMatchObject({ rows: 2, statements: [{ rows: 2, changed: null }] })
    expect(await names()).toHaveLength(3)
    expect(await world.write(id, raw(JSON.stringify(update)))).toMatchObject({ changed: 2 })
    expect((await documents())[2]).toMatchObject({ age: { $numberLong: '9223372036854775807' } })
    const one = { delete: 'people', deletes: [{ q: {}, limit: 1 }] }
    expect(await world.write(id, raw(JSON.stringify(one)))).toMatchObject({ rows: 1, changed: 1 })
    for (const [command, code] of [
      [{ drop: 'people' }, 'change_of_documents'],
      [{ update: 'people', updates: [{ q: {}, u: { $set: { a: 1 } }, upsert: true }] }, 'change_of_documents'],
      [{ delete: 'people', deletes: [{ q: { $where: 'sleep(1)' } }] }, null],
      [{ insert: 'system.users', documents: [{}] }, null],
      [{ update: 'people', updates: [{ q: {}, u: { a: 1 }, multi: true }] }, 'change_replaces_one'],
    ] as const) {
      const answer = await world.post(id, raw(JSON.stringify(command)))
      expect(answer).toMatchObject(code === null ? { status: 400 } : refusedFor(code))
    }
    expect(await names()).toHaveLength(2)
  })

  test('the builder writes values of the types that are chosen', async () => {
    const definition = {
      mode: 'visual',
      action: 'update',
      filters: [{ field: '_id', operator: '=', value: '{{who}}', valueType: 'objectId' }],
      values: [
        { field: 'age', value: '9007199254740993' },
        { field: 'text', value: '007', valueType: 'string' },
      ],
      parameters: [{ name: 'who', label: 'Who', type: 'objectId' }],
    }
    const parameters = { who: '64b7f3a2c9e77a0001020304' }
    expect(await world.write(id, { resource: 'people', definition, parameters })).toMatchObject({ rows: 1, changed: 1 })
    expect((await documents())[0]).toMatchObject({ age: { $numberLong: '9007199254740993' }, text: '007' })
    const sly = { who: '{"$ne": null}' }
    expect(await world.post(id, { resource: 'people', definition, parameters: sly })).toMatchObject({ status: 400 })
    const operator = { ...definition, filters: [{ field: '$where', operator: '=', value: '1' }], parameters: [] }
    expect(await world.post(id, { resource: 'people', definition: operator })).toMatchObject(
      refusedFor('change_field_name'),
    )
  })

  test('a change touches the documents that a query with the same conditions finds', async () => {
    await db.collection('people').insertOne({ age: null })
    expect(await changesThatDiffer(world, id)).toEqual([])
    expect(await world.post(id, { resource: 'people', definition: emptyList })).toMatchObject(
      refusedFor('change_list_empty'),
    )
  })

  test('a refusal in the middle says how much was written, as nothing takes it back', async () => {
    const [ada] = await documents()
    const body = {
      resource: 'people',
      edits: [
        { kind: 'delete', original: { document: ada } },
        { kind: 'insert', values: { document: { _id: { $numberInt: '2' }, name: 'Twice' } } },
      ],
    }
    const { confirmation } = await world.review(id, body)
    const answer = await world.post(id, { ...body, confirmation })
    expect(answer).toMatchObject({ status: 502, body: { code: 'changes_partly', params: { written: 1, all: 2 } } })
    expect(await names()).toEqual(['Alan', 'Grace'])
  })
})
