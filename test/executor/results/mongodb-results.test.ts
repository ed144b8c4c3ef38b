// Queries of MongoDB (FerretDB here) through server, executor and worker, with the driver watching.
import { once } from 'node:events'
import { type AddressInfo, type Socket, connect, createServer } from 'node:net'
import { Decimal128, Double, Int32, Long, MongoClient, ObjectId } from 'mongodb'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RecordsPage, listRecords } from '../../../src/contract/records.ts'
import { hasMongo, startMongo, type MongoServer } from '../../support/ferretdb.ts'
import { markMistake, startResultWorld, type ResultWorld } from './result-world.ts'

/** Stands before the server: what is open here is open there. */
async function startWatch(uri: string) {
  const { hostname, port } = new URL(uri.replace('mongodb:', 'http:'))
  const open = new Set<Socket>()
  const said: string[] = []
  const server = createServer((client) => {
    const there = connect(Number(port), hostname)
    open.add(there)
    client.on('data', (bytes: Buffer) => said.push(bytes.toString('latin1')))
    client.pipe(there).pipe(client)
    for (const [one, other] of [
      [client, there],
      [there, client],
    ] as const) {
      one.on('error', () => undefined) // told by its end
      one.on('close', () => {
        other.destroy()
        open.delete(there)
      })
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const at = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return { uri: uri.replace(`${hostname}:${port}`, at), open: () => open.size, said, close: () => void server.close() }
}
const SOON = { timeout: 1_000, interval: 20 }

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

  test('a mistake in the JSON is told at its place', async () => {
    const queries = ['{"find": "orders",\n "filter": {▮a: 1}}']
    for (const query of queries) expect(await markMistake(world, id, query)).toBe(query)
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

  test('records are searched by text and by value, and paged so that each comes once', async () => {
    await client
      .db('shop')
      .collection('people')
      .insertMany(
        Array.from({ length: 130 }, (_, nr) => ({
          nr,
          name: { full: nr % 2 === 0 ? `Zoë (${nr})` : 'Twin' },
          team: nr < 100 ? 'blue' : 'red',
        })),
      )
    const parameter = {
      name: 'who',
      label: 'Who',
      type: 'mongoRecord' as const,
      collection: 'people',
      valueField: 'nr',
      labelField: 'name.full',
      searchFields: ['name.full', 'nr'],
      filter: { team: 'blue' },
    }
    const ask = (more: object) => world.editor.call(listRecords, { params: { id }, body: { parameter, ...more } })
    const values: (string | null)[] = []
    let cursor: string | null = null
    do {
      const page: RecordsPage = await ask({ limit: 30, ...(cursor !== null && { cursor }) })
      values.push(...page.records.map(({ value }) => value))
      cursor = page.next_cursor
    } while (cursor !== null)
    expect(values.toSorted((a, b) => Number(a) - Number(b))).toEqual(Array.from({ length: 100 }, (_, nr) => String(nr)))
    const found = async (q: string) => (await ask({ q })).records.map(({ label }) => label)
    expect(await found('zoë (4')).toHaveLength(6)
    expect(await found('(44)')).toEqual(['Zoë (44)'])
    expect(await found('17')).toEqual(['Twin'])
    expect(await found('.*')).toEqual([])
    const chosen = await ask({ q: 'no such', value: '98' })
    expect(chosen).toEqual({
      records: [],
      next_cursor: null,
      selected: { value: '98', label: 'Zoë (98)', description: [] },
    })
    // The filter holds for the chosen one, too.
    expect((await ask({ value: '120' })).selected).toBeNull()
  })

  test('a cancelled query and a killed executor leave no connection and no cursor', async () => {
    const watch = await startWatch(server.uri)
    const watched = await world.connect({ type: 'mongodb', config: { uri: watch.uri, database: 'shop' }, secrets: {} })
    const { query_id } = await world.run(watched, '{"find": "many"}', { page_size: 1 })
    expect(watch.open()).toBeGreaterThan(0)
    await world.cancel(watched, query_id)
    await expect.poll(watch.open, SOON).toBe(0)
    // A server that keeps no sessions ends cursors with their connection.
    const stops = watch.said.some((text) => /killCursors|killSessions/.test(text))
    expect(stops || !watch.said.some((text) => text.includes('lsid'))).toBe(true)
    const left = await world.run(watched, '{"find": "many"}', { page_size: 1 })
    expect(watch.open()).toBeGreaterThan(0)
    world.executor().kill('SIGKILL')
    await expect.poll(watch.open, { timeout: 5_000, interval: 20 }).toBe(0)
    world.server.services.executors.ended('real')
    const gone = await world.editor.get(`/api/connectors/${watched}/query/${left.query_id}`, { query: { row: 1 } })
    expect(gone).toMatchObject({ status: 409, body: { code: 'query_executor_gone' } })
    world.startExecutor()
    await expect.poll(() => world.online(), { interval: 10 }).toBe('online')
    watch.close()
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
