// Profiles of columns through server, executor and worker. Clients of the tests' own say what is right, and watch that nothing is written.
import Database from 'better-sqlite3'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { ColumnProfile } from '../../../src/contract/column-profile.ts'
import { hasMariaDb, startMariaDb } from '../../support/mariadb.ts'
import { postgresPrograms } from '../../support/postgres.ts'
import type { Answer } from '../../support/server.ts'
import { duckFile } from '../engine/duckdb-fixture.ts'
import { usePostgres } from '../engine/postgres-fixture.ts'
import { startResultWorld, type ResultWorld } from './result-world.ts'

let world: ResultWorld
beforeAll(async () => void (world = await startResultWorld()))
afterAll(() => world?.close())
afterEach(() => world.cancelAll())

/** A query, and how to profile its columns. */
async function ask(id: number, query: string, more: object = {}) {
  const { query_id, fields } = await world.run(id, query, { page_size: 1, ...more })
  return {
    fields,
    of: (field: number, body: object = {}): Promise<Answer> =>
      world.editor.post(`/api/connectors/${id}/query/${query_id}/profile`, { field, ...body }),
  }
}
/** By the name of the column. */
async function profiles(id: number, query: string, more: object = {}): Promise<Record<string, ColumnProfile>> {
  const { fields, of } = await ask(id, query, more)
  const found: [string, ColumnProfile][] = []
  for (const [at, { name }] of fields.entries()) {
    const { status, body } = await of(at)
    expect({ name, status, body }).toMatchObject({ status: 200 })
    found.push([name, body as ColumnProfile])
  }
  return Object.fromEntries(found)
}
/** Numbers, and values in their forms. */
const short = ({ rows, nulls, distinct, min, max, top }: ColumnProfile) => ({
  counts: [rows, nulls, distinct],
  range: [min?.value ?? null, max?.value ?? null],
  top: top.map(({ value, rows: n }) => [value.value, n]),
})

describe.skipIf(!postgresPrograms)('PostgreSQL', () => {
  const database = usePostgres()
  let id: number
  beforeAll(async () => void (id = await world.connect(database.connector())))

  test('counts, ranges, and frequent values of every type are exact, over all rows', async () => {
    await database.query(
      `CREATE TYPE mood AS ENUM ('sad', 'fine');
       CREATE TABLE kept (big bigint, money numeric, at timestamptz, word text, yes boolean, doc json, feels mood, spot point, one uuid, raw bytea);
       INSERT INTO kept SELECT CASE WHEN n % 2 = 0 THEN 9007199254740993 ELSE 9007199254740992 END, 1.10 + n % 3,
         '2024-02-29 12:34:56.123456Z', CASE WHEN n % 4 = 0 THEN NULL ELSE 'w' || n % 3 END, n % 2 = 0, '{"a": 1}', 'fine', '(1,2)',
         'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', '\\x00ff' FROM generate_series(1, 1200) AS n`,
    )
    const found = await profiles(id, 'SELECT * FROM kept')
    expect(short(found['big']!)).toEqual({
      counts: [1200, 0, 2],
      range: ['9007199254740992', '9007199254740993'],
      top: [
        ['9007199254740992', 600],
        ['9007199254740993', 600],
      ],
    })
    expect(short(found['money']!)).toEqual({
      counts: [1200, 0, 3],
      range: ['1.10', '3.10'],
      top: [
        ['1.10', 400],
        ['2.10', 400],
        ['3.10', 400],
      ],
    })
    expect(short(found['word']!)).toEqual({
      counts: [1200, 300, 3],
      range: ['w0', 'w2'],
      top: [
        ['w0', 300],
        ['w1', 300],
        ['w2', 300],
      ],
    })
    expect(found['at']).toMatchObject({
      distinct: 1,
      min: { type: 'datetime_tz', value: '2024-02-29T12:34:56.123456Z' },
    })
    for (const [name, value] of [
      ['yes', false],
      ['doc', '{"a": 1}'],
      ['feels', 'fine'],
      ['spot', '(1,2)'],
      ['one', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'],
      ['raw', 'AP8='],
    ] as const) {
      expect(found[name]).toMatchObject({
        ordered: false,
        min: null,
        max: null,
        top: [{ value: { value } }, ...(name === 'yes' ? [{}] : [])],
      })
    }
  })

  test('names that occur twice, binds, a semicolon, and a comment at the end don’t disturb', async () => {
    const query = 'WITH a AS (SELECT 1 AS n, NULL::int AS n UNION ALL SELECT 2, :more) SELECT * FROM a; -- the end'
    const { of } = await ask(id, query, { parameters: { more: 7 } })
    expect(short((await of(0)).body as ColumnProfile)).toEqual({ counts: [2, 0, 2], range: [1, 2], top: [] })
    expect(short((await of(1)).body as ColumnProfile)).toEqual({ counts: [2, 1, 1], range: [7, 7], top: [] })
    expect((await of(2)).body).toMatchObject({ details: [{ path: 'body.field', code: 'no_such_field' }] })
  })

  test('a result without rows, and values of 3 MB', async () => {
    expect(short((await profiles(id, 'SELECT n FROM (VALUES (1)) AS v (n) WHERE n > 1'))['n']!)).toEqual({
      counts: [0, 0, 0],
      range: [null, null],
      top: [],
    })
    const { long } = await profiles(id, "SELECT repeat('ü', 1500000) AS long FROM generate_series(1, 2)")
    expect(long!.min).toEqual({ type: 'text', value: 'ü'.repeat(1000), cut: true })
    expect(long!.top).toEqual([{ value: { type: 'text', value: 'ü'.repeat(1000), cut: true }, rows: 2 }])
  })

  test('whoever leaves stops it at the database, and it has a time limit of its own', async () => {
    // Quick for the first rows, and without an end for all of them.
    const { query_id } = await world.run(id, 'SELECT generate_series(1, 100000000000) AS n', { page_size: 1 })
    const path = `/api/connectors/${id}/query/${query_id}/profile`
    const counting = async () =>
      (await database.query("SELECT 1 FROM pg_stat_activity WHERE query LIKE 'WITH headgate_profiled%'")).length
    const late = await world.editor.post(path, { field: 0, timeout_s: 1 })
    expect([late.status, (late.body as { error: string }).error]).toEqual([504, 'TIMEOUT'])
    await expect.poll(counting, { timeout: 5_000 }).toBe(0)
    const leaving = new AbortController()
    const asked = fetch(new URL(path, world.server.url), {
      method: 'POST',
      headers: { ...world.editor.headers, 'content-type': 'application/json' },
      body: JSON.stringify({ field: 0 }),
      signal: leaving.signal,
    }).catch((error: Error) => error.name)
    await expect.poll(counting, { timeout: 10_000 }).toBe(1)
    leaving.abort()
    expect(await asked).toBe('AbortError')
    await expect.poll(counting, { timeout: 2_000 }).toBe(0)
  })
})

describe.skipIf(!hasMariaDb)('MariaDB', () => {
  let server: Awaited<ReturnType<typeof startMariaDb>>
  beforeAll(async () => void (server = await startMariaDb()))
  afterAll(() => server?.stop())

  test('counts, ranges, and frequent values are exact', async () => {
    const { host, port, database, user, password } = server
    const watcher = await server.connect()
    await watcher.query(
      'CREATE TABLE kept (big bigint unsigned, money decimal(20,2), word varchar(20), doc json, raw blob, at datetime(6))',
    )
    await watcher.query(
      `INSERT INTO kept VALUES (18446744073709551615, 1.10, 'a', '{"a": 1}', X'00FF', '2024-02-29 12:34:56.123456'),
         (18446744073709551614, 1.10, NULL, '{"a": 1}', X'00FF', NULL), (18446744073709551614, 2.00, 'b', NULL, NULL, NULL)`,
    )
    const id = await world.connect({ type: 'mysql', config: { host, port, database, user }, secrets: { password } })
    const found = await profiles(id, 'SELECT *, word FROM kept -- all of them')
    expect(short(found['big']!)).toEqual({
      counts: [3, 0, 2],
      range: ['18446744073709551614', '18446744073709551615'],
      top: [
        ['18446744073709551614', 2],
        ['18446744073709551615', 1],
      ],
    })
    expect(short(found['money']!)).toMatchObject({
      range: ['1.10', '2.00'],
      top: [
        ['1.10', 2],
        ['2.00', 1],
      ],
    })
    expect(short(found['word']!)).toEqual({ counts: [3, 1, 2], range: ['a', 'b'], top: [] })
    expect(short(found['doc']!)).toMatchObject({ counts: [3, 1, 1], top: [['{"a": 1}', 2]] })
    expect(short(found['raw']!)).toMatchObject({ counts: [3, 1, 1], range: ['AP8=', 'AP8='] })
    expect(short(found['at']!).range).toEqual(['2024-02-29T12:34:56.123456', '2024-02-29T12:34:56.123456'])
    const { of } = await ask(id, 'SHOW TABLES')
    expect(await of(0)).toMatchObject({ status: 400, body: { details: [{ code: 'query_begins_with' }, {}] } })
  })
})

test('SQLite: values of several types in one column, and nothing is written', async () => {
  const path = join(world.folder, 'profiled.db')
  const db = new Database(path)
  db.exec(
    "CREATE TABLE kept (n, word TEXT); INSERT INTO kept VALUES (9007199254740993, 'a'), (1.5, 'a'), ('text', NULL), (X'00FF', ''), (1.5, 'b'), (NULL, 'b')",
  )
  const id = await world.connect({ type: 'sqlite', config: { path }, secrets: {} })
  const found = await profiles(id, 'SELECT * FROM kept;')
  expect(short(found['n']!)).toEqual({
    counts: [6, 1, 4],
    range: [{ double: 1.5 }, { bytes: 'AP8=' }],
    top: [
      [{ double: 1.5 }, 2],
      [{ bigint: '9007199254740993' }, 1],
      [{ text: 'text' }, 1],
      [{ bytes: 'AP8=' }, 1],
    ],
  })
  expect(short(found['word']!)).toMatchObject({ counts: [6, 1, 3] })
  const { of } = await ask(id, 'EXPLAIN QUERY PLAN SELECT * FROM kept')
  expect(await of(0)).toMatchObject({ status: 400, body: { details: [{ code: 'query_begins_with' }, {}] } })
  // A comment that nothing ends takes our part of the statement with it.
  const open = await ask(id, 'SELECT * FROM kept /* all')
  expect(await open.of(0)).toMatchObject({ status: 400 })
  expect(db.prepare('SELECT count(*) FROM kept').pluck().get()).toBe(6)
  db.close()
})

test('DuckDB and files: every row counts, with every digit', async () => {
  const file = duckFile(world.folder, 'profiled.duckdb')
  await file.sql(
    "CREATE TABLE kept AS SELECT 170141183460469231731687303715884105727::HUGEINT - range % 2 AS big, [range % 2] AS list, 1.10::DECIMAL(38,2) AS money, TIMESTAMP '2024-02-29 12:34:56.123456' AS at FROM range(3000)",
  )
  const id = await world.connect(file.bound)
  const found = await profiles(id, 'FROM kept')
  expect(short(found['big']!)).toEqual({
    counts: [3000, 0, 2],
    range: ['170141183460469231731687303715884105726', '170141183460469231731687303715884105727'],
    top: [
      ['170141183460469231731687303715884105726', 1500],
      ['170141183460469231731687303715884105727', 1500],
    ],
  })
  expect(short(found['list']!)).toMatchObject({ counts: [3000, 0, 2], range: ['[0]', '[1]'] })
  expect(short(found['money']!)).toMatchObject({ range: ['1.10', '1.10'], top: [['1.10', 3000]] })
  const root = join(world.folder, 'profiled')
  mkdirSync(root)
  writeFileSync(
    join(root, 'a’b.csv'),
    `id,note\n${Array.from({ length: 5000 }, (_, n) => `${n},x${n % 2}`).join('\n')}\n`,
  )
  const files = await world.connect({ type: 'file', config: { root }, secrets: {} })
  const csv = await profiles(files, `SELECT * FROM 'a’b.csv' WHERE id >= :least`, { parameters: { least: 1000 } })
  expect(short(csv['id']!)).toEqual({ counts: [4000, 0, 4000], range: ['1000', '4999'], top: [] })
  expect(short(csv['note']!)).toMatchObject({
    counts: [4000, 0, 2],
    top: [
      ['x0', 2000],
      ['x1', 2000],
    ],
  })
})

test('systems that can’t count say so', async () => {
  const id = await world.connect({
    type: 'http',
    config: { base_url: world.server.url, allow_private: true },
    secrets: {},
  })
  const { query_id } = await world.run(id, '/api/health')
  expect(await world.editor.post(`/api/connectors/${id}/query/${query_id}/profile`, { field: 0 })).toMatchObject({
    status: 400,
    body: { details: [{ code: 'profile_unsupported' }, {}] },
  })
})
