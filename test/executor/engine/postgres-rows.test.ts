import fc from 'fast-check'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { detachedContext } from '../../../src/executor/engine/detached-context.ts'
import { openSession } from '../../../src/executor/engine/duckdb.ts'
import { openPostgresSource } from '../../../src/executor/connectors/postgres/read.ts'
import type { Partition } from '../../../src/language/task/sources/source.types.ts'
import { postgresPrograms } from '../../support/postgres.ts'
import { startPostgresProxy, type PostgresMessage } from '../../support/postgres-proxy.ts'
import { duckFile } from './duckdb-fixture.ts'
import { usePostgres } from './postgres-fixture.ts'
import { runTask, temporaryFolder, type RunOptions } from './run-task.ts'

describe.skipIf(postgresPrograms === null)('rows of PostgreSQL', () => {
  const database = usePostgres()
  const { connector, query } = database

  /** Reads with a task into a file of DuckDB, which then gives the rows as texts. */
  async function read(
    sql: string,
    options: RunOptions & { list?: string; end?: string; port?: number } = {},
  ): Promise<{ run: Awaited<ReturnType<typeof runTask>>; rows: (string | null)[][]; types: string[] }> {
    const file = duckFile()
    const tempDir = temporaryFolder()
    const run = await runTask(
      `etl: 1
kind: pipeline
name: read
connectors: {db: {type: postgres, access: read}, out: {type: duckdb, access: write}}
source: {connector: db, sql: ${sql}}
target: {connector: out, table: o, mode: replace}
`,
      { db: connector(9, options.port === undefined ? {} : { port: options.port }), out: file.bound },
      { ...options, tempDir },
    )
    if (run.status === 'failed') return { run, rows: [], types: [] }
    const types = run.steps[0]?.columns.map((column) => column.type) ?? []
    const rows = await file.sql(
      `SET TimeZone = 'UTC'; SELECT ${options.list ?? 'COLUMNS(*)::VARCHAR'} FROM o ${options.end ?? ''}`,
    )
    return { run, rows: rows as (string | null)[][], types } // the list makes texts
  }

  /** Rows of a table in the session of a run: files round, merge zeros, and know no infinities. */
  async function readTable(
    partition: Partition | null,
    list: string,
    limit: number | null = null,
  ): Promise<(string | null)[][]> {
    const io = { signal: new AbortController().signal, tempDir: temporaryFolder() }
    const session = await openSession({ ...io, directories: [] })
    try {
      const context = detachedContext(session, () => connector(), io)
      const read = { kind: 'table' as const, table: 't', columns: null, partition }
      const stream = await openPostgresSource(read, connector(), context, { limit })
      return (await session.rows(`SELECT ${list} FROM (${stream.sql})`)) as (string | null)[][] // the list makes texts
    } finally {
      await session.close(false)
    }
  }

  const asQuery = (sql: string): string => `{query: ${JSON.stringify(sql)}}`

  /** A session that says values as the connector's own does. */
  async function withClient<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
    const { host, port, user, password, database: name } = database.server
    const client = new pg.Client({ host, port, user, password, database: name })
    await client.connect()
    try {
      await client.query("SET TimeZone = 'UTC'; SET extra_float_digits = 3; SET search_path = app")
      return await work(client)
    } finally {
      await client.end()
    }
  }

  /** The server's own texts of a query's values. */
  const texts = (sql: string): Promise<(string | null)[][]> =>
    withClient(async (client) => {
      const types = { getTypeParser: () => (value: string | null) => value }
      return (await client.query<(string | null)[]>({ text: sql, rowMode: 'array', types })).rows
    })

  describe('are what the server holds', () => {
    it('a line end of two characters, in a column or alone', async () => {
      const { run, rows } = await read(
        asQuery(`SELECT 1 AS n, E'a\\r\\nb'::text AS q, E'\\r'::text AS r, E'\\n'::text AS s`),
      )
      expect(run.error).toBeUndefined()
      expect(rows).toEqual([['1', 'a\r\nb', '\r', '\n']])
    })

    it('U+FEFF in front of the first value', async () => {
      const { rows } = await read(
        asQuery(`SELECT E'\\ufeffa'::text AS q, E'\\ufeff a text of many bytes'::text AS r`),
        {
          list: 'hex(q), hex(r)',
        },
      )
      expect(rows).toEqual([
        ['EFBBBF61', `EFBBBF${Buffer.from(' a text of many bytes').toString('hex').toUpperCase()}`],
      ])
    })

    it('a text of 17 MB, and bytes', async () => {
      await query(`CREATE TABLE t AS SELECT 1 AS n, repeat('0123456789abcdef€', 1000000) AS q UNION ALL SELECT 2, 'x';
        ALTER TABLE t ADD b bytea; UPDATE t SET b = convert_to(q, 'UTF8')`)
      const { run, rows } = await read('{table: t}', {
        list: 'n::VARCHAR, md5(q), md5(b), length(q)::VARCHAR',
        end: 'ORDER BY n',
      })
      expect(run.error).toBeUndefined()
      expect(rows).toEqual(await texts('SELECT n, md5(q), md5(b), length(q) FROM t ORDER BY n'))
    })

    it('dates before Christ, and infinite ones', async () => {
      const { run, rows } = await read(
        asQuery(`SELECT date '0044-03-15 BC' AS a, timestamp '4713-01-01 00:00:00.000001 BC' AS b, date '-infinity' AS c,
          timestamp 'infinity' AS d, timestamptz '-infinity' AS e, date '5874897-12-31' AS f`),
      )
      expect(run.error).toBeUndefined()
      expect(rows).toEqual([
        ['0044-03-15 (BC)', '4713-01-01 (BC) 00:00:00.000001', '-infinity', 'infinity', '-infinity', '5874897-12-31'],
      ])
    })

    it('NUL in bytes; empty text and bytes beside NULL', async () => {
      const { rows } = await read(
        asQuery(`SELECT '\\x00'::bytea AS a, '\\x000102030405060708090a0b0c0d0e0f00'::bytea AS b, ''::bytea AS c, NULL::bytea AS d,
          ''::text AS e, NULL::text AS f`),
        { list: 'hex(a), hex(b), hex(c), hex(d), e, f' },
      )
      expect(rows).toEqual([['00', '000102030405060708090A0B0C0D0E0F00', '', null, '', null]])
    })

    it.each([
      `'10.0.0.1'::inet`,
      `'10.1.0.0/16'::cidr`,
      `interval '1 year 2 days 03:04:05.6'`,
      `'1200.50'::money`,
      `timetz '12:00:00.5+02'`,
      `ARRAY[1, NULL, 3]`,
      `ARRAY['a', 'b,"c', NULL]`,
      `ARRAY[]::bool[]`,
      `ARRAY['infinity'::float8, 1.5]`,
      `int4range(1, 5)`,
      `point(1, 2)`,
      `B'1011'`,
      `'a b'::tsvector`,
      `'<a>b</a>'::xml`,
      `ROW(NULL, NULL)`,
      `ROW(1, 'x, y')`,
      `'pg_class'::regclass`,
      `'x'::"char"`,
      `'ab'::char(5)`,
      `'ab'::name`,
      `'happy'::mood`,
      `'ab '::short`,
      `true::yes`,
      `12::numeric(50, 2)`,
      `'08:00:2b:01:02:03'::macaddr`,
    ])('%s', async (value) => {
      await query(
        `CREATE TYPE mood AS ENUM ('sad', 'happy'); CREATE DOMAIN short AS char(4); CREATE DOMAIN yes AS boolean`,
      )
      const sql = `SELECT ${value} AS v UNION ALL SELECT NULL`
      const { run, rows } = await read(asQuery(sql))
      expect(run.error).toBeUndefined()
      expect(rows.map(([text]) => (text === 'true' ? 't' : text))).toEqual((await texts(sql)).flat())
    })

    it('numbers that show more places the further one reads', async () => {
      await query(
        `CREATE TABLE t AS SELECT i AS id, round(i / 7.0, (i / 1000)::int % 12) AS n FROM generate_series(0, 12999) i`,
      )
      const { run, rows, types } = await read('{table: t}', { list: 'id::VARCHAR, n::VARCHAR' })
      expect(run.error).toBeUndefined()
      expect(types).toEqual(['INTEGER', 'DECIMAL(38,11)'])
      expect(rows).toEqual(await texts('SELECT id, n::numeric(38,11) FROM t ORDER BY id'))
    })

    it.each(['NaN', 'Infinity', '1e40', '-123456789012345678901234567890.123456789'])(
      'numbers in a column that also holds %s are texts, as they were',
      async (odd) => {
        await query(`CREATE TABLE t AS SELECT i AS id, CASE WHEN i = 4999 THEN '${odd}' WHEN i % 10 = 0 THEN NULL ELSE round(i / 8.0, i % 5) END::numeric AS n,
          i / 4.0 AS m FROM generate_series(0, 5100) i`)
        const { run, rows, types } = await read('{table: t}', { list: 'id::VARCHAR, n::VARCHAR' })
        expect(run.error).toBeUndefined()
        expect(types).toEqual(['INTEGER', 'VARCHAR', expect.stringMatching(/^DECIMAL/)])
        expect(rows).toEqual(await texts('SELECT id, n FROM t ORDER BY id'))
        expect(run.log.map(({ message }) => message)).toContainEqual(expect.stringMatching(/`n` .* read as text/))
      },
    )

    it('numbers of several columns that change at different rows of the same bytes, beside rows of megabytes', async () => {
      await query(`CREATE TABLE t AS SELECT i AS id, CASE WHEN i % 3 > 0 THEN round(i / 7.0, i % 9) END AS n,
        round(i / 9.0, (5000 - i) / 700) AS m, CASE WHEN i IN (3, 2048, 4001) THEN 10::numeric ^ i WHEN i % 2 = 0 THEN i END AS o,
        repeat('é', CASE WHEN i % 1500 = 2 THEN 3000000 ELSE i % 90 END) AS v FROM generate_series(0, 5000) i`)
      const { run, rows, types } = await read('{table: t}', {
        list: 'id::VARCHAR, n::VARCHAR, m::VARCHAR, o::VARCHAR, md5(v)',
      })
      expect(run.error).toBeUndefined()
      expect(types).toEqual(['INTEGER', 'DECIMAL(38,8)', 'DECIMAL(38,7)', 'VARCHAR', 'VARCHAR'])
      expect(rows).toEqual(await texts('SELECT id, n::numeric(38,8), m::numeric(38,7), o, md5(v) FROM t ORDER BY id'))
    })

    it.each([0, 1, 2047, 2048, 2049])(
      'numbers alone in many narrow rows, with more places from row %i on',
      async (row) => {
        await query(
          `CREATE TABLE t AS SELECT CASE WHEN i < ${row} THEN i::numeric ELSE round(i / 100.0, 2) END AS n FROM generate_series(0, 9999) i`,
        )
        const { run, rows } = await read('{table: t}', { list: 'n::VARCHAR' })
        expect(run.error).toBeUndefined()
        expect(rows).toEqual(await texts('SELECT n::numeric(38,2) FROM t'))
      },
    )

    it('numbers of 15 to 18 digits, the first and the last of each size', async () => {
      await query(`CREATE TABLE t AS SELECT row_number() OVER (ORDER BY size, step, sign) AS id, n::numeric(18,3) AS n, n::numeric(38,3) AS w
        FROM generate_series(0, 14) size, generate_series(-1, 1) step, (VALUES (1), (-1)) AS s(sign),
        LATERAL (SELECT sign * (10::numeric ^ size + step * 0.001) AS n) AS made`)
      const { rows } = await read('{table: t}')
      expect(rows).toEqual(await texts('SELECT * FROM t ORDER BY id'))
    })

    it.each(['a', 'é', '語', '🎉'])(
      'texts of %s of every length up to 100, also with NULLs between',
      async (character) => {
        await query(`CREATE TABLE t AS SELECT i AS id, repeat('${character}', i % 101) AS v,
        CASE WHEN i % 5 > 0 THEN repeat('b', i % 13) || repeat('${character}', i % 4) END AS w FROM generate_series(0, 5000) i`)
        const { rows } = await read('{table: t}')
        expect(rows).toEqual(await texts('SELECT * FROM t ORDER BY id'))
      },
    )

    it('numbers of 0 to 1,000 digits', async () => {
      await query(
        `CREATE TABLE t AS SELECT i AS id, (repeat('9', i) || '.' || repeat('1', i % 50) || '0')::numeric AS n FROM generate_series(1, 1000) i`,
      )
      const { rows } = await read('{table: t}')
      expect(rows).toEqual(await texts('SELECT * FROM t ORDER BY id'))
    })

    it('none, of a query without columns', async () => {
      const { run } = await read(asQuery('SELECT FROM generate_series(1, 3)'))
      expect(run.error).toMatchObject({ code: 'VALUE_INVALID' })
      expect(run.error?.message).toContain('no columns')
    })

    it('only as many as a preview shows', async () => {
      await query('CREATE TABLE t AS SELECT i FROM generate_series(1, 100000) i')
      const rows = await readTable(null, 'i::VARCHAR', 3)
      expect(rows).toEqual([['1'], ['2'], ['3']])
    })
  })

  describe('are refused by column and value', () => {
    it.each([
      [`timestamp '294276-12-31 23:59:59.5'`, 'Column `v` holds 294276-12-31 23:59:59, which is later'],
      [`timestamptz '294247-02-01 00:00:00Z'`, 'Column `v` holds 294247-02-01 00:00:00, which is later'],
      [`'NaN'::numeric(10,2)`, 'Column `v` holds NaN, which DECIMAL(10,2) cannot hold'],
    ])('%s', async (value, message) => {
      const { run } = await read(asQuery(`SELECT ${value} AS v`))
      expect(run.error).toMatchObject({ code: 'VALUE_INVALID', step: 'source', retryable: false })
      expect(run.error?.message).toContain(message)
      expect(JSON.stringify(run.error)).not.toMatch(/\/tmp|csv/i)
    })
  })

  describe('of every type', () => {
    const types = {
      b: 'boolean',
      i2: 'smallint',
      i4: 'integer',
      i8: 'bigint',
      f4: 'real',
      f8: 'double precision',
      n4: 'numeric(4,2)',
      n9: 'numeric(9,9)',
      n18: 'numeric(18,5)',
      n38: 'numeric(38,19)',
      nn: 'numeric',
      t: 'text',
      v: 'varchar(20)',
      x: 'bytea',
      d: 'date',
      h: 'time',
      ts: 'timestamp',
      tz: 'timestamptz',
      u: 'uuid',
      j: 'json',
      jb: 'jsonb',
      a: 'int[]',
    }
    const digits = (least: number, most: number) =>
      fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: least, maxLength: most })
    const decimal = (whole: number, places: number) =>
      fc
        .tuple(fc.constantFrom('', '-'), digits(0, whole), digits(0, places))
        .map(([sign, left, right]) => `${sign}${left === '' ? '0' : left}${right === '' ? '' : `.${right}`}`)
    const int = (bits: bigint) =>
      fc
        .oneof(
          fc.constantFrom(-(2n ** bits), 2n ** bits - 1n, 0n),
          fc.bigInt({ min: -(2n ** bits), max: 2n ** bits - 1n }),
        )
        .map(String)
    const words = fc
      .oneof(
        fc.string({ unit: 'binary', maxLength: 40 }),
        fc.constantFrom('', '\ufeff', '\r\n', '"', '\\N', "it's", ',', '12345678901é', '123456789012', '1234567890123'),
      )
      .map((value) => value.replaceAll('\0', '').replace(/[\ud800-\udfff]/g, '\ufffd'))
    const pad = (value: number, size: number): string => String(value).padStart(size, '0')
    const date = fc
      .tuple(
        fc.integer({ min: 1, max: 9999 }),
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 28 }),
        fc.boolean(),
      )
      .map(
        ([year, month, day, isBefore]) =>
          `${pad(year % (isBefore ? 4000 : 10_000) || 1, 4)}-${pad(month, 2)}-${pad(day, 2)}${isBefore ? ' BC' : ''}`,
      )
    const clock = fc
      .tuple(fc.integer({ min: 0, max: 86_399 }), fc.integer({ min: 0, max: 999_999 }))
      .map(
        ([seconds, micros]) =>
          `${pad(Math.floor(seconds / 3600), 2)}:${pad(Math.floor(seconds / 60) % 60, 2)}:${pad(seconds % 60, 2)}.${pad(micros, 6)}`,
      )
    const moment = fc.oneof(
      fc.constantFrom('infinity', '-infinity'),
      fc.tuple(date, clock).map(([day, time]) => day.replace(/^\S+/, (plain) => `${plain} ${time}`)),
    )
    const float = fc
      .oneof(fc.double(), fc.constantFrom(-0, 5e-324, 1.7976931348623157e308))
      .map((value) => (Object.is(value, -0) ? '-0' : String(value)))
    const json = fc
      .json({ maxDepth: 2 })
      .map((value) => value.replace(/\\u[0-9a-f]{4}|[\ud800-\udfff]|__proto__/gi, 'u'))
    const some = (value: fc.Arbitrary<string>) => fc.option(value, { freq: 5 })
    const rowOf = fc.tuple(
      some(fc.boolean().map(String)),
      some(int(15n)),
      some(int(31n)),
      some(int(63n)),
      some(
        fc
          .oneof(fc.float(), fc.constantFrom(-0, Infinity))
          .map((value) => (Object.is(value, -0) ? '-0' : String(value))),
      ),
      some(float),
      some(decimal(2, 2)),
      some(decimal(0, 9)),
      some(decimal(13, 5)),
      some(decimal(19, 19)),
      some(decimal(18, 19)),
      some(words),
      some(words.map((value) => [...value].slice(0, 20).join(''))),
      some(fc.uint8Array({ maxLength: 30 }).map((value) => `\\x${Buffer.from(value).toString('hex')}`)),
      some(fc.oneof(date, fc.constantFrom('infinity', '-infinity'))),
      some(clock),
      some(moment),
      some(moment),
      some(fc.uuid()),
      some(json),
      some(json),
      some(fc.array(fc.integer(), { maxLength: 4 }).map((value) => `{${value.join(',')}}`)),
    )
    /** With a letter in front: DuckDB's driver drops a leading mark. */
    const isText = (type: string): boolean => /^(text|varchar|json)/.test(type)
    /** The same text on both sides, whatever their ways of writing it. */
    const inPostgres = (column: string, type: string): string => {
      if (type === 'date')
        return `CASE WHEN isfinite(${column}) THEN (${column} - date '1970-01-01')::text ELSE ${column}::text END`
      if (type.startsWith('timestamp'))
        return `CASE WHEN isfinite(${column}) THEN (extract(epoch FROM ${column}) * 1000000)::numeric(38,0)::text ELSE ${column}::text END`
      if (type === 'bytea') return `encode(${column}, 'hex')`
      if (type === 'numeric') return `trim_scale(${column})::text`
      return isText(type) ? `'x' || ${column}::text` : `${column}::text`
    }
    const inDuckDb = (column: string, type: string): string => {
      if (type === 'date')
        return `CASE WHEN isfinite(${column}) THEN (${column} - DATE '1970-01-01')::VARCHAR ELSE ${column}::VARCHAR END`
      if (type.startsWith('timestamp'))
        return `CASE WHEN isfinite(${column}) THEN epoch_us(${column})::VARCHAR ELSE ${column}::VARCHAR END`
      if (type === 'bytea') return `lower(hex(${column}))`
      if (type === 'numeric')
        return `regexp_replace(regexp_replace(${column}::VARCHAR, '(\\.[0-9]*?)0+$', '\\1'), '\\.$', '')`
      return isText(type) ? `'x' || ${column}` : `${column}::VARCHAR`
    }
    const plainOf = (type: string, value: string | null): string | null => {
      if (value === null) return null
      if (type === 'real') return String(Math.fround(number(value)))
      if (type === 'double precision') return Object.is(number(value), -0) ? '-0' : String(number(value))
      return type === 'numeric(9,9)' ? value.replace(/^(-?)\./, '$10.') : value
    }
    const number = (value: string): number =>
      Number(value.replace(/^nan$/i, 'NaN').replace(/^(-?)inf(inity)?$/i, '$1Infinity'))

    /** All rows as the task reads them, and as the server says them. */
    async function bothSides(): Promise<[string[], string[]]> {
      const entries = Object.entries(types)
      const list = entries.map(([column, type]) => inDuckDb(column, type)).join(', ')
      const rows = await readTable(null, `id::VARCHAR, ${list}`)
      const expected = await texts(
        `SELECT id, ${entries.map(([column, type]) => inPostgres(column, type)).join(', ')} FROM t ORDER BY id`,
      )
      const typeOf = (at: number): string => entries[at - 1]?.[1] ?? 'integer'
      const plain = (all: (string | null)[][]) =>
        all.map((row) => row.map((value, at) => plainOf(typeOf(at), value)).join('\u0001')).toSorted()
      return [plain(rows), plain(expected)]
    }

    async function fill(rows: (string | null)[][]): Promise<void> {
      const entries = Object.entries(types)
      const list = entries.map(([column, type]) => `${column} ${type}`).join(', ')
      await query(`DROP TABLE IF EXISTS t; CREATE TABLE t (id serial, ${list})`)
      await withClient(async (client) => {
        for (const row of rows) {
          const values = entries.map(([, type], at) => `$${at + 1}::text::${type}`).join(', ')
          await client.query(`INSERT INTO t (${entries.map(([column]) => column).join(', ')}) VALUES (${values})`, row)
        }
      })
    }

    it('are equal to what the server says of them', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(rowOf, { maxLength: 60 }), async (rows) => {
          await fill(rows)
          const [read, said] = await bothSides()
          expect(read).toEqual(said)
        }),
        { numRuns: 12 },
      )
    }, 120_000)

    it.each([2047, 2048, 2049, 200_000])(
      'are equal in %i rows, at once and in ranges',
      async (count) => {
        const sample = fc.sample(rowOf, { numRuns: 50, seed: 7 })
        await fill(sample)
        const columns = Object.keys(types).join(', ')
        await query(
          `INSERT INTO t (${columns}) SELECT ${columns} FROM t, generate_series(1, ${Math.ceil(count / 50)}); DELETE FROM t WHERE id > ${count}; ANALYZE t`,
        )
        const [rows, saidRows] = count < 10_000 ? await bothSides() : [[], []]
        expect(rows).toEqual(saidRows)
        const { read, inRanges, said } = await sums()
        expect(said[0]?.[0]).toBe(String(count))
        expect(read).toEqual(said)
        expect(inRanges).toEqual(said)
      },
      120_000,
    )

    /** For many rows: what the columns come to. */
    async function sums(): Promise<Record<'read' | 'inRanges' | 'said', (string | null)[][]>> {
      const all = (write: (column: string, type: string) => string): string =>
        Object.entries(types)
          .filter(([, type]) => !/real|double|numeric/.test(type))
          .map(([column, type]) => {
            const value = write(column, type)
            return `count(${column})::text || ' ' || coalesce(min(md5(id::text || ${value})), '') || ' ' || coalesce(max(md5(${value})), '')`
          })
          .join(', ')
      const totals = 'count(*)::text, sum(id)::text, sum(nn)::text, sum(n38)::text'
      const trimmed = (rows: (string | null)[][]): (string | null)[][] =>
        rows.map((row) => row.map((value) => value?.replace(/(\.\d*?)0+$/, '$1') ?? null))
      const list = `${totals}, ${all(inDuckDb)}`
      return {
        read: trimmed(await readTable(null, list)),
        inRanges: trimmed(await readTable({ column: 'id', parts: 3 }, list)),
        said: trimmed(await texts(`SELECT ${totals}, ${all(inPostgres)} FROM t`)),
      }
    }
  })

  describe('that do not all arrive', () => {
    const table = `CREATE TABLE t AS SELECT i AS id, repeat('x', 50) AS v FROM generate_series(1, 20000) i`
    const row = ({ code }: PostgresMessage): boolean => code === 'd'

    async function through(change: (message: PostgresMessage) => PostgresMessage[] | 'cut') {
      await query(table)
      const proxy = await startPostgresProxy(database.server.port, change)
      try {
        return await read('{table: t}', { port: proxy.port })
      } finally {
        await proxy.stop()
      }
    }

    it('fail the run when one is missing in the middle', async () => {
      let seen = 0
      const { run } = await through((message) => (row(message) && ++seen === 7000 ? [] : [message]))
      expect(run.error).toMatchObject({ code: 'ROWS_UNACCOUNTED', step: 'source', retryable: true })
      expect(run.error?.message).toContain('19,999 rows arrived, and the server counted 20,000')
    })

    it('fail the run when the mark of the end is missing', async () => {
      const { run } = await through((message) =>
        row(message) && message.body.length === 2 && message.body.readInt16BE(0) === -1 ? [] : [message],
      )
      expect(run.error).toMatchObject({ code: 'ROWS_UNACCOUNTED', retryable: true })
      expect(run.error?.message).toContain('the end is missing')
    })

    it('fail the run when the server counted others', async () => {
      const { run } = await through((message) =>
        message.code === 'C' && message.body.toString().startsWith('COPY')
          ? [{ code: 'C', body: Buffer.from('COPY 20001\0') }]
          : [message],
      )
      expect(run.error).toMatchObject({ code: 'ROWS_UNACCOUNTED', retryable: true })
    })

    it('fail the run when the connection is cut', async () => {
      let seen = 0
      const { run } = await through((message) => (row(message) && ++seen === 7000 ? 'cut' : [message]))
      expect(run.error).toMatchObject({ code: 'CONNECTION_FAILED', step: 'source', retryable: true })
    })

    it('are whole however they are cut into messages', async () => {
      let held: PostgresMessage | null = null
      const { run, rows } = await through((message) => {
        if (!row(message)) {
          const before = held ? [held] : []
          held = null
          return [...before, message]
        }
        const all = Buffer.concat([held?.body ?? Buffer.alloc(0), message.body])
        const cut = Math.min(all.length, 1 + (all.length % 97))
        held = { code: 'd', body: Buffer.from(all.subarray(cut)) }
        return [{ code: 'd', body: Buffer.from(all.subarray(0, cut)) }]
      })
      expect(run.error).toBeUndefined()
      expect(rows).toHaveLength(20_000)
    })

    it('stop at the server when the run is stopped', async () => {
      await query(
        `CREATE VIEW endless AS SELECT i, repeat('x', 1000) AS v FROM (SELECT generate_series(1, 100000000) AS i) s`,
      )
      const abort = new AbortController()
      const running = read('{table: endless}', { signal: abort.signal })
      const active = async (): Promise<number> =>
        Number(
          (
            await query(
              `SELECT count(*) AS n FROM pg_stat_activity WHERE query LIKE 'COPY %endless%' AND state = 'active'`,
            )
          )[0]?.['n'],
        )
      await expect.poll(active, { timeout: 60_000 }).toBe(1)
      abort.abort()
      expect((await running).run.error?.code).toBe('CANCELLED')
      await expect.poll(active, { timeout: 60_000 }).toBe(0)
    })

    it('are not waited for when one of them is refused', async () => {
      await query(
        `CREATE VIEW endless AS SELECT CASE WHEN i = 5000 THEN 'NaN' ELSE i::numeric END::numeric(12,2) AS n FROM (SELECT generate_series(1, 1000000000) AS i) s`,
      )
      const { run } = await read('{table: endless}')
      expect(run.error).toMatchObject({ code: 'VALUE_INVALID', step: 'source' })
      await expect
        .poll(
          async () =>
            (
              await query(
                `SELECT count(*) AS n FROM pg_stat_activity WHERE query LIKE 'COPY %endless%' AND state = 'active'`,
              )
            )[0]?.['n'],
          { timeout: 60_000 },
        )
        .toBe('0')
    })
  })
})
