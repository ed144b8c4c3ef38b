import { describe, expect, test } from 'vitest'
import type { BoundConnector } from '../../../src/contract/executor-protocol.ts'
import { usePostgres } from './postgres-fixture.ts'
import { runTask, type FinishedRun } from './run-task.ts'

/** More than every buffer on the way takes. */
const many = 200_000

const postgres = usePostgres()

/** By DuckDB's file, and from one server to the other. */
type Way = 'columnar' | 'bytes'
const ways: Way[] = ['columnar', 'bytes']

function load(
  way: Way,
  {
    to = postgres.connector(2),
    query = 'SELECT id, v FROM s',
    target = 'mode: append',
    signal = new AbortController().signal,
  }: {
    to?: BoundConnector
    query?: string
    target?: string
    signal?: AbortSignal
  } = {},
): Promise<FinishedRun> {
  return runTask(
    `
etl: 1
kind: pipeline
name: t
connectors: {a: {type: postgres, access: read}, b: {type: postgres, access: write}}
source: {connector: a, sql: {query: "${query}"}}
steps: ${way === 'columnar' ? '[{filter: "true"}]' : '[]'}
target: {connector: b, table: t, ${target}}
`,
    { a: postgres.connector(1), b: to },
    { signal },
  )
}

const rows = `CREATE TABLE s AS SELECT i AS id, 'value ' || i AS v FROM generate_series(1, ${many}) AS i`

describe.each(ways)('a COPY that the server ends early (%s)', (way) => {
  test('for lack of a right fails with the server’s own words', async () => {
    await postgres.query(`${rows}; CREATE TABLE t (LIKE s); INSERT INTO t VALUES (0, 'old');
      DROP ROLE IF EXISTS reader; CREATE ROLE reader LOGIN PASSWORD 'reads'; GRANT USAGE ON SCHEMA app TO reader; GRANT SELECT ON t TO reader`)
    const to = postgres.connector(2, { user: 'reader' })
    const run = await load(way, { to: { ...to, secrets: { password: 'reads' } } })
    await postgres.query('DROP OWNED BY reader; DROP ROLE reader')
    expect(run.error).toMatchObject({ code: 'DATABASE_REFUSED', step: 'target', retryable: false })
    expect(run.error?.message).toContain('permission denied for table t')
  })

  test.each([1, 2, 1000, many])('at row %i fails with the server’s own words', async (row) => {
    await postgres.query(`${rows}; CREATE TABLE t (LIKE s, CHECK (id <> ${row})); INSERT INTO t VALUES (0, 'old')`)
    const run = await load(way)
    expect(run.error).toMatchObject({ code: 'CONSTRAINT_VIOLATED', step: 'target', retryable: false })
    expect(run.error?.message).toMatch(/violates check constraint "t_id_check"/)
    expect(await postgres.query('SELECT * FROM t')).toEqual([{ id: 0, v: 'old' }])
  })

  test('by a limit of time fails with the server’s own words', async () => {
    await postgres.query(`${rows}; CREATE TABLE t (LIKE s);
      CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(0.01); RETURN new; END $$;
      CREATE TRIGGER slow BEFORE INSERT ON t FOR EACH ROW EXECUTE FUNCTION slow(); ALTER ROLE headgate SET statement_timeout = '1s'`)
    try {
      const run = await load(way)
      expect(run.error).toMatchObject({ code: 'DATABASE_REFUSED', step: 'target' })
      expect(run.error?.message).toContain('statement timeout')
    } finally {
      await postgres.query('ALTER ROLE headgate RESET statement_timeout')
    }
  })

  test('because its session was ended is a lost connection', async () => {
    await postgres.query(`${rows}; CREATE TABLE t (LIKE s); INSERT INTO t VALUES (0, 'old');
      CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(63); RETURN new; END $$;
      CREATE TRIGGER slow BEFORE INSERT ON t FOR EACH ROW WHEN (new.id = 100) EXECUTE FUNCTION slow()`)
    const running = load(way)
    await expect
      .poll(
        () =>
          postgres.query(
            `SELECT pg_terminate_backend(pid) AS done FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND query LIKE 'COPY%'`,
          ),
        { timeout: 60_000 },
      )
      .toEqual([{ done: true }])
    const run = await running
    expect(run.error).toMatchObject({ code: 'CONNECTION_FAILED', step: 'target', retryable: true })
    expect(await postgres.query('SELECT * FROM t')).toEqual([{ id: 0, v: 'old' }])
  })

  test('because the run is stopped is a stopped run', async () => {
    await postgres.query(`${rows}; CREATE TABLE t (LIKE s);
      CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(63); RETURN new; END $$;
      CREATE TRIGGER slow BEFORE INSERT ON t FOR EACH ROW WHEN (new.id = 100) EXECUTE FUNCTION slow()`)
    const stop = new AbortController()
    const running = load(way, { signal: stop.signal })
    await expect
      .poll(() => postgres.query(`SELECT true AS there FROM pg_stat_activity WHERE wait_event = 'PgSleep'`), {
        timeout: 60_000,
      })
      .toEqual([{ there: true }])
    stop.abort()
    expect((await running).error?.code).toBe('CANCELLED')
  })
})

/** Raised by the server for a statement of the run: what it says when it shuts down, has crashed, or loses a connection. */
test.each([
  ['57P01', 'CONNECTION_FAILED'],
  ['57P02', 'CONNECTION_FAILED'],
  ['57P03', 'CONNECTION_FAILED'],
  ['57P05', 'CONNECTION_FAILED'],
  ['25P03', 'CONNECTION_FAILED'],
  ['08000', 'CONNECTION_FAILED'],
  ['08006', 'CONNECTION_FAILED'],
  ['57014', 'DATABASE_REFUSED'],
  ['57P04', 'DATABASE_REFUSED'],
])('what PostgreSQL says with %s is %s', async (state, code) => {
  await postgres.query(`CREATE TABLE s (id integer, v text); INSERT INTO s VALUES (1, 'a'); CREATE TABLE t (LIKE s);
    CREATE FUNCTION say() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'said so' USING ERRCODE = '${state}'; END $$;
    CREATE TRIGGER say BEFORE INSERT ON t FOR EACH ROW EXECUTE FUNCTION say()`)
  const run = await load('columnar', { target: 'mode: replace' })
  expect(run.error).toMatchObject({ code, retryable: code === 'CONNECTION_FAILED' })
  expect(run.error?.message).toContain('said so')
})

describe('two runs that make the same table', () => {
  const waits = `SELECT pid FROM pg_stat_activity WHERE application_name = 'headgate' AND wait_event_type = 'Lock'`

  test.each(['mode: append', 'mode: upsert, key: [id]', 'mode: replace', 'mode: delete_insert, key: [id]'])(
    'both write to it (%s)',
    async (target) => {
      // The first one holds what it has made until it may go on.
      await postgres.query(`CREATE TABLE s AS SELECT 1 AS id, 'a' AS v`)
      await postgres.query('SELECT pg_advisory_lock(1)')
      const query = (id: number): string =>
        `SELECT id + ${id} AS id, v FROM s WHERE pg_advisory_xact_lock_shared(1) IS NOT NULL`
      const runs = [10, 20].map((id) => load('bytes', { query: query(id), target }))
      try {
        await expect.poll(async () => (await postgres.query(waits)).length, { timeout: 60_000 }).toBe(2)
      } finally {
        await postgres.query('SELECT pg_advisory_unlock(1)')
      }
      for (const run of await Promise.all(runs)) {
        expect(run.error).toBeUndefined()
        expect(run).toMatchObject({ status: 'success', item_count: 1 })
      }
      expect(await postgres.query('SELECT count(*)::int AS n FROM t')).toEqual([
        { n: target === 'mode: replace' ? 1 : 2 },
      ])
    },
  )

  test('many at once, of many rows', async () => {
    await postgres.query(`CREATE TABLE s AS SELECT i AS id, 'value ' || i AS v FROM generate_series(1, 20000) AS i`)
    const runs = await Promise.all(
      [0, 1, 2, 3].map((part) => load('columnar', { query: `SELECT id, v FROM s WHERE id % 4 = ${part}` })),
    )
    for (const run of runs) expect(run.error).toBeUndefined()
    expect(runs.filter((run) => run.log.some(({ message }) => message === 'Made table t'))).toHaveLength(1)
    expect(await postgres.query('SELECT count(*)::int AS n, count(DISTINCT id)::int AS d FROM t')).toEqual([
      { n: 20_000, d: 20_000 },
    ])
  })

  test('of which the first fails: the other one makes it', async () => {
    await postgres.query(`CREATE TABLE s AS SELECT 1 AS id, 'a' AS v; SELECT pg_advisory_lock(1)`)
    const gated = (more: string): string =>
      `SELECT id${more} AS id, v FROM s WHERE pg_advisory_xact_lock_shared(1) IS NOT NULL`
    const bad = load('bytes', { query: gated(' / 0') })
    try {
      await expect.poll(async () => (await postgres.query(waits)).length, { timeout: 60_000 }).toBe(1)
      const good = load('bytes')
      await expect.poll(async () => (await postgres.query(waits)).length, { timeout: 60_000 }).toBe(2)
      await postgres.query('SELECT pg_advisory_unlock(1)')
      expect((await bad).status).toBe('failed')
      expect(await good).toMatchObject({ status: 'success', item_count: 1 })
    } finally {
      await postgres.query('SELECT pg_advisory_unlock_all()')
    }
  })
})

describe('blanks at the end of a text that PostgreSQL would cut off', () => {
  const write = (value: string, target = 'mode: append') =>
    runTask(
      `
etl: 1
kind: pipeline
name: t
connectors: {db: {type: postgres, access: write}}
source: {inline: {rows: [{id: 1, v: "ok"}, {id: 2, v: "${value}"}]}}
target: {connector: db, table: t, ${target}}
`,
      { db: postgres.connector() },
    )

  test.each(['varchar(5)', 'char(5)'])('in a column %s are refused', async (type) => {
    await postgres.query(`CREATE TABLE t (id bigint PRIMARY KEY, v ${type})`)
    for (const target of ['mode: append', 'mode: replace', 'mode: upsert, key: [id]']) {
      const run = await write('abc   ', target)
      expect(run.error).toMatchObject({ code: 'VALUE_INVALID', step: 'target', retryable: false })
      expect(run.error?.message).toMatch(
        /^Column `v` is character( varying)?\(5\), which cannot hold “abc {3}” with all of its blanks/,
      )
      expect(await postgres.query('SELECT * FROM t')).toEqual([])
    }
  })

  test('of double precision are rounded in a column of single precision, which is told; texts are padded, moments lose their zone', async () => {
    await postgres.query('CREATE TABLE t (id bigint PRIMARY KEY, r real, c char(3), at timestamp, d double precision)')
    const query =
      "SELECT i AS id, CASE WHEN i % 2 = 0 THEN 0.1::DOUBLE ELSE 0.5 END AS r, CASE WHEN i % 4 = 0 THEN 'a' ELSE 'abc' END AS c, TIMESTAMPTZ '2024-01-01 00:00:00+02' AS at, '-0.0'::DOUBLE AS d FROM range(200000) AS s(i)"
    const run = await runTask(
      `
etl: 1
kind: pipeline
name: t
connectors: {db: {type: postgres, access: write}}
source: {inline: {rows: [{one: 1}]}}
steps: [{sql: ${JSON.stringify(query)}}]
target: {connector: db, table: t, mode: upsert, key: [id]}
`,
      { db: postgres.connector() },
    )
    expect(run.error).toBeUndefined()
    expect(run.steps.at(-1)?.changes).toMatchObject([
      { column: 'r', change: 'rounded to real', count: 100_000, example: '0.1' },
      { column: 'c', change: 'padded with blanks to character(3)', count: 50_000, example: 'a' },
      { column: 'at', change: 'stored in UTC, without a time zone', count: 200_000, example: '2023-12-31 22:00:00+00' },
    ])
    expect(await postgres.query('SELECT DISTINCT at::text, d::text FROM t')).toEqual([
      { at: '2023-12-31 22:00:00', d: '-0' },
    ])
  })

  test('in a column of a domain are refused, as are digits that it would round', async () => {
    await postgres.query(`CREATE DOMAIN code AS varchar(5); CREATE DOMAIN price AS numeric(10,2);
      CREATE TABLE t (id bigint, v code, p price)`)
    expect((await write('abc   ')).error?.message).toMatch(/^Column `v` is character varying\(5\), which cannot/)
    const rounded = await runTask(
      `
etl: 1
kind: pipeline
name: t
connectors: {db: {type: postgres, access: write}}
source: {inline: {rows: [{p: "1.239"}], columns: {p: "decimal(9,3)"}}}
target: {connector: db, table: t}
`,
      { db: postgres.connector() },
    )
    expect(rounded.error?.message).toMatch(/^Column `p` is numeric\(10,2\), which cannot hold 1\.239/)
    expect(await postgres.query('SELECT * FROM t')).toEqual([])
  })

  test('are taken where there is room, and longer texts are still refused by row', async () => {
    await postgres.query('CREATE TABLE t (id bigint, v varchar(5))')
    expect((await write('äöü  ')).error).toBeUndefined()
    expect(await postgres.query('SELECT v FROM t WHERE id = 2')).toEqual([{ v: 'äöü  ' }])
    expect((await write('abc  d')).error?.message).toMatch(/^Row 2, column `v`: value too long for type/)
  })
})
