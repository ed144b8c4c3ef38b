// Queries of DuckDB files through server, executor and worker.
import { existsSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { duckFile, type DuckFile } from '../engine/duckdb-fixture.ts'
import { markMistake, startResultWorld, type ResultWorld } from './result-world.ts'

describe('DuckDB', () => {
  let world: ResultWorld
  let file: DuckFile
  let id: number
  beforeAll(async () => {
    world = await startResultWorld()
    file = duckFile(world.folder)
    await file.sql(
      `CREATE TABLE odd AS SELECT 9223372036854775807::BIGINT AS big, 170141183460469231731687303715884105727::HUGEINT AS huge, 18446744073709551615::UBIGINT AS whole, 4000000000::UINTEGER AS medium, 5::TINYINT AS small,
        1.10::DECIMAL(38,2) AS amount, 'nan'::DOUBLE AS nan, '-0.0'::DOUBLE AS minus_zero, 0.1::FLOAT AS single, true AS yes, '\\x00\\xFF'::BLOB AS bytes,
        DATE '2024-02-29' AS day, TIME '12:34:56.123456' AS late, TIMESTAMP '2024-02-29 12:34:56.123456' AS at, TIMESTAMPTZ '2024-02-29 12:34:56.123456+02' AS zoned,
        TIMESTAMP_NS '2024-02-29 12:34:56.123456789' AS fine, '550e8400-e29b-41d4-a716-446655440000'::UUID AS id, '{"a": 1.10}'::JSON AS doc, [1, 2] AS list, {'a': 1} AS struct, NULL::INTEGER AS nothing, repeat('x', 20000) AS long;
       CREATE TABLE many AS SELECT range AS n, md5(range::VARCHAR) AS hash FROM range(1, 250001);
       CREATE SEQUENCE numbers;
       CREATE VIEW outside AS SELECT 1 AS n`,
    )
    const { type, config, secrets } = file.bound
    id = await world.connect({ type, config, secrets })
  })
  afterAll(() => world?.close())

  test('every value arrives in the one exact form of its type', async () => {
    const { rows, fields } = await world.run(id, 'SELECT * FROM odd')
    expect(Object.fromEntries(fields.map(({ name, type }, at) => [name, [type, rows[0]?.[at]]]))).toEqual({
      big: ['bigint', '9223372036854775807'],
      huge: ['bigint', '170141183460469231731687303715884105727'],
      whole: ['bigint', '18446744073709551615'],
      medium: ['bigint', '4000000000'],
      small: ['integer', 5],
      amount: ['decimal', '1.10'],
      nan: ['double', 'NaN'],
      minus_zero: ['double', '-0'],
      single: ['double', 0.1],
      yes: ['boolean', true],
      bytes: ['bytes', 'AP8='],
      day: ['date', '2024-02-29'],
      late: ['time', '12:34:56.123456'],
      at: ['datetime', '2024-02-29T12:34:56.123456'],
      zoned: ['datetime_tz', '2024-02-29T10:34:56.123456Z'],
      fine: ['datetime', '2024-02-29T12:34:56.123456789'],
      id: ['uuid', '550e8400-e29b-41d4-a716-446655440000'],
      doc: ['json', '{"a": 1.10}'],
      list: ['text', '[1, 2]'],
      struct: ['text', "{'a': 1}"],
      nothing: ['integer', null],
      long: ['text', 'x'.repeat(20_000)],
    })
  })

  test('a mistake is told at its place', async () => {
    const queries = ["SELECT '😀', :name,\n  1 + ▮+", 'SELECT 1 AS "FORM" FROM range(3) r ▮FORM r']
    for (const query of queries) expect(await markMistake(world, id, query, { name: 1 })).toBe(query)
  })

  test('every row arrives once and in order', async () => {
    let rows = 0
    let wrong = 0
    const { query_id } = await world.all(
      id,
      'SELECT n, hash FROM many WHERE n > :least ORDER BY n'.replace(':least', '0'),
      (page) => {
        for (const [n, hash] of page.rows) if (n !== String(++rows) || String(hash).length !== 32) wrong += 1
      },
    )
    expect([rows, wrong]).toEqual([250_000, 0])
    expect((await (await world.exported(id, query_id, { format: 'ndjson' })).text()).split('\n')).toHaveLength(250_001)
  })

  test('a query that fails on its way is an error, never an end', async () => {
    const query = 'SELECT n, CASE WHEN n = 240000 THEN CAST(hash AS INTEGER) ELSE 1 END AS fails FROM many ORDER BY n'
    const first = await world.ask(id, query, { page_size: 5000 })
    let answer = first
    let rows = 0
    while (answer.status === 200) {
      const page = answer.body as { query_id?: string; rows: unknown[]; nextCursor: string | null }
      rows += page.rows.length
      if (page.nextCursor === null) break
      const { query_id } = first.body as { query_id: string }
      answer = await world.editor.get(`/api/connectors/${id}/query/${query_id}`, {
        query: { cursor: page.nextCursor, page_size: 5000 },
      })
    }
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(rows).toBeLessThan(240_000)
  })

  test('a cancelled query lets go of the file', async () => {
    const { query_id } = await world.run(id, 'SELECT a.n FROM many a, many b', { page_size: 1 })
    await world.cancel(id, query_id)
    await expect
      .poll(() => file.sql('SELECT 1').catch((error: unknown) => String(error)), { timeout: 2_000, interval: 50 })
      .toEqual([[1]])
  })

  const outside = '/tmp/headgate-duck-outside.csv'
  const attempts: string[] = [
    'INSERT INTO many VALUES (1, 2)',
    'INSERT INTO many VALUES (1, 2) RETURNING n',
    'UPDATE many SET n = 0',
    'DELETE FROM many',
    'WITH x AS (DELETE FROM many RETURNING n) SELECT * FROM x',
    'CREATE TABLE new AS SELECT 1',
    'CREATE TEMP TABLE new AS SELECT 1',
    'DROP TABLE many',
    'SELECT 1; DROP TABLE many',
    'BEGIN',
    'COMMIT',
    `COPY many TO '${outside}'`,
    `COPY (SELECT 1) TO '${outside}'`,
    `EXPORT DATABASE '/tmp/headgate-duck-export'`,
    `ATTACH '/tmp/headgate-duck-other.db' AS other`,
    `SELECT * FROM read_csv('/etc/passwd')`,
    `SELECT * FROM '/etc/passwd'`,
    `SELECT * FROM read_text('/etc/passwd')`,
    `SELECT * FROM glob('/*')`,
    `SELECT content FROM read_blob('/etc/passwd')`,
    `SELECT getenv('HOME')`,
    `SELECT nextval('numbers')`,
    `SELECT * FROM query('SELECT 1')`,
    `SELECT * FROM sqlite_scan('/tmp/x.db', 'users')`,
    `SET enable_external_access = true`,
    `PRAGMA database_list`,
    `CALL pragma_version()`,
    `INSTALL httpfs`,
    `LOAD httpfs`,
    `SELECT * FROM duckdb_secrets()`,
    `SELECT current_setting('allowed_paths')`,
    `SELECT * FROM headgate_other.main.many`,
    `CHECKPOINT`,
    `VACUUM`,
    `PIVOT many ON n`,
    `SELECT set_config('threads', '1')`,
  ]
  test('no attempt to write changes anything, or sees more than the file', async () => {
    const state = async () =>
      JSON.stringify([
        await file.sql('SELECT count(*), sum(n) FROM many'),
        await file.sql('SELECT table_name FROM duckdb_tables() ORDER BY 1'),
        await file.sql('SELECT last_value FROM duckdb_sequences()'),
        [outside, '/tmp/headgate-duck-export', '/tmp/headgate-duck-other.db'].map((path) => existsSync(path)),
      ])
    const before = await state()
    const through: unknown[] = []
    for (const sql of attempts) {
      const answer = await world.ask(id, sql)
      if (answer.status !== 400) through.push([sql, answer.status, answer.body])
    }
    expect(through).toEqual([])
    expect(await state()).toBe(before)
  })

  test('Headgate’s own files stay closed, by link and by dots', async () => {
    const { dataDir, platform } = world.server
    symlinkSync(dataDir, join(world.folder, 'linked'))
    const ways = [
      join(dataDir, 'headgate.db'),
      join(world.folder, 'linked', 'headgate.db'),
      `${world.folder}/x/../linked/headgate.db`,
    ]
    const innocent = await world.connect({
      type: 'duckdb',
      config: { path: join(world.folder, 'none.duckdb') },
      secrets: {},
    })
    for (const path of ways) {
      platform.store.sqlite
        .prepare('UPDATE connectors SET config = ? WHERE id = ?')
        .run(JSON.stringify({ path }), innocent)
      expect([path, (await world.ask(innocent, 'SELECT 1')).status]).toEqual([path, 502])
    }
  })
})
