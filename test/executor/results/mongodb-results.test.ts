// Queries of MongoDB (FerretDB here) through server, executor and worker, with the driver watching.
import { Decimal128, Double, Int32, Long, MongoClient, ObjectId } from 'mongodb'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasMongo, startMongo, type MongoServer } from '../../support/ferretdb.ts'
import { startResultWorld, type ResultWorld } from './result-world.ts'

describe.skipIf(!hasMongo)('MongoDB', () => {
  let server: MongoServer
  let client: MongoClient
  let world: ResultWorld
  let id: number
  beforeAll(async () => {
    server = await startMongo({ inMemory: true })
    client = await new MongoClient(server.uri).connect()
    const db = client.db('shop')
    await db.collection<{ _id: unknown }>('odd').insertOne({
      _id: new ObjectId('64b7f3a2c9e77a0001020304'),
      long: Long.fromString('9223372036854775807'),
      small: new Int32(5),
      part: new Double(5),
      at: new Date('2024-02-29T12:34:56.123Z'),
      text: 'ö',
      bytes: Buffer.from([0, 255]),
      nothing: null,
      inner: { list: [1, 'a'] },
    } as { _id: unknown })
    for (let from = 0; from < 20_000; from += 5_000) {
      await db.collection('many').insertMany(Array.from({ length: 5_000 }, (_, at) => ({ n: from + at })))
    }
    world = await startResultWorld()
    id = await world.connect({ type: 'mongodb', config: { uri: server.uri, database: 'shop' }, secrets: {} })
  })
  afterAll(async () => {
    await world?.close()
    await client?.close()
    await server?.stop()
  })

  test('documents arrive in canonical extended JSON', async () => {
    const { rows, fields } = await world.run(
      id,
      '{"find": "odd", "filter": {"long": {"$numberLong": "9223372036854775807"}}}',
    )
    expect(fields).toEqual([{ name: 'document', type: 'document', native: 'document' }])
    expect(rows).toEqual([
      [
        {
          _id: { $oid: '64b7f3a2c9e77a0001020304' },
          long: { $numberLong: '9223372036854775807' },
          small: { $numberInt: '5' },
          part: { $numberDouble: '5.0' },
          at: { $date: { $numberLong: '1709210096123' } },
          text: 'ö',
          bytes: { $binary: { base64: 'AP8=', subType: '00' } },
          nothing: null,
          inner: { list: [{ $numberInt: '1' }, 'a'] },
        },
      ],
    ])
    expect(Decimal128).toBeDefined()
  })

  test('every document arrives once and in order', async () => {
    let rows = 0
    let wrong = 0
    await world.all(id, '{"find": "many", "sort": {"n": 1}}', (page) => {
      for (const [document] of page.rows)
        if ((document as { n: { $numberInt: string } }).n.$numberInt !== String(rows++)) wrong += 1
    })
    expect([rows, wrong]).toEqual([20_000, 0])
    const { rows: grouped } = await world.run(
      id,
      '{"aggregate": "many", "pipeline": [{"$match": {"n": {"$lt": 10}}}, {"$count": "found"}]}',
    )
    expect(grouped).toEqual([[{ found: { $numberInt: '10' } }]])
  })

  const attempts = [
    '{"insert": "many", "documents": [{}]}',
    '{"delete": "many", "deletes": [{"q": {}, "limit": 0}]}',
    '{"update": "many", "updates": []}',
    '{"findAndModify": "many", "remove": true}',
    '{"find": "many", "remove": true}',
    '{"find": "many", "$db": "admin"}',
    '{"drop": "many"}',
    '{"dropDatabase": 1}',
    '{"create": "new"}',
    '{"aggregate": "many", "pipeline": [{"$out": "new"}]}',
    '{"aggregate": "many", "pipeline": [{"$merge": {"into": "odd"}}]}',
    '{"aggregate": "many", "pipeline": [{"$lookup": {"from": "odd", "pipeline": [{"$merge": "new"}], "as": "x"}}]}',
    '{"aggregate": "many", "pipeline": [{"$facet": {"a": [{"$out": "new"}]}}]}',
    '{"aggregate": "many", "pipeline": [{"$unionWith": {"coll": "odd", "pipeline": [{"$out": "new"}]}}]}',
    '{"find": "many", "filter": {"$where": "sleep(1000)"}}',
    '{"find": "many", "filter": {"$expr": {"$function": {"body": "x", "args": [], "lang": "js"}}}}',
    '{"aggregate": "many", "pipeline": [{"$group": {"_id": 1, "x": {"$accumulator": {}}}}]}',
    '{"aggregate": "many", "pipeline": [{"$changeStream": {}}]}',
    '{"aggregate": 1, "pipeline": [{"$currentOp": {}}]}',
    '{"find": "system.users"}',
    '{"find": ""}',
    '{"find": {"$ne": 1}}',
    '{"eval": "db.many.drop()"}',
    '{"mapReduce": "many"}',
    '[{"$out": "new"}]',
    'db.many.drop()',
    '{"find": "many", "find": "odd", "aggregate": "many", "pipeline": [{"$out": "new"}]}',
  ]
  test('no attempt to write changes anything', async () => {
    const state = async () => {
      const db = client.db('shop')
      const names = (await db.listCollections().toArray()).map(({ name }) => name).toSorted()
      return [names, await db.collection('many').countDocuments(), await db.collection('odd').countDocuments()]
    }
    const before = await state()
    const through: unknown[] = []
    for (const query of attempts) {
      const answer = await world.ask(id, query)
      if (answer.status !== 400) through.push([query, answer.status, answer.body])
    }
    expect(through).toEqual([])
    expect(await state()).toEqual(before)
  })
})
