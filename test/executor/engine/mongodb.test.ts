import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Binary, Double, Long, MongoClient, ObjectId, Timestamp, UUID, type Db, type Document } from 'mongodb'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { BoundConnector } from '../../../src/contract/executor-protocol.ts'
import type { ConnectorTestResult, ResourceDetail, ResourceList } from '../../../src/contract/connectors.ts'
import { runCall } from '../../../src/executor/engine/calls.ts'
import { hasMongo, startFerretDb, startMongo, type MongoServer } from '../../support/ferretdb.ts'
import { freePort } from '../../support/free-port.ts'
import {
  fileConnector,
  flow,
  runTask,
  sqliteConnector,
  temporaryFolder,
  type FinishedRun,
  type RunOptions,
} from './run-task.ts'

describe.skipIf(!hasMongo)('MongoDB', () => {
  let server: MongoServer
  let client: MongoClient
  let db: Db

  beforeAll(async () => {
    server = await startMongo()
    client = await new MongoClient(server.uri).connect()
    db = client.db('headgate_test')
  })
  afterAll(async () => {
    await db?.dropDatabase()
    await client?.close()
    await server?.stop()
  })
  beforeEach(async () => {
    for (const { name } of await db.listCollections({}, { nameOnly: true }).toArray()) await db.dropCollection(name)
  })

  function connector(more: Record<string, unknown> = {}, secrets: Record<string, string> = {}): BoundConnector {
    return {
      id: 7,
      name: 'erp',
      type: 'mongodb',
      config: { uri: server.uri, database: 'headgate_test', ...more },
      secrets,
    }
  }
  const collections = async (): Promise<string[]> =>
    (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name).toSorted()
  const contents = (name: string, fields: Document = { _id: 0 }): Promise<Document[]> =>
    db
      .collection(name)
      .find({}, { projection: fields, sort: { id: 1 } })
      .toArray()

  interface Read {
    run: FinishedRun
    rows: Record<string, unknown>[]
    text: string
  }
  async function read(
    mongo: string,
    options: RunOptions & { args?: string; steps?: string; bound?: BoundConnector } = {},
  ): Promise<Read> {
    const out = temporaryFolder()
    const run = await runTask(
      `etl: 1
kind: pipeline
name: read
connectors: {erp: {type: mongodb, access: read}, out: {type: file, access: write}}
${options.args ?? ''}
source: {connector: erp, mongo: ${mongo}}
steps: ${options.steps ?? '[]'}
target: {connector: out, file: {path: o.jsonl}}
`,
      { erp: options.bound ?? connector(), out: fileConnector(out) },
      options,
    )
    const text = run.status === 'failed' ? '' : readFileSync(join(out, 'o.jsonl'), 'utf8')
    const lines = text.split('\n').filter(Boolean)
    return { run, text, rows: lines.map((line) => JSON.parse(line) as Record<string, unknown>) }
  }

  function write(
    rows: string,
    target: string,
    more: { columns?: string; steps?: string; options?: RunOptions } = {},
  ): Promise<FinishedRun> {
    return runTask(
      `etl: 1
kind: pipeline
name: write
connectors: {erp: {type: mongodb, access: write}}
source: {inline: {rows: ${rows}${more.columns === undefined ? '' : `, columns: ${more.columns}`}}}
steps: ${more.steps ?? '[]'}
target: {connector: erp, collection: c, ${target}}
`,
      { erp: connector() },
      more.options,
    )
  }

  describe('reading', () => {
    it('keeps the texts of a field that is declared as json as texts', async () => {
      const values = ['plain', '5', '{"a": 1}', '', 'hé "😀"', null, { a: ['x', 1] }, 7, true]
      await db
        .collection('c')
        .insertMany(
          Array.from({ length: 20_000 }, (_, id) => ({ id, j: 'text', k: values[id % values.length] ?? null })),
        )
      const { run, rows } = await read('{collection: c, columns: {j: json, k: json}, projection: {_id: 0}}')
      expect(run.error).toBeUndefined()
      expect(run.steps[0]?.columns.map(({ type }) => type)).toEqual(['JSON', 'JSON', 'BIGINT'])
      expect(rows).toHaveLength(20_000)
      for (const row of rows)
        expect(row).toEqual({ id: row['id'], j: 'text', k: values[Number(row['id']) % values.length] })
    })

    it('gives each field the type of its values, and loses no digit', async () => {
      const id = new ObjectId()
      await db.collection('c').insertMany([
        {
          _id: id,
          int: 7,
          long: Long.fromString('9007199254740993'),
          whole_double: new Double(5),
          text: 'hé 😀\u0000!',
          empty: '',
          yes: true,
          at: new Date('2024-02-29T12:34:56.789Z'),
          bytes: new Binary(Buffer.from([0, 255])),
          uuid: new UUID('6ba7b810-9dad-11d1-80b4-00c04fd430c8'),
          doc: { a: { b: [1, Long.fromNumber(2), new Date(0), id] } },
          list: [1, 'two', null],
          ts: new Timestamp({ t: 5, i: 6 }),
          regex: /a+/i,
          nothing: null,
        },
      ])
      const { run, rows } = await read('{collection: c}')
      expect(run.error).toBeUndefined()
      expect(Object.fromEntries(run.steps[0]?.columns.map(({ name, type }) => [name, type]) ?? [])).toEqual({
        _id: 'VARCHAR',
        int: 'BIGINT',
        long: 'BIGINT',
        whole_double: 'DOUBLE',
        text: 'VARCHAR',
        empty: 'VARCHAR',
        yes: 'BOOLEAN',
        at: 'TIMESTAMP',
        bytes: 'BLOB',
        uuid: 'UUID',
        doc: 'JSON',
        list: 'JSON',
        ts: 'JSON',
        regex: 'JSON',
        nothing: 'VARCHAR',
      })
      expect(rows).toMatchObject([
        {
          _id: id.toHexString(),
          int: 7,
          whole_double: 5,
          text: 'hé 😀\u0000!',
          empty: '',
          yes: true,
          at: '2024-02-29 12:34:56.789',
          uuid: '6ba7b810-9dad-11d1-80b4-00c04fd430c8',
          doc: { a: { b: [1, 2, '1970-01-01T00:00:00.000Z', id.toHexString()] } },
          list: [1, 'two', null],
          ts: { $timestamp: { t: 5, i: 6 } },
          regex: { $regularExpression: { pattern: 'a+', options: 'i' } },
          nothing: null,
        },
      ])
    })

    it('keeps the digits of a long', async () => {
      await db.collection('c').insertOne({ n: Long.fromString('9007199254740993') })
      const { text } = await read('{collection: c}')
      expect(text).toContain('9007199254740993')
    })

    it('a field that is missing and one that is null are both NULL', async () => {
      await db.collection<Document>('c').insertMany([{ id: 1, a: 'x' }, { id: 2, a: null }, { id: 3 }])
      const { rows } = await read('{collection: c, projection: {_id: 0}, sort: {id: 1}}')
      expect(rows).toEqual([
        { id: 1, a: 'x' },
        { id: 2, a: null },
        { id: 3, a: null },
      ])
    })

    it('a field of several types is text', async () => {
      await db.collection<Document>('c').insertMany([
        { id: 1, v: 1 },
        { id: 2, v: 'one' },
        { id: 3, v: { a: 1 } },
      ])
      const { rows } = await read('{collection: c, projection: {_id: 0}, sort: {id: 1}}')
      expect(rows.map((row) => row['v'])).toEqual(['1', 'one', '{"a":1}'])
    })

    it('takes declared types, and says which value is none', async () => {
      await db.collection<Document>('c').insertMany([{ amount: '12.30' }, { amount: 'many' }])
      const good = await read(
        '{collection: c, find: {amount: "12.30"}, projection: {_id: 0}, columns: {amount: "decimal(9,2)", at: datetime}}',
      )
      expect(good.run.steps[0]?.columns).toMatchObject([
        { name: 'amount', type: 'DECIMAL(9,2)' },
        { name: 'at', type: 'TIMESTAMP' },
      ])
      const bad = await read('{collection: c, columns: {amount: "decimal(9,2)"}}')
      expect(bad.run.error).toMatchObject({ code: 'CAST_FAILED', step: 'source' })
      expect(bad.run.error?.message).toContain('many')
    })

    it('finds by extended JSON, filled from arguments', async () => {
      await db
        .collection<Document>('c')
        .insertMany(Array.from({ length: 10 }, (_, day) => ({ id: day, at: new Date(Date.UTC(2026, 0, day + 1)) })))
      const { rows } = await read(
        '{collection: c, find: {at: {$gte: {$date: "${{ args.since }}"}, $lt: {$date: "2026-01-09"}}, id: {$ne: 6}}, projection: {_id: 0, id: 1}, sort: {id: -1}, limit: 3}',
        { args: 'args: {since: {type: datetime, required: true}}', arguments: { since: '2026-01-05T01:00:00+01:00' } },
      )
      expect(rows).toEqual([{ id: 7 }, { id: 5 }, { id: 4 }])
    })

    it('a text argument is a value, never an operator', async () => {
      await db.collection<Document>('c').insertMany([
        { id: 1, name: 'Ada' },
        { id: 2, name: '{"$ne": null}' },
      ])
      const { rows } = await read('{collection: c, find: {name: "${{ args.name }}"}, projection: {_id: 0, id: 1}}', {
        args: 'args: {name: {type: string}}',
        arguments: { name: '{"$ne": null}' },
      })
      expect(rows).toEqual([{ id: 2 }])
    })

    it('operators beside $regex are kept', async () => {
      await db.collection<Document>('c').insertMany([{ n: 'alpha' }, { n: 'axe' }, { n: 'beta' }])
      const { rows } = await read('{collection: c, find: {n: {$regex: "^a", $nin: [axe]}}, projection: {_id: 0}}')
      expect(rows).toEqual([{ n: 'alpha' }])
    })

    it('runs an aggregation', async () => {
      await db.collection<Document>('c').insertMany([
        { country: 'NO', total: 5 },
        { country: 'NO', total: 7 },
        { country: 'SE', total: 1 },
      ])
      const { rows } = await read(
        '{collection: c, aggregate: [{$group: {_id: $country, total: {$sum: $total}}}, {$sort: {_id: 1}}]}',
      )
      expect(rows).toEqual([
        { _id: 'NO', total: 12 },
        { _id: 'SE', total: 1 },
      ])
    })

    it('JavaScript that comes by an argument is refused', async () => {
      const { run } = await read('{collection: c, find: {a: "${{ args.filter }}"}}', {
        args: 'args: {filter: {type: json}}',
        arguments: { filter: { $where: 'sleep(1000)' } },
      })
      expect(run.error).toMatchObject({ code: 'EXPRESSION_FAILED' })
      expect(run.error?.message).toContain('$where')
    })

    it('a moment that is none says where', async () => {
      const { run } = await read('{collection: c, find: {at: {$gte: {$date: "${{ args.since }}"}}}}', {
        args: 'args: {since: {type: datetime}}',
      })
      expect(run.error).toMatchObject({ code: 'QUERY_INVALID', step: 'source' })
      expect(run.error?.message).toContain('find.at.$gte')
      expect(run.error?.hint).toContain('initial')
    })

    it('an empty answer needs declared columns', async () => {
      const bare = await read('{collection: nowhere}')
      expect(bare.run.error).toMatchObject({ code: 'VALUE_INVALID' })
      const declared = await read('{collection: nowhere, columns: {id: integer}}')
      expect(declared.run.status).toBe('success')
      expect(flow(declared.run)).toBe('source 0→0 | target 0→0')
    })

    it('an incremental run that finds nothing new ends well, and keeps its cursor', async () => {
      const path = join(temporaryFolder(), 'app.db')
      const run = await runTask(
        `etl: 1
kind: pipeline
name: nightly
connectors: {erp: {type: mongodb, access: read}, app: {type: sqlite, access: write}}
state: {cursor: {field: at, type: integer, initial: 5}}
source: {connector: erp, mongo: {collection: nowhere, find: {at: {$gte: "\${{ state.cursor }}"}}}}
target: {connector: app, table: t, mode: upsert, key: [id]}
`,
        { erp: connector(), app: sqliteConnector(path) },
      )
      expect(run.error).toBeUndefined()
      expect(run).toMatchObject({ status: 'success', item_count: 0 })
    })

    it('an operator that the server does not know is told in its words', async () => {
      await db.collection<Document>('c').insertOne({ id: 1 })
      const { run } = await read('{collection: c, find: {id: {$foo: 1}}}')
      expect(run.error).toMatchObject({ code: 'QUERY_INVALID', step: 'source' })
      expect(run.error?.message).toContain('$foo')
      expect(run.error?.message).toContain('connector `erp`')
    })

    it('fields that differ in capitals only are refused', async () => {
      await db.collection<Document>('c').insertOne({ name: 1, Name: 2 })
      const { run } = await read('{collection: c}')
      expect(run.error).toMatchObject({ code: 'COLUMN_DUPLICATE' })
    })

    it('stops when the run is stopped', async () => {
      await db
        .collection<Document>('c')
        .insertMany(Array.from({ length: 20_000 }, (_, id) => ({ id, pad: 'x'.repeat(200) })))
      const abort = new AbortController()
      const began = read('{collection: c}', { signal: abort.signal })
      await new Promise((resolve) => setImmediate(resolve))
      abort.abort()
      const { run } = await began
      expect(run.error).toMatchObject({ code: 'CANCELLED' })
    })

    it('goes on from where it got to, to the millisecond', async () => {
      const at = (ms: number): Date => new Date(Date.UTC(2026, 0, 1) + ms)
      await db.collection<Document>('c').insertMany([
        { id: 1, at: at(1) },
        { id: 2, at: at(2) },
      ])
      const task =
        '{collection: c, find: {at: {$gte: {$date: "${{ state.cursor }}"}}}, projection: {_id: 0}, sort: {id: 1}}'
      const state = 'state: {cursor: {field: at, type: datetime, initial: "2020-01-01T00:00:00Z"}}'
      const first = await read(task, { args: state })
      expect(first.run.error).toBeUndefined()
      expect(first.rows.map((row) => row['id'])).toEqual([1, 2])
      await db.collection<Document>('c').insertMany([
        { id: 3, at: at(2) },
        { id: 4, at: at(3) },
      ])
      const second = await read(task, { args: state, state: first.run.state })
      expect(second.rows.map((row) => row['id'])).toEqual([2, 3, 4])
    })

    it('goes on from integers that JSON has no number for', async () => {
      const long = (id: number) => ({ id, at: Long.fromBigInt(2n ** 53n + BigInt(id)) })
      await db.collection<Document>('c').insertMany([long(1), long(3)])
      const state = 'state: {cursor: {field: at, type: integer, initial: 0}}'
      for (const value of ['"${{ state.cursor }}"', '{$numberLong: "${{ state.cursor }}"}']) {
        const task = `{collection: c, find: {at: {$gte: ${value}}}, projection: {_id: 0}, sort: {id: 1}}`
        const first = await read(task, { args: state })
        expect(first.rows.map((row) => row['id'])).toEqual([1, 3])
        await db.collection<Document>('c').insertOne(long(4))
        const second = await read(task, { args: state, state: first.run.state })
        expect(second.rows.map((row) => row['id'])).toEqual([3, 4])
        await db.collection<Document>('c').deleteOne({ id: 4 })
      }
    })

    it('previews read no more than they show', async () => {
      await db.collection<Document>('c').insertMany(Array.from({ length: 500 }, (_, id) => ({ id })))
      const result = await runCall(
        {
          kind: 'preview',
          yaml_content: `etl: 1
kind: pipeline
name: p
connectors: {erp: {type: mongodb, access: read}, out: {type: file, access: write}}
source: {connector: erp, mongo: {collection: c, sort: {id: 1}, projection: {_id: 0}}}
target: {connector: out, file: {path: o.jsonl}}
`,
          arguments: {},
          connectors: { erp: connector() },
          step: null,
          limit: 5,
        },
        { signal: new AbortController().signal, tempDir: temporaryFolder() },
      )
      if (result.kind !== 'preview') throw new Error('no preview')
      expect(result.value.stages[0]?.rows).toEqual([[0], [1], [2], [3], [4]])
    })
  })

  describe('writing', () => {
    it('makes documents whose types fit, exactly', async () => {
      const run = await write(
        `[{id: 1, big: "9007199254740993", f: 5, s: "hé 😀", e: "", b: true, day: "2024-02-29", at: "2024-01-01T10:00:00.123+02:00", bytes: "hé", j: {a: [1, {b: null}], n: 12345678901}, none: null}]`,
        'mode: append',
        {
          columns:
            '{id: integer, big: integer, f: number, day: date, at: datetime, bytes: binary, j: json, none: string}',
        },
      )
      expect(run.error).toBeUndefined()
      expect(run.item_count).toBe(1)
      const [document] = await db.collection('c').find({}, { promoteValues: false, promoteLongs: false }).toArray()
      expect(document).toMatchObject({
        s: 'hé 😀',
        e: '',
        b: true,
        day: new Date('2024-02-29T00:00:00Z'),
        at: new Date('2024-01-01T08:00:00.123Z'),
        none: null,
      })
      expect(document?.['_id']).toBeInstanceOf(ObjectId)
      expect(document?.['big']).toEqual(Long.fromString('9007199254740993'))
      expect(document?.['id']).toEqual(Long.fromNumber(1))
      expect(document?.['f']).toEqual(new Double(5))
      const bytes = document?.['bytes'] as Binary
      expect(Buffer.from(bytes.buffer).toString()).toBe('hé')
      const nested = document?.['j'] as { a: unknown[]; n: Long }
      expect(nested.n).toEqual(Long.fromString('12345678901'))
      expect(nested.a).toHaveLength(2)
    })

    it('refuses a moment that is finer than what MongoDB keeps, and names the row', async () => {
      const run = await write(
        '[{id: 1, at: "2024-01-01T00:00:00"}, {id: 2, at: "2024-01-01T00:00:00.123456"}]',
        'mode: append',
        {
          columns: '{at: datetime}',
        },
      )
      expect(run.error).toMatchObject({ code: 'VALUE_INVALID', step: 'target' })
      expect(run.error?.message).toMatch(/^Row 2, column `at`/)
      expect(run.error?.hint).toContain('date_trunc')
      expect(await contents('c')).toEqual([])
    })

    it('refuses a field name that would be a path', async () => {
      const run = await write('[{"a.b": 1}]', 'mode: append')
      expect(run.error).toMatchObject({ code: 'SCHEMA_MISMATCH', step: 'target' })
    })

    it('shows the lists and documents of a document that is refused as JSON', async () => {
      await db.collection('c').createIndex({ id: 1 }, { unique: true })
      const run = await write('[{id: 1, list: [1, {x: 2}]}, {id: 1, list: [1, {x: 2}]}]', 'mode: append')
      expect(run.error?.message).toContain('list = [1,{"x":2}]')
    })

    it('appends, and takes away what a failed run has added', async () => {
      await db.collection<Document>('c').insertOne({ id: 0 })
      await db.collection('c').createIndex({ id: 1 }, { unique: true })
      await write('[{id: 1}, {id: 2}]', 'mode: append')
      const run = await write('[{id: 3}, {id: 4}, {id: 2}, {id: 5}]', 'mode: append, batch: {rows: 2}')
      expect(run.error).toMatchObject({ code: 'KEY_NOT_UNIQUE', step: 'target' })
      expect(run.error?.message).toContain('Row 3')
      expect(run.error?.message).toContain('id = 2')
      expect(await contents('c')).toEqual([{ id: 0 }, { id: 1 }, { id: 2 }])
      expect(run.log.map(({ message }) => message)).toContain('Removed the 2 documents that were added before')
    })

    it('says that it writes batch by batch where the server has no transactions', async () => {
      const run = await write('[{id: 1}]', 'mode: append')
      const said = run.log.some(({ message }) => message.startsWith('Writes batch by batch'))
      const { setName, msg } = await db.admin().command({ isMaster: 1 })
      expect(said).toBe(setName === undefined && msg !== 'isdbgrid')
    })

    it('writes more rows than a batch', async () => {
      const run = await write('[{n: 10000}]', 'mode: append, batch: {rows: 700}', {
        steps: '[{sql: "SELECT range AS id, \'x\' AS t FROM stream, range(10000)"}]',
      })
      expect(run.error).toBeUndefined()
      expect(run.item_count).toBe(10_000)
      expect(await db.collection('c').countDocuments()).toBe(10_000)
    })

    it('replaces all documents at once, and keeps the indexes', async () => {
      await db.collection<Document>('c').insertMany([{ id: 1 }, { id: 2 }, { id: 3 }])
      await db.collection('c').createIndex({ id: 1 }, { unique: true, name: 'by_id' })
      const run = await write('[{id: 8}, {id: 9}]', 'mode: replace')
      expect(run.error).toBeUndefined()
      expect(run.log.some(({ message }) => message === 'Replaced the 3 rows of c with 2')).toBe(true)
      expect(await contents('c')).toEqual([{ id: 8 }, { id: 9 }])
      expect(await db.collection('c').indexes()).toMatchObject([{ name: '_id_' }, { name: 'by_id', unique: true }])
      expect(await collections()).toEqual(['c'])
    })

    it('a replace that fails leaves the old documents, and nothing beside them', async () => {
      await db.collection<Document>('c').insertMany([{ id: 1 }])
      await db.collection('c').createIndex({ id: 1 }, { unique: true })
      const run = await write('[{id: 8}, {id: 8}]', 'mode: replace')
      expect(run.error).toMatchObject({ code: 'KEY_NOT_UNIQUE' })
      expect(await contents('c')).toEqual([{ id: 1 }])
      expect(await collections()).toEqual(['c'])
    })

    it('a replace that is stopped leaves the old documents, and nothing beside them', async () => {
      await db.collection<Document>('c').insertOne({ id: 0 })
      await stageOf('c')
      expect(await contents('c')).toEqual([{ id: 0 }])
      expect(await collections()).toEqual(['c'])
    })

    it('what a killed run had put aside comes back, where the server cannot rename onto a collection', async () => {
      await db.collection<Document>('c').insertOne({ id: 0 })
      const old = (await stageOf('c')).replace('headgate_stage_', 'headgate_old_')
      await db.collection('c').rename(old)
      const failed = await write('[{id: 1}, {id: 2, at: "2024-01-01T00:00:00.000001"}]', 'mode: replace', {
        columns: '{at: datetime}',
      })
      expect(failed.status).toBe('failed')
      expect(await contents('c')).toEqual([{ id: 0 }])
      expect(await collections()).toEqual(['c'])
    })

    it('what a killed run left is removed by the next one', async () => {
      await write('[{id: 1}]', 'mode: replace')
      const stage = await stageOf('c')
      await db.createCollection(stage)
      expect(await collections()).toContain(stage)
      await write('[{id: 2}]', 'mode: replace')
      expect(await collections()).toEqual(['c'])
    })

    it('an upsert run twice changes nothing the second time, and leaves other fields alone', async () => {
      const rows = '[{id: 1, name: Ada}, {id: 2, name: Bo}, {id: 3, name: null}]'
      const first = await write(rows, 'mode: upsert, key: [id]')
      expect(first.error).toBeUndefined()
      expect(first.item_count).toBe(3)
      expect(await db.collection('c').indexes()).toContainEqual(
        expect.objectContaining({ unique: true, key: { id: 1 } }),
      )
      await db.collection('c').updateOne({ id: 1 }, { $set: { extra: 'mine' } })
      const second = await write(rows, 'mode: upsert, key: [id]')
      expect(second.item_count).toBe(0)
      expect(second.log.map(({ message }) => message)).toContain(
        'Upserted 3 rows into c: 0 inserted, 0 updated, 3 unchanged',
      )
      const third = await write('[{id: 2, name: Bea}, {id: 4, name: Di}]', 'mode: upsert, key: [id]')
      expect(third.item_count).toBe(2)
      expect(await contents('c')).toEqual([
        { id: 1, name: 'Ada', extra: 'mine' },
        { id: 2, name: 'Bea' },
        { id: 3, name: null },
        { id: 4, name: 'Di' },
      ])
    })

    it('an upsert by _id, and one of nothing but the key', async () => {
      const run = await write('[{_id: a}, {_id: b}, {_id: a}]', 'mode: upsert, key: [_id]')
      expect(run.error).toBeUndefined()
      expect(run.item_count).toBe(2)
      expect((await write('[{_id: a}]', 'mode: upsert, key: [_id]')).item_count).toBe(0)
      expect(await db.collection('c').countDocuments()).toBe(2)
    })

    it('an upsert needs a unique index in a collection that is there, and rejects rows without a key', async () => {
      await db.collection<Document>('c').insertOne({ id: 1 })
      const refused = await write('[{id: 1, name: Ada}]', 'mode: upsert, key: [id]')
      expect(refused.error).toMatchObject({ code: 'KEY_NOT_UNIQUE', step: 'target' })
      expect(refused.error?.hint).toContain('createIndex({"id": 1}, {unique: true})')
      await db.collection('c').createIndex({ id: 1 }, { unique: true })
      const run = await write('[{id: 1, name: Ada}, {id: null, name: Nobody}]', 'mode: upsert, key: [id]')
      expect(run.reject_count).toBe(1)
    })

    it('deletes what comes in by its keys, then inserts', async () => {
      await db.collection<Document>('c').insertMany([
        { id: 1, day: 'mon', v: 1 },
        { id: 2, day: 'mon', v: 2 },
        { id: 3, day: 'tue', v: 3 },
      ])
      const run = await write(
        '[{id: 4, day: mon, v: 4}, {id: 5, day: wed, v: 5}, {id: 6, day: mon, v: 6}]',
        'mode: delete_insert, key: [day]',
      )
      expect(run.error).toBeUndefined()
      expect(await contents('c')).toEqual([
        { id: 3, day: 'tue', v: 3 },
        { id: 4, day: 'mon', v: 4 },
        { id: 5, day: 'wed', v: 5 },
        { id: 6, day: 'mon', v: 6 },
      ])
      const several = await write('[{id: 3, day: tue, v: 33}]', 'mode: delete_insert, key: [id, day]')
      expect(several.error).toBeUndefined()
      expect(await contents('c', { _id: 0, v: 1, id: 1 })).toContainEqual({ id: 3, v: 33 })
    })

    it('refuses a document of more than 16 MB, and names its row', async () => {
      const run = await write('[{id: 1}, {id: 2}]', 'mode: append', {
        steps: `[{derive: {s: "repeat('x', CASE WHEN id = 2 THEN 17000000 ELSE 1 END)"}}]`,
      })
      expect(run.error).toMatchObject({ code: 'VALUE_INVALID', step: 'target' })
      expect(run.error?.message).toMatch(/^Row 2 is a document of 17,\d+,\d+ bytes/)
      expect(await contents('c')).toEqual([])
    })

    it('a server that goes away while it is written to is told as such, and may be tried again', async () => {
      const own = await startFerretDb()
      const bound = {
        ...connector(),
        config: { uri: `${own.uri}/?socketTimeoutMS=5000&retryWrites=false`, database: 'x' },
      }
      const watch = await new MongoClient(own.uri).connect()
      const going = runTask(
        `etl: 1
kind: pipeline
name: slow
connectors: {erp: {type: mongodb, access: write}}
source: {inline: {rows: [{n: 1}]}}
steps: [{sql: "SELECT range AS id FROM stream, range(500000)"}]
target: {connector: erp, collection: c, batch: {rows: 500}}
`,
        { erp: bound },
      )
      while ((await watch.db('x').collection('c').estimatedDocumentCount()) === 0);
      await watch.close()
      await own.stop()
      const run = await going
      expect(run.error).toMatchObject({ code: 'CONNECTION_FAILED', retryable: true, step: 'target' })
      const said = run.log.map(({ message }) => message).join('\n')
      expect(said).toContain("Can't remove what was added to c before the failure: Connection refused")
      expect(said).toMatch(
        /Still there: [\d,]+ rows, and up to 500 of the batch that failed\. .*deleteMany\(\{\$or: \[\{_id: \{\$gte: ObjectId\("[0-9a-f]{24}"\)/,
      )
    })

    it('an upsert that fails on the way says what stays, unless nothing was written', async () => {
      await db.collection('c').createIndex({ id: 1 }, { unique: true })
      await db.collection('c').createIndex({ name: 1 }, { unique: true })
      const upsert = (rows: string, steps = '[]'): Promise<FinishedRun> =>
        write(rows, 'mode: upsert, key: [id], batch: {rows: 2}', { steps })
      const run = await upsert('[{id: 1, name: a}, {id: 2, name: b}, {id: 3, name: c}, {id: 4, name: a}]')
      expect(run.error).toMatchObject({ code: 'KEY_NOT_UNIQUE', step: 'target' })
      const words =
        'c keeps what was written before the failure: 2 rows, and up to 2 of the batch that failed. Run the task again to complete it'
      expect(run.log.map(({ message }) => message)).toContain(words)
      const earlier = await upsert('[{id: 5, name: x}]', '[{cast: {name: integer}}]')
      expect(earlier.error?.code).toBe('CAST_FAILED')
      expect(earlier.log.map(({ message }) => message).join('\n')).not.toContain('before the failure')
    })

    it('a delete_insert that fails on the way says what is missing, and the next run completes it', async () => {
      await db.collection<Document>('c').insertMany([
        { id: 1, name: 'old' },
        { id: 9, name: 'b' },
      ])
      await db.collection('c').createIndex({ name: 1 }, { unique: true })
      const again = (rows: string): Promise<FinishedRun> =>
        write(rows, 'mode: delete_insert, key: [id], batch: {rows: 1}')
      const run = await again('[{id: 1, name: a}, {id: 2, name: b}]')
      expect(run.log.map(({ message }) => message)).toContain(
        'c is incomplete: documents with keys of this run were deleted. Inserted before the failure: 1 row, and up to 1 of the batch that failed. Run the task again to complete it',
      )
      expect(await contents('c')).toEqual([
        { id: 1, name: 'a' },
        { id: 9, name: 'b' },
      ])
      expect((await again('[{id: 1, name: a}, {id: 2, name: c}]')).error).toBeUndefined()
      expect(await contents('c')).toEqual([
        { id: 1, name: 'a' },
        { id: 2, name: 'c' },
        { id: 9, name: 'b' },
      ])
    })

    it('waits for a server as long as its address says', async () => {
      const port = await freePort()
      const bound = {
        ...connector(),
        config: { uri: `mongodb://127.0.0.1:${port}/?serverSelectionTimeoutMS=50`, database: 'x' },
      }
      const began = performance.now()
      expect((await read('{collection: c}', { bound })).run.error?.code).toBe('CONNECTION_FAILED')
      expect(performance.now() - began).toBeLessThan(9000)
    })

    it('copies a collection from one place to another', async () => {
      await db.collection<Document>('from').insertMany(
        Array.from({ length: 3000 }, (_, id) => ({
          id,
          name: `n${id}`,
          at: new Date(id * 1000),
          tags: ['a', { b: id }],
        })),
      )
      const run = await runTask(
        `etl: 1
kind: pipeline
name: copy
connectors: {erp: {type: mongodb, access: read_write}}
source: {connector: erp, mongo: {collection: from, projection: {_id: 0}, sort: {id: 1}}}
target: {connector: erp, collection: to, mode: replace}
`,
        { erp: connector() },
      )
      expect(run.error).toBeUndefined()
      expect(flow(run)).toBe('source 3000→3000 | target 3000→3000')
      expect(JSON.stringify(await contents('to'))).toBe(JSON.stringify(await contents('from')))
    })

    it('two runs that replace the same collection at once both end, and one of them wins whole', async () => {
      await db.collection<Document>('c').insertOne({ id: 0 })
      const [a, b] = await Promise.all([
        write('[{id: 1, by: a}, {id: 2, by: a}]', 'mode: replace'),
        write('[{id: 1, by: b}, {id: 2, by: b}]', 'mode: replace'),
      ])
      expect([a.status, b.status]).toContain('success')
      const found = await contents('c')
      expect(new Set(found.map((document) => document['by'] as string)).size).toBe(1)
      expect(found).toHaveLength(2)
    })
  })

  describe('the connector', () => {
    const io = (): { signal: AbortSignal; tempDir: string } => ({
      signal: new AbortController().signal,
      tempDir: temporaryFolder(),
    })
    async function test(bound: BoundConnector): Promise<ConnectorTestResult> {
      const result = await runCall({ kind: 'test', connector: bound }, io())
      if (result.kind !== 'test') throw new Error('no test')
      return result.value
    }
    const names = (result: ConnectorTestResult): string =>
      result.checks.map((check) => `${check.name}${check.ok ? '' : '!'}`).join(' ')

    it('is tested stage by stage, and leaves nothing behind', async () => {
      const result = await test(connector())
      expect(names(result)).toBe('resolve connect authenticate read_probe write_probe')
      expect(result.ok).toBe(true)
      expect(await collections()).toEqual([])
    })

    it('says which stage fails, in words and with the raw error', async () => {
      const nobody = await test(connector({ uri: 'mongodb://127.0.0.1:1' }))
      expect(names(nobody)).toBe('resolve connect!')
      expect(nobody.checks.at(-1)).toMatchObject({
        message: expect.stringContaining('Connection refused: 127.0.0.1:1/headgate_test') as string,
        error: { code: 'ECONNREFUSED' },
      })
      const unknown = await test(connector({ uri: 'mongodb://no-such-host.invalid:1' }))
      expect(names(unknown)).toBe('resolve!')
      expect(unknown.checks.at(-1)?.message).toMatch(/The host name/)
      const tls = await test(connector({ uri: `${server.uri}/?tls=true` }))
      expect(names(tls)).toBe('resolve connect authenticate!')
      expect(tls.checks.at(-1)?.message).toMatch(/TLS/)
      const option = await test(connector({ uri: `${server.uri}/?nonsense=1` }))
      expect(option.checks.at(-1)?.message).toContain('nonsense')
    })

    it('lists collections and describes one by a sample', async () => {
      await db.collection<Document>('orders').insertMany([
        { _id: 'a' as unknown as ObjectId, total: 1, at: new Date(0) },
        { _id: 'b' as unknown as ObjectId, total: 2.5, note: 'x' },
      ])
      await db.collection('orders').createIndex({ total: 1, at: -1 }, { name: 'by_total' })
      await db.createCollection('other')
      const list = await runCall({ kind: 'list_resources', connector: connector(), q: 'ORD' }, io())
      expect((list.value as ResourceList).resources).toEqual([
        { name: 'orders', kind: 'collection', row_estimate: 2, bytes: null },
      ])
      const detail = await runCall({ kind: 'get_resource', connector: connector(), name: 'orders' }, io())
      expect(detail.value as ResourceDetail).toMatchObject({
        name: 'orders',
        kind: 'collection',
        row_estimate: 2,
        columns: [
          { name: '_id', type: 'string', nullable: false, primary_key: true },
          { name: 'total', type: 'double | int', nullable: false, primary_key: false },
          { name: 'at', type: 'date', nullable: true },
          { name: 'note', type: 'string', nullable: true },
        ],
        indexes: [
          { name: '_id_', columns: ['_id'], unique: true },
          { name: 'by_total', columns: ['total', 'at'], unique: false },
        ],
        sample: {
          rows: [
            ['a', 1, '1970-01-01T00:00:00.000Z', null],
            ['b', 2.5, null, 'x'],
          ],
        },
      })
    })

    it('a collection that is not there is not found', async () => {
      await expect(
        runCall({ kind: 'get_resource', connector: connector(), name: 'nowhere' }, io()),
      ).rejects.toMatchObject({ code: 'NOT_FOUND' })
    })

    it('signs in with user and password, and never tells the password', async () => {
      const guarded = await startMongo({ signIn: true })
      try {
        const config = { uri: guarded.uri, user: guarded.user }
        const secrets = { password: guarded.password ?? '' }
        expect((await test(connector(config, secrets))).ok).toBe(true)
        const wrong = await test(connector(config, { password: 'canary-4711' }))
        expect(names(wrong)).toBe('resolve connect authenticate!')
        expect(wrong.checks.at(-1)?.message).toContain('User or password was refused for ada')
        expect(JSON.stringify(wrong)).not.toContain('canary-4711')
        const none = await test(connector({ uri: guarded.uri }))
        expect(names(none)).toBe('resolve connect authenticate read_probe!')
        const { run } = await read('{collection: c}', { bound: connector(config, { password: 'canary-4711' }) })
        expect(run.error).toMatchObject({ code: 'AUTHENTICATION_FAILED', step: 'source' })
        expect(JSON.stringify(run)).not.toContain('canary-4711')
      } finally {
        await guarded.stop()
      }
    })
  })

  /** The name of a stage as a process that is gone would have left it. */
  async function stageOf(name: string): Promise<string> {
    const abort = new AbortController()
    const seen = new Set<string>()
    const watched = runTask(
      `etl: 1
kind: pipeline
name: slow
connectors: {erp: {type: mongodb, access: write}}
source: {inline: {rows: [{n: 1}]}}
steps: [{sql: "SELECT range AS id FROM stream, range(200000)"}]
target: {connector: erp, collection: ${name}, mode: replace, batch: {rows: 500}}
`,
      { erp: connector() },
      { signal: abort.signal },
    )
    while (seen.size === 0)
      for (const found of await collections()) if (found.startsWith('headgate_stage_')) seen.add(found)
    abort.abort()
    await watched
    const [found = ''] = seen
    // The same name with the number of a process that cannot be.
    return found.replace(`_${process.pid}_`, '_999999999_')
  }
})
