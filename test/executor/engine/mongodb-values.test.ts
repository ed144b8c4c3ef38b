import { BSON, Binary, Decimal128, Double, Int32, Long, MaxKey, MinKey, type Document } from 'mongodb'
import { describe, expect, it } from 'vitest'
import { loadDriver } from '../../../src/executor/connectors/mongodb/client.ts'
import { fieldValue, fromExtendedJson } from '../../../src/executor/connectors/mongodb/documents.ts'
import { detachedContext } from '../../../src/executor/engine/detached-context.ts'
import { openSession, type DuckSession } from '../../../src/executor/engine/duckdb.ts'
import { createRecordWriter } from '../../../src/executor/sources/record-writer.ts'
import { documentsOf, encodersOf } from '../../../src/executor/connectors/mongodb/collection-documents.ts'
import type { Json } from '../../../src/language/task/task.types.ts'
import { temporaryFolder } from './run-task.ts'

/** What FerretDB cannot store is tried on the driver's own bytes. */
async function withSession<T>(
  work: (
    session: DuckSession,
    read: (documents: Document[]) => Promise<{ types: string[]; rows: unknown[][] }>,
  ) => Promise<T>,
): Promise<T> {
  const io = { signal: new AbortController().signal, tempDir: temporaryFolder() }
  const session = await openSession({ ...io, directories: [] })
  const driver = await loadDriver()
  try {
    return await work(session, async (documents) => {
      const writer = createRecordWriter(
        detachedContext(
          session,
          () => {
            throw new Error('no connectors here')
          },
          io,
        ),
      )
      for (const document of documents) {
        const bytes = BSON.deserialize(BSON.serialize(document), { promoteValues: false, promoteBuffers: false })
        await writer.add(
          Object.fromEntries(Object.entries(bytes).map(([key, value]) => [key, fieldValue(value, key, driver)])),
        )
      }
      const stream = await writer.finish()
      const text = stream.columns.map(({ name }) => `CAST("${name}" AS VARCHAR)`).join(', ')
      return {
        types: stream.columns.map(({ type }) => type),
        rows: await session.rows(`SELECT ${text} FROM (${stream.sql})`),
      }
    })
  } finally {
    await session.close(false)
  }
}

/** Documents of a query's rows, through BSON. */
async function written(session: DuckSession, sql: string): Promise<Document[]> {
  const driver = await loadDriver()
  const columns = await session.describe(sql)
  const fields = await encodersOf(session, sql, columns, driver)
  const found: Document[] = []
  for await (const chunk of session.chunks(sql)) {
    for (const document of documentsOf(chunk, fields, 1))
      found.push(BSON.deserialize(BSON.serialize(document), { promoteValues: false, promoteBuffers: false }))
  }
  return found
}

describe('values from MongoDB', () => {
  it('decimals keep every digit', () =>
    withSession(async (_, read) => {
      const decimals = ['1.50', '-0.000001', '1E+3', '123456789012345678901234567890.1234'].map((text) => ({
        d: Decimal128.fromString(text),
      }))
      expect(await read(decimals)).toEqual({
        types: ['DECIMAL(38,6)'],
        rows: [['1.500000'], ['-0.000001'], ['1000.000000'], ['123456789012345678901234567890.123400']],
      })
    }))

  it('decimals that no column can hold are text', () =>
    withSession(async (_, read) => {
      const decimals = ['NaN', 'Infinity', '1E+6000'].map((text) => ({ d: Decimal128.fromString(text) }))
      expect(await read(decimals)).toEqual({ types: ['VARCHAR'], rows: [['NaN'], ['Infinity'], ['1E+6000']] })
    }))

  it('floating point stays such, also where it is whole, huge, or no number', () =>
    withSession(async (_, read) => {
      const doubles = [5, 0.5, 1e300, 1e17, Number.NaN, Infinity, -Infinity].map((value) => ({ d: new Double(value) }))
      const { types, rows } = await read(doubles)
      expect(types).toEqual(['DOUBLE'])
      expect(rows.map(([value]) => value)).toEqual(['5.0', '0.5', '1e+300', '1e+17', 'nan', 'inf', '-inf'])
    }))

  it('ints and longs share a column, ints and doubles become numbers', () =>
    withSession(async (_, read) => {
      const { types, rows } = await read([
        { whole: new Int32(1), mixed: new Int32(1) },
        { whole: Long.MAX_VALUE, mixed: new Double(1.5) },
        { whole: Long.MIN_VALUE, mixed: null },
      ])
      expect(types).toEqual(['BIGINT', 'DOUBLE'])
      expect(rows).toEqual([
        ['1', '1.0'],
        ['9223372036854775807', '1.5'],
        ['-9223372036854775808', null],
      ])
    }))

  it('dates reach beyond four digits of a year, and before Christ', () =>
    withSession(async (_, read) => {
      const dates = [
        '+275760-09-13T00:00:00.000Z',
        '-000043-03-15T10:00:00.001Z',
        '0001-01-01T00:00:00.000Z',
        '1969-12-31T23:59:59.999Z',
      ]
      const { types, rows } = await read(dates.map((text) => ({ at: new Date(text) })))
      expect(types).toEqual(['TIMESTAMP'])
      expect(rows.map(([value]) => value)).toEqual([
        '275760-09-13 00:00:00',
        '0044-03-15 (BC) 10:00:00.001',
        '0001-01-01 00:00:00',
        '1969-12-31 23:59:59.999',
      ])
    }))

  it('a date beyond what a datetime can be is refused by name', async () => {
    const driver = await loadDriver()
    expect(() => fieldValue(new Date(Number.NaN), 'at', driver)).toThrow(/Field `at` holds a date/)
  })

  it('nested long integers are numbers, and documents that are too deep are refused', () =>
    withSession(async (_, read) => {
      const { types, rows } = await read([
        { doc: { n: BSON.Long.fromString('9007199254740993'), d: new BSON.Double(0.1) } },
      ])
      expect(types).toEqual(['JSON'])
      expect(rows).toEqual([['{"n":9007199254740993,"d":0.1}']])
      const nested = (depth: number): Document => (depth === 0 ? { end: true } : { a: nested(depth - 1) })
      await expect(read([{ doc: nested(600) }])).rejects.toMatchObject({
        code: 'VALUE_INVALID',
        message: 'A record is nested more than 512 levels deep',
      })
    }))

  it('what is no plain value is extended JSON, and a field may be called as the driver calls its own', () =>
    withSession(async (_, read) => {
      const { rows } = await read([
        {
          least: new MinKey(),
          most: new MaxKey(),
          doc: new Map<string, unknown>([
            ['_bsontype', 'Long'],
            ['low', 1],
          ]),
          legacy: new Binary(Buffer.from('abc'), 0x80),
        },
      ])
      expect(rows[0]?.slice(0, 3)).toEqual(['{"$minKey":1}', '{"$maxKey":1}', '{"_bsontype":"Long","low":1}'])
    }))
})

describe('values for MongoDB', () => {
  it('whole numbers, decimals and floating point keep their kind', () =>
    withSession(async (session) => {
      const [document] = await written(
        session,
        `SELECT 1::INTEGER AS i, 4000000000::UINTEGER AS u, 9007199254740993::BIGINT AS l, sum(x)::HUGEINT AS small, 170141183460469231731687303715884105727::HUGEINT // 1000000 AS huge,
                1.50::DECIMAL(9,2) AS d, 5.0::DOUBLE AS f, 'nan'::DOUBLE AS nan FROM (SELECT 3 AS x)`,
      )
      expect(document).toEqual({
        i: new Int32(1),
        u: Long.fromString('4000000000'),
        l: Long.fromString('9007199254740993'),
        small: Long.fromNumber(3),
        huge: Decimal128.fromString('170141183460469231731687303715884'),
        d: Decimal128.fromString('1.50'),
        f: new Double(5),
        nan: new Double(Number.NaN),
      })
    }))

  it('texts keep a byte order mark at their beginning', () =>
    withSession(async (session) => {
      const [document] = await written(
        session,
        `SELECT '\uFEFF' AS short, '\uFEFF' || repeat('x', 20) AS long, ['\uFEFFa', '\uFEFF'] AS list, {b: '\uFEFF' || repeat('y', 20)} AS inside`,
      )
      expect(document).toEqual({
        short: '\uFEFF',
        long: `\uFEFF${'x'.repeat(20)}`,
        list: ['\uFEFFa', '\uFEFF'],
        inside: { b: `\uFEFF${'y'.repeat(20)}` },
      })
    }))

  it('a number of more digits than MongoDB keeps is refused with its row and column', () =>
    withSession(async (session) => {
      const sql = `SELECT CASE WHEN range = 2 THEN '12345678901234567890123456789012345678'::DECIMAL(38,0) ELSE 1 END AS d FROM range(5)`
      await expect(written(session, sql)).rejects.toThrow(/^Row 3, column `d`: 1234\d+ has 38 digits; MongoDB keeps 34/)
    }))

  it('days and moments are dates, to the millisecond or not at all', () =>
    withSession(async (session) => {
      const [document] = await written(
        session,
        `SELECT DATE '1969-12-31' AS day, TIMESTAMP '1900-01-01 00:00:00.001' AS at, TIMESTAMPTZ '2024-01-01 01:00:00+01' AS zoned,
                '2024-01-01 00:00:00.5'::TIMESTAMP_NS AS nanos, '2024-01-01'::TIMESTAMP_S AS seconds, TIME '12:34:56.789' AS time`,
      )
      expect(document).toEqual({
        day: new Date('1969-12-31'),
        at: new Date('1900-01-01T00:00:00.001Z'),
        zoned: new Date('2024-01-01T00:00:00Z'),
        nanos: new Date('2024-01-01T00:00:00.500Z'),
        seconds: new Date('2024-01-01T00:00:00Z'),
        time: '12:34:56.789',
      })
      await expect(written(session, `SELECT TIMESTAMP '1900-01-01 00:00:00.000001' AS at`)).rejects.toThrow(
        /finer than a millisecond/,
      )
      await expect(written(session, `SELECT 'infinity'::TIMESTAMP AS at`)).rejects.toThrow(/beyond the dates/)
      await expect(written(session, `SELECT '5000000-01-01'::DATE AS day`)).rejects.toThrow(/beyond the dates/)
    }))

  it('JSON, lists, structs and maps are documents, with every digit', () =>
    withSession(async (session) => {
      const [document] = await written(
        session,
        `SELECT '{"_bsontype":"Long","low":1}'::JSON AS odd, '{"a":[1,9007199254740993,1.5,0.12345678901234567890],"d":"2024"}'::JSON AS j, 'null'::JSON AS n, [1, NULL]::BIGINT[] AS l,
                {'x': DATE '2024-01-01', 'y': '{"z":12345678901}'::JSON} AS s, MAP {'k': 1.5::DECIMAL(3,1)} AS m, MAP {1: 'one'} AS by_number, '\\x00\\xFF'::BLOB AS b,
                '6ba7b810-9dad-11d1-80b4-00c04fd430c8'::UUID AS u`,
      )
      expect(document).toMatchObject({
        odd: { _bsontype: 'Long', low: new Int32(1) },
        j: {
          a: [
            new Int32(1),
            Long.fromString('9007199254740993'),
            new Double(1.5),
            Decimal128.fromString('0.12345678901234567890'),
          ],
          d: '2024',
        },
        n: null,
        l: [Long.fromNumber(1), null],
        s: { x: new Date('2024-01-01'), y: { z: Long.fromString('12345678901') } },
        m: { k: Decimal128.fromString('1.5') },
        by_number: [{ value: 'one' }],
      })
      const [bytes, uuid] = [document?.['b'], document?.['u']] as [Binary, Binary]
      expect(Buffer.from(bytes.buffer).toString('hex')).toBe('00ff')
      expect(uuid.sub_type).toBe(4)
    }))
})

describe('extended JSON', () => {
  it('reads its forms, and leaves operators alone', async () => {
    const driver = await loadDriver()
    const query = fromExtendedJson(
      {
        at: { $gte: { $date: '2026-03-01T00:00:00' }, $lt: { $date: '2026-03-02T01:00:00+01:00' } },
        id: { $in: [{ $oid: '6b016d18347f860518df990b' }] },
        name: { $regex: '^a', $nin: ['axe'] },
        type: { $type: 'string' },
        n: { $gt: 5_000_000_000 },
        d: { $numberDecimal: '1.50' },
      },
      driver,
      'filter',
    )
    expect(query).toEqual({
      at: { $gte: new Date('2026-03-01T00:00:00Z'), $lt: new Date('2026-03-02T00:00:00Z') },
      id: { $in: [new driver.ObjectId('6b016d18347f860518df990b')] },
      name: { $regex: '^a', $nin: ['axe'] },
      type: { $type: 'string' },
      n: { $gt: Long.fromNumber(5_000_000_000) },
      d: Decimal128.fromString('1.50'),
    })
  })

  it('says where a form is wrong', async () => {
    const driver = await loadDriver()
    const wrongs: Json[] = [{ $oid: 'short' }, { $date: 'yesterday' }, { $date: null }, { $numberLong: 'x' }]
    for (const wrong of wrongs)
      expect(() => fromExtendedJson([{ a: wrong }], driver, 'filter')).toThrow(
        /^filter\[0\]\.a is not a value of the form/,
      )
  })
})
