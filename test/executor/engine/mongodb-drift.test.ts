import { MongoClient, type Document } from 'mongodb'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { BoundConnector } from '../../../src/contract/executor-protocol.ts'
import { runCall } from '../../../src/executor/engine/calls.ts'
import { hasMongo, startMongo, type MongoServer } from '../../support/ferretdb.ts'
import { runTask, temporaryFolder } from './run-task.ts'

/** The documents are `{id, amount, note}` with an integer amount; the row that comes has the id 3. */
const changes = {
  added: ['{id: 3, amount: 30, note: c, more: x}', {}, { id: 3, amount: 30, note: 'c', more: 'x' }],
  removed: ['{id: 3, amount: 30}', {}, { id: 3, amount: 30 }],
  renamed: ['{id: 3, amount: 30, remark: c}', {}, { id: 3, amount: 30, remark: 'c' }],
  retyped: [
    '{id: 3, amount: 2024-02-29, note: c}',
    { amount: 'date' },
    { id: 3, amount: new Date('2024-02-29'), note: 'c' },
  ],
  reordered: ['{note: c, amount: 30, id: 3}', {}, { note: 'c', amount: 30, id: 3 }],
} as const
const modes = ['append', 'replace', 'upsert, key: [id]', 'delete_insert, key: [id]']
const cells = Object.keys(changes).flatMap((change) =>
  modes.map((mode) => [change, mode] as [keyof typeof changes, string]),
)

describe.skipIf(!hasMongo)('documents whose fields differ from those of a MongoDB collection', () => {
  let server: MongoServer
  let client: MongoClient
  beforeAll(async () => {
    server = await startMongo()
    client = await new MongoClient(server.uri).connect()
  })
  afterAll(async () => {
    await client?.db('drift').dropDatabase()
    await client?.close()
    await server?.stop()
  })
  const held: Document[] = [
    { id: 1, amount: 10, note: 'a' },
    { id: 2, amount: 20, note: 'b' },
  ]
  beforeEach(async () => {
    const db = client.db('drift')
    await db.dropCollection('c').catch(() => undefined)
    await db.collection('c').insertMany(held.map((document) => ({ ...document })))
    await db.collection('c').createIndex({ id: 1 }, { unique: true })
  })
  const contents = () =>
    client
      .db('drift')
      .collection('c')
      .find({}, { projection: { _id: 0 }, sort: { id: 1 } })
      .toArray()

  it.each(cells)(
    '(%s) are stored as they come by %s: no field is refused, added to others, or converted',
    async (change, mode) => {
      const [row, columns, document] = changes[change]
      const bound: BoundConnector = {
        id: 7,
        name: 'erp',
        type: 'mongodb',
        config: { uri: server.uri, database: 'drift' },
        secrets: {},
      }
      const yaml = `etl: 1
kind: pipeline
name: load
connectors: {db: {type: mongodb, access: write}}
source: {inline: {rows: [${row}], columns: ${JSON.stringify(columns)}}}
target: {connector: db, collection: c, mode: ${mode}}
`
      const preview = await runCall(
        { kind: 'preview', yaml_content: yaml, arguments: {}, connectors: { db: bound }, step: null, limit: 100 },
        { signal: new AbortController().signal, tempDir: temporaryFolder() },
      )
      // There is no table whose columns could differ.
      expect(preview).toMatchObject({ kind: 'preview', value: { stages: [{ row_count: 1 }] } })
      expect(preview).not.toHaveProperty('value.target')
      expect(await contents()).toEqual(held)
      const run = await runTask(yaml, { db: bound })
      expect(run.error).toBeUndefined()
      expect(run.steps.at(-1)).not.toHaveProperty('drift')
      const found = await contents()
      expect(found).toEqual(mode === 'replace' ? [document] : [...held, document])
      // What an upsert sets is put in order by the server.
      const order = Object.keys(mode.startsWith('upsert') ? found.at(-1)! : document)
      expect(Object.keys(found.at(-1)!)).toEqual(order)
    },
  )
})
