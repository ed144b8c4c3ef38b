import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { BSON, MongoClient } from 'mongodb'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { hasMongo, startMongo, type MongoServer } from '../../support/ferretdb.ts'
import { fileConnector, runTask, temporaryFolder } from './run-task.ts'

const rows = 20_000

describe.skipIf(!hasMongo)('documents of MongoDB', () => {
  let server: MongoServer
  let client: MongoClient
  let proxy: Server
  let port: number
  /** What becomes of an answer to `getMore`, of which this is the n-th. */
  let meets: (getMore: number) => 'pass' | 'cut before' | 'cut inside' | 'kill cursor'

  beforeAll(async () => {
    server = await startMongo()
    client = await new MongoClient(server.uri).connect()
    const batch = Array.from({ length: rows }, (_, id) => ({ _id: id as never, name: `name ${id}` }))
    await client.db('headgate_cut').collection('t').insertMany(batch)
  })
  afterAll(async () => {
    await client?.db('headgate_cut').dropDatabase()
    await client?.close()
    await server?.stop()
  })
  beforeEach(async () => {
    proxy = createServer((near) => pass(near))
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    const address = proxy.address()
    if (address === null || typeof address === 'string') throw new Error('The proxy has no port')
    port = address.port
    meets = () => 'pass'
  })
  afterEach(() => new Promise((resolve) => proxy.close(resolve)))

  function pass(near: Socket): void {
    const far = connect(Number(new URL(server.uri).port), '127.0.0.1')
    const end = (): void => {
      near.destroy()
      far.destroy()
    }
    near.on('error', end).on('close', end)
    far.on('error', end).on('close', end)
    near.pipe(far)
    let rest = Buffer.alloc(0)
    let more = 0
    far.on('data', (bytes: Buffer) => {
      rest = Buffer.concat([rest, bytes])
      while (rest.length >= 4 && rest.length >= rest.readInt32LE(0)) {
        const message = Buffer.from(rest.subarray(0, rest.readInt32LE(0)))
        rest = rest.subarray(message.length)
        const answer = message.includes('nextBatch') ? meets(++more) : 'pass'
        if (answer === 'cut before') return end()
        if (answer === 'cut inside') {
          near.end(message.subarray(0, message.length / 2))
          far.destroy()
          return
        }
        near.write(answer === 'kill cursor' ? refusal(message) : message)
      }
    })
  }

  /** The server's answer that it does not know the cursor any more. */
  function refusal(message: Buffer): Buffer {
    const body = BSON.serialize({ ok: 0, errmsg: 'cursor id 7 not found', code: 43, codeName: 'CursorNotFound' })
    const head = Buffer.from(message.subarray(0, 21))
    head.writeInt32LE(21 + body.length, 0)
    head.writeUInt32LE(0, 16)
    head[20] = 0
    return Buffer.concat([head, body])
  }

  async function read(more = '') {
    const out = temporaryFolder()
    const uri = new URL(server.uri)
    uri.port = String(port)
    const run = await runTask(
      `etl: 1
kind: pipeline
name: read
connectors: {db: {type: mongodb, access: read}, out: {type: file, access: write}}
source: {connector: db, mongo: {collection: t${more}}}
target: {connector: out, file: {path: out.csv}}
`,
      {
        db: {
          id: 9,
          name: 'erp',
          type: 'mongodb',
          config: { uri: uri.href, database: 'headgate_cut' },
          secrets: {},
        },
        out: fileConnector(out),
      },
    )
    return { run, written: existsSync(join(out, 'out.csv')) }
  }

  it('arrive through the proxy', async () => {
    expect((await read()).run).toMatchObject({ status: 'success', item_count: rows })
  })

  it.each<[string, typeof meets]>([
    ['is cut before the second batch', (n) => (n === 1 ? 'cut before' : 'pass')],
    ['is cut within a batch', (n) => (n === 10 ? 'cut inside' : 'pass')],
    ['is cut before the last batch', (n) => (n === 19 ? 'cut before' : 'pass')],
  ])('whose connection %s fail the run', async (_, behave) => {
    meets = behave
    const { run, written } = await read()
    expect(run.error).toMatchObject({ code: 'CONNECTION_FAILED', retryable: true })
    expect(written).toBe(false)
  })

  it.each([1, 10, 19])('whose cursor the server forgets at batch %i fail the run', async (at) => {
    meets = (n) => (n === at ? 'kill cursor' : 'pass')
    const { run, written } = await read()
    expect(run.error?.message).toMatch(/cursor/i)
    expect(written).toBe(false)
  })
})
