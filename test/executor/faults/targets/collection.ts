import { MongoServerError } from 'mongodb'
import type { BoundConnector } from '../../../../src/contract/executor-protocol.ts'
import { mongoConnector } from '../connectors.ts'
import { lineOf, rowOf, rowsBefore, type Row } from '../rows.ts'
import type { TargetKind } from './target.types.ts'

/** A collection of a server without transactions. */
export const collectionTarget: TargetKind = {
  name: 'mongodb',
  server: 'FerretDB',
  modes: ['append', 'replace', 'upsert', 'delete_insert'],
  // This server looks at every document for each that is to be updated.
  rows: (mode) => (mode === 'upsert' ? 150 : 5_000),
  seconds: (mode) => (mode === 'upsert' ? 5 : 0),
  // A collection that is written beside has none of the documents that a row could be in the way of.
  refuses: (mode) => mode !== 'replace',
  remote: true,
  mayKeep: (mode) => mode !== 'replace',
  async open(world, { mode, refuses }) {
    const { server, client } = await world.mongo()
    const db = client.db('target')
    await db.dropDatabase()
    const items = db.collection<Omit<Row, 'code'> & { code: number }>('items')
    await items.insertMany(rowsBefore.map(({ code, ...row }) => ({ ...row, code: Number(code) })))
    if (mode === 'upsert') await items.createIndex({ id: 1 }, { unique: true })
    const other = { id: 9_500_000, name: rowOf(refuses ?? 0).name, amount: 0, code: 0 }
    if (refuses !== null) {
      await items.createIndex({ name: 1 }, { unique: true })
      await items.insertOne({ ...other })
    }
    const bound = (port: number): BoundConnector => mongoConnector(port, 'target')
    const port = Number(new URL(server.uri).port)
    const key = mode === 'upsert' || mode === 'delete_insert' ? ', key: [id]' : ''
    return {
      connector: bound(port),
      yaml: `{connector: out, collection: items, mode: ${mode}, batch: {rows: ${mode === 'upsert' ? 40 : 1000}}${key}}`,
      async look() {
        const found = await db.listCollections({}, { nameOnly: true }).toArray()
        const documents = await items.find({}, { projection: { _id: 0 } }).toArray()
        return {
          places: found.map(({ name }) => name).toSorted(),
          lines: documents.map((document) => lineOf(document)),
        }
      },
      async relent() {
        await items.deleteMany({ id: other.id })
        await items.dropIndex('name_1').catch((error: unknown) => {
          if (!(error instanceof MongoServerError)) throw error
        })
      },
      link: { port, through: bound },
    }
  },
}
