import { MongoClient } from 'mongodb'
import { expect, it } from 'vitest'
import { hasMongo, startMongo } from '../../support/ferretdb.ts'
import { runTask } from './run-task.ts'

it.skipIf(!hasMongo)('an append whose last document is refused takes away the thousands before it', async () => {
  const server = await startMongo({ inMemory: true })
  const client = await new MongoClient(server.uri).connect()
  try {
    const documents = client.db('undo').collection('c')
    await documents.insertMany([{ id: 60_000 }, { id: -1 }])
    await documents.createIndex({ id: 1 }, { unique: true })
    const run = await runTask(
      `etl: 1
kind: pipeline
name: load
connectors: {db: {type: mongodb, access: write}}
source: {inline: {rows: [{n: 60000}]}}
steps: [{sql: "SELECT unnest(range(1, n + 1)) AS id FROM stream"}]
target: {connector: db, collection: c, mode: append}
`,
      {
        db: { id: 7, name: 'erp', type: 'mongodb', config: { uri: server.uri, database: 'undo' }, secrets: {} },
      },
    )
    expect(run.error).toMatchObject({ code: 'KEY_NOT_UNIQUE', step: 'target' })
    expect(run.error?.message).toContain('Row 60,000')
    expect(run.log.map(({ message }) => message)).toContain('Removed the 59,999 documents that were added before')
    expect(await documents.find({}, { projection: { _id: 0 }, sort: { id: 1 } }).toArray()).toEqual([
      { id: -1 },
      { id: 60_000 },
    ])
  } finally {
    await client.db('undo').dropDatabase()
    await client.close()
    await server.stop()
  }
})
