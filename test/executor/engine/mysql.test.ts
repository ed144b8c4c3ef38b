import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Connection, RowDataPacket } from 'mysql2/promise'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { BoundConnector } from '../../../src/contract/executor-protocol.ts'
import { startCutProxy } from '../../support/cut-proxy.ts'
import { hasMariaDb, startMariaDb, type MariaDbServer } from '../../support/mariadb.ts'
import { fileConnector, flow, runTask, temporaryFolder, vegaData, type RunOptions } from './run-task.ts'

describe.skipIf(!hasMariaDb)('MySQL and MariaDB', () => {
  let server: MariaDbServer
  let client: Connection

  beforeAll(async () => {
    server = await startMariaDb()
    client = await server.connect()
  })
  afterAll(async () => {
    await client?.end()
    await server?.stop()
  })
  beforeEach(async () => {
    await client.query(
      `DROP DATABASE IF EXISTS app; CREATE DATABASE app CHARACTER SET utf8mb4; USE app; SET sql_mode = ''; SET time_zone = '+00:00'`,
    )
  })

  function connector(more: Record<string, unknown> = {}, password = server.password): BoundConnector {
    const { host, port, database, user } = server
    return {
      id: 9,
      name: 'shop',
      type: 'mysql',
      config: { host, port, database, user, ...more },
      secrets: { password },
    }
  }
  const query = async (sql: string): Promise<unknown[]> => (await client.query<RowDataPacket[]>(sql))[0]
  const count = async (table = 't'): Promise<number> =>
    ((await query(`SELECT count(*) AS n FROM ${table}`))[0] as { n: number }).n

  function write(
    rows: string,
    target: string,
    options: RunOptions & { columns?: string; bound?: BoundConnector; steps?: string } = {},
  ) {
    const columns = options.columns === undefined ? '' : `, columns: ${options.columns}`
    return runTask(
      `etl: 1
kind: pipeline
name: write
connectors: {db: {type: mysql, access: write}}
source: {inline: {rows: ${rows}${columns}}}
steps: ${options.steps ?? '[]'}
target: {connector: db, table: t, ${target}}
`,
      { db: options.bound ?? connector() },
      options,
    )
  }

  async function read(sql: string, options: RunOptions & { args?: string; bound?: BoundConnector } = {}) {
    const out = temporaryFolder()
    const run = await runTask(
      `etl: 1
kind: pipeline
name: read
connectors: {db: {type: mysql, access: read}, out: {type: file, access: write}}
${options.args ?? ''}
source: {connector: db, sql: ${sql}}
target: {connector: out, file: {path: o.jsonl}}
`,
      { db: options.bound ?? connector(), out: fileConnector(out) },
      options,
    )
    const text = run.status === 'failed' ? '' : readFileSync(join(out, 'o.jsonl'), 'utf8')
    const rows = text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    const types = Object.fromEntries((run.steps[0]?.columns ?? []).map((column) => [column.name, column.type]))
    return { run, rows, text, types }
  }

  describe('writing', () => {
    it('makes the table with types that fit, exactly', async () => {
      const run = await write(
        `[{i: "9007199254740993", d: "12.340", b: true, day: "2024-02-29", at: "2024-01-01T10:00:00+02:00", bytes: "hé", j: {a: [1]}, n: 1.5, s: 'a ''q'' \\ "x" 👩‍👧', e: "", none: null}]`,
        'mode: append',
        {
          columns: '{i: integer, d: "decimal(18,3)", day: date, at: datetime, bytes: binary, j: json, none: string}',
        },
      )
      expect(run.error).toBeUndefined()
      expect(
        await query(
          `SELECT CAST(i AS CHAR) i, CAST(d AS CHAR) d, b, CAST(day AS CHAR) day, CAST(at AS CHAR) at, hex(bytes) bytes, j, n, s, e, none FROM t`,
        ),
      ).toEqual([
        {
          i: '9007199254740993',
          d: '12.340',
          b: 1,
          day: '2024-02-29',
          at: '2024-01-01 08:00:00.000000',
          bytes: '68C3A9',
          j: { a: [1] },
          n: 1.5,
          s: `a 'q' \\ "x" 👩‍👧`,
          e: '',
          none: null,
        },
      ])
      const types = await query(
        `SELECT group_concat(column_type ORDER BY ordinal_position) AS types FROM information_schema.columns WHERE table_schema = 'app' AND table_name = 't'`,
      )
      expect(types).toEqual([
        {
          types:
            'bigint(20),decimal(18,3),tinyint(1),date,datetime(6),longblob,longtext,double,longtext,longtext,longtext',
        },
      ])
    })

    it('an upsert run twice changes nothing the second time', async () => {
      const yaml = `etl: 1
kind: pipeline
name: weather
connectors: {in: {type: file, access: read}, db: {type: mysql, access: write}}
source: {connector: in, files: {glob: seattle-weather.csv}}
target: {connector: db, table: weather, mode: upsert, key: [date]}
`
      const bound = { in: fileConnector(vegaData), db: connector() }
      expect(await runTask(yaml, bound)).toMatchObject({ status: 'success', item_count: 1461 })
      await client.query(
        "UPDATE weather SET wind = 0 WHERE date < '2012-01-04'; DELETE FROM weather WHERE date >= '2015-12-20'",
      )
      const second = await runTask(yaml, bound)
      expect(second.log.map((line) => line.message)).toContain(
        'Upserted 1,461 rows into weather: 12 inserted, 3 updated, 1,446 unchanged',
      )
      const third = await runTask(yaml, bound)
      expect(third).toMatchObject({ status: 'success', item_count: 0 })
      expect(flow(third)).toBe('source 1461→1461 | target 1461→1461')
    })

    it('counts a single row of an upsert as inserted, updated or unchanged', async () => {
      const rows = (v: string): string => `[{id: 1, v: ${v}}]`
      const upsert = (v: string) => write(rows(v), 'mode: upsert, key: [id]')
      expect((await upsert('a')).item_count).toBe(1)
      expect((await upsert('b')).log.at(-1)?.message).not.toContain('1 inserted')
      expect((await upsert('b')).item_count).toBe(0)
      expect(await query('SELECT * FROM t')).toEqual([{ id: 1, v: 'b' }])
    })

    it('an upsert of keys alone inserts what is missing', async () => {
      await client.query('CREATE TABLE t (a int, b int, PRIMARY KEY (a, b)); INSERT INTO t VALUES (1, 1)')
      const run = await write('[{a: 1, b: 1}, {a: 1, b: 2}]', 'mode: upsert, key: [b, a]')
      expect(run).toMatchObject({ status: 'success', item_count: 1 })
      expect(await count()).toBe(2)
    })

    it('replaces in one transaction, or leaves the table as it was', async () => {
      await client.query(
        "CREATE TABLE t (id bigint PRIMARY KEY, v text CHECK (v <> 'bad')); INSERT INTO t VALUES (7, 'old')",
      )
      const failed = await write('[{id: 1, v: a}, {id: 2, v: bad}]', 'mode: replace')
      expect(failed.error).toMatchObject({ code: 'CONSTRAINT_VIOLATED', step: 'target' })
      expect(failed.error?.message).toMatch(/^Row 2: /)
      expect(await query('SELECT * FROM t')).toEqual([{ id: 7, v: 'old' }])
      expect(await write('[{id: 7, v: a}]', 'mode: replace')).toMatchObject({ status: 'success', item_count: 1 })
      expect(await query('SELECT * FROM t')).toEqual([{ id: 7, v: 'a' }])
    })

    it('deletes what comes in by key, then inserts, in one transaction', async () => {
      await client.query(
        "CREATE TABLE t (k varchar(20), v bigint, INDEX (k)); INSERT INTO t VALUES ('a', 1), ('a', 2), ('b''\\\\', 3), ('c', 4)",
      )
      const run = await write(`[{k: a, v: 10}, {k: a, v: 11}, {k: 'b''\\', v: 12}]`, 'mode: delete_insert, key: [k]')
      expect(run.error).toBeUndefined()
      expect(run.log.map((line) => line.message)).toContain('Deleted the 3 rows of t whose keys came in, inserted 3')
      expect(await query('SELECT k, v FROM t ORDER BY v')).toEqual([
        { k: 'c', v: 4 },
        { k: 'a', v: 10 },
        { k: 'a', v: 11 },
        { k: "b'\\", v: 12 },
      ])
    })

    it('names row and column of a value that the table refuses, and cuts or rounds nothing', async () => {
      await client.query(
        'CREATE TABLE t (id smallint NULL, v varchar(3) NULL, d decimal(5,1) NULL, at datetime NULL, n bigint unsigned NULL)',
      )
      const long = await write('[{v: abc}, {v: abcd}]', 'mode: append')
      expect(long.error).toMatchObject({ code: 'VALUE_INVALID', step: 'target' })
      expect(long.error?.message).toMatch(/^Row 2: Data too long for column 'v'.* \(table t, \('abcd'\)\)$/)
      const large = await write('[{id: 1}, {id: 70000}]', 'mode: append')
      expect(large.error?.message).toMatch(/^Row 2: Out of range value for column 'id'/)
      const rounded = await write('[{d: "1.5"}, {d: "1.55"}]', 'mode: append', { columns: '{d: "decimal(9,2)"}' })
      expect(rounded.error?.message).toMatch(
        /^Row 2: the server would change the value: .*column 'd'.* \(table t, \(1\.55\)\)$/,
      )
      const cut = await write('[{at: "2024-01-01T10:00:00.5Z"}]', 'mode: append', { columns: '{at: datetime}' })
      expect(cut.error).toMatchObject({ code: 'VALUE_INVALID' })
      expect(cut.error?.message).toContain('Column `at` is datetime, which cannot hold 2024-01-01 10:00:00.5')
      const broken = await write('[{n: 1.5}]', 'mode: append')
      expect(broken.error?.message).toContain('Column `n` is bigint(20) unsigned, which cannot hold 1.5')
      expect(await count()).toBe(0)
    })

    it('names the row that meets another one, of many', async () => {
      await client.query('CREATE TABLE t (id bigint PRIMARY KEY)')
      const rows = Array.from({ length: 50 }, (_, id) => `{id: ${id === 40 ? 3 : id}}`).join(', ')
      const run = await write(`[${rows}]`, 'mode: append')
      expect(run.error).toMatchObject({ code: 'CONSTRAINT_VIOLATED' })
      expect(run.error?.message).toMatch(/^Row 41: Duplicate entry '3'/)
      expect(await count()).toBe(0)
    })

    it('leaves no table behind that a failed run has made', async () => {
      const run = await write('[{d: "9999-12-31"}, {d: "0001-01-01 (BC)"}]', 'mode: append', { columns: '{d: date}' })
      expect(run.error).toMatchObject({ code: 'VALUE_INVALID' })
      expect(await query("SHOW TABLES LIKE 't'")).toEqual([])
    })

    it('follows the schema policy', async () => {
      await client.query('CREATE TABLE t (id int NOT NULL)')
      const frozen = await write('[{id: one}]', 'mode: append, schema: {types: freeze}')
      expect(frozen.error).toMatchObject({
        code: 'SCHEMA_MISMATCH',
        message: 'Column `id` of t is int(11); the task gives VARCHAR',
      })
      expect(
        await write('[{id: one, more: 2}]', 'mode: append, schema: {types: widen, columns: evolve}'),
      ).toMatchObject({ status: 'success' })
      expect(await query('SELECT * FROM t')).toEqual([{ id: 'one', more: 2 }])
      expect(await query("SHOW COLUMNS FROM t LIKE 'id'")).toMatchObject([{ Type: 'longtext', Null: 'NO' }])
    })

    it('does not widen a column that would lose its default', async () => {
      await client.query('CREATE TABLE t (id int NOT NULL DEFAULT 5)')
      const run = await write('[{id: one}]', 'mode: append, schema: {types: widen}')
      expect(run.error).toMatchObject({ code: 'SCHEMA_MISMATCH' })
      expect(run.error?.hint).toContain('MODIFY COLUMN')
    })

    it('an upsert needs a unique index on its key', async () => {
      await client.query('CREATE TABLE t (id bigint, v varchar(100), UNIQUE (v(10)))')
      expect((await write('[{id: 1, v: a}]', 'mode: upsert, key: [id]')).error?.code).toBe('KEY_NOT_UNIQUE')
      expect((await write('[{id: 1, v: a}]', 'mode: upsert, key: [v]')).error?.code).toBe('KEY_NOT_UNIQUE')
    })

    it('an upsert never changes a row of another key that shares the value of another unique index', async () => {
      await client.query(
        "CREATE TABLE t (id bigint PRIMARY KEY, mail varchar(50) UNIQUE, v text); INSERT INTO t VALUES (1, 'a', 'old'), (2, 'b', 'old')",
      )
      const good = await write('[{id: 1, mail: a, v: new}, {id: 3, mail: c, v: new}]', 'mode: upsert, key: [id]')
      expect(good).toMatchObject({ status: 'success', item_count: 2 })
      const bad = await write('[{id: 4, mail: d, v: x}, {id: 5, mail: b, v: x}]', 'mode: upsert, key: [id]')
      expect(bad.error).toMatchObject({ code: 'CONSTRAINT_VIOLATED' })
      const clash = await write('[{id: 1, mail: b, v: x}]', 'mode: upsert, key: [id]')
      expect(clash.error?.message).toMatch(/^Row 1: Duplicate entry 'b'/)
      expect(await query('SELECT * FROM t ORDER BY id')).toEqual([
        { id: 1, mail: 'a', v: 'new' },
        { id: 2, mail: 'b', v: 'old' },
        { id: 3, mail: 'c', v: 'new' },
      ])
    })

    it('refuses to replace in a table without transactions', async () => {
      await client.query('CREATE TABLE t (id bigint) ENGINE = MyISAM')
      const run = await write('[{id: 1}]', 'mode: replace')
      expect(run.error).toMatchObject({ code: 'CONNECTOR_UNSUITABLE' })
      expect(run.error?.hint).toContain('ENGINE = InnoDB')
    })

    it('a row larger than the server takes is told by its number', async () => {
      const [[before]] = (await client.query('SELECT @@global.max_allowed_packet AS n')) as unknown as [[{ n: number }]]
      await client.query('SET GLOBAL max_allowed_packet = 1048576')
      try {
        const run = await write('[{id: 1, v: a}, {id: 2, v: b}]', 'mode: append', {
          steps: `[{derive: {v: "CASE WHEN id = 2 THEN repeat(v, 2000000) ELSE v END"}}]`,
        })
        expect(run.error).toMatchObject({ code: 'VALUE_INVALID' })
        expect(run.error?.message).toMatch(/^Row 2 has 2,000,\d+ bytes; the server takes no statement of more than/)
      } finally {
        await client.query(`SET GLOBAL max_allowed_packet = ${before.n}`)
      }
    })

    it('keeps an id of 0 and takes values of every kind in many statements', async () => {
      await client.query('CREATE TABLE t (id bigint AUTO_INCREMENT PRIMARY KEY, v text)')
      expect(await write('[{id: 0, v: a}]', 'mode: append')).toMatchObject({ status: 'success' })
      expect(await query('SELECT id FROM t')).toEqual([{ id: 0 }])
      const many = await write('[{a: 1}]', 'mode: replace', {
        steps: `[{sql: "SELECT i AS id, repeat('é''\\\\', 50) AS v FROM range(1, 30001) t(i), stream"}]`,
      })
      expect(many.error).toBeUndefined()
      expect(
        await query("SELECT count(*) AS n, count(DISTINCT id) AS d FROM t WHERE v = repeat('é''\\\\', 50)"),
      ).toEqual([{ n: 30_000, d: 30_000 }])
    })

    it('two runs that replace a table at once leave the rows of one', async () => {
      const rows = (v: string) =>
        write('[{a: 1}]', 'mode: replace', {
          steps: `[{sql: "SELECT i AS id, '${v}' AS v FROM range(5000) t(i), stream"}]`,
        })
      for (const made of [false, true]) {
        if (made) await client.query('CREATE OR REPLACE TABLE t (id bigint, v longtext)')
        const runs = await Promise.all([rows('one'), rows('other')])
        const good = runs.filter((run) => run.status === 'success')
        expect(good.length).toBeGreaterThan(0)
        for (const run of runs.filter((one) => one.status !== 'success')) expect(run.error?.retryable).toBe(true)
        expect(await query('SELECT count(*) AS n, count(DISTINCT v) AS kinds FROM t')).toEqual([{ n: 5000, kinds: 1 }])
      }
    })

    it('two upserts at once of overlapping keys add up', async () => {
      const upsert = (from: number) =>
        write('[{a: 1}]', 'mode: upsert, key: [id]', {
          steps: `[{sql: "SELECT i AS id, i * 2 AS v FROM range(${from}, ${from + 6000}) t(i), stream"}]`,
        })
      await upsert(0)
      const runs = await Promise.all([upsert(3000), upsert(6000)])
      for (const run of runs) expect(run.error?.retryable ?? true).toBe(true)
      for (const from of [3000, 6000]) expect((await upsert(from)).status).toBe('success')
      expect(await query('SELECT count(*) AS n, sum(v = id * 2) AS good FROM t')).toEqual([
        { n: 12_000, good: '12000' },
      ])
    })

    it('large values go there and come back', async () => {
      const [[before]] = (await client.query('SELECT @@global.max_allowed_packet AS n')) as unknown as [[{ n: number }]]
      await client.query('SET GLOBAL max_allowed_packet = 134217728')
      try {
        const run = await write('[{id: 1}, {id: 2}]', 'mode: append', {
          steps: `[{derive: {v: "repeat('é', 12000000 * id)", b: "encode(repeat('x', 9000000 * id))"}}]`,
        })
        expect(run.error).toBeUndefined()
        const out = temporaryFolder()
        const back = await runTask(
          `etl: 1
kind: pipeline
name: read
connectors: {db: {type: mysql, access: read}, out: {type: file, access: write}}
source: {connector: db, sql: {table: t}}
steps: [{derive: {v: length(v), b: octet_length(b)}}]
target: {connector: out, file: {path: o.jsonl}}
`,
          { db: connector(), out: fileConnector(out) },
        )
        expect(back.error).toBeUndefined()
        expect(
          readFileSync(join(out, 'o.jsonl'), 'utf8')
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line) as unknown),
        ).toEqual([
          { id: 1, v: 12_000_000, b: 9_000_000 },
          { id: 2, v: 24_000_000, b: 18_000_000 },
        ])
      } finally {
        await client.query(`SET GLOBAL max_allowed_packet = ${before.n}`)
      }
    })

    it('says goodbye to the server', async () => {
      const aborted = async (): Promise<unknown> => query("SHOW GLOBAL STATUS LIKE 'Aborted_clients'")
      const before = await aborted()
      expect((await write('[{id: 1}]', 'mode: append')).status).toBe('success')
      expect((await read('{table: t}')).rows).toEqual([{ id: 1 }])
      const open = async (): Promise<unknown> =>
        query("SELECT count(*) AS n FROM information_schema.processlist WHERE user = 'headgate'")
      await expect.poll(open).toEqual([{ n: 0 }])
      expect(await aborted()).toEqual(before)
    })

    it('a connection that is cut half way leaves the table as it was', async () => {
      await client.query("CREATE TABLE t (id bigint, v text); INSERT INTO t VALUES (7, 'old')")
      const proxy = await startCutProxy(server.port)
      try {
        proxy.cutAfter(2_000_000, Infinity, 'both')
        const run = await write('[{a: 1}]', 'mode: replace', {
          bound: connector({ port: proxy.port }),
          steps: `[{sql: "SELECT i AS id, repeat('x', 100) AS v FROM range(100000) t(i), stream"}]`,
        })
        expect(run.error).toMatchObject({ code: 'CONNECTION_FAILED', retryable: true })
        await expect.poll(() => query('SELECT * FROM t')).toEqual([{ id: 7, v: 'old' }])
      } finally {
        await proxy.stop()
      }
    })

    it('waits for a lock of another session until it is stopped, and then no longer at the server', async () => {
      await client.query("CREATE TABLE t (id bigint PRIMARY KEY, v text); INSERT INTO t VALUES (1, 'old')")
      const other = await server.connect()
      try {
        await other.query('BEGIN; UPDATE t SET v = 0 WHERE id = 1')
        const abort = new AbortController()
        const running = write('[{id: 1, v: a}]', 'mode: upsert, key: [id]', { signal: abort.signal })
        await expect
          .poll(
            () => query("SELECT count(*) AS n FROM information_schema.processlist WHERE info LIKE 'INSERT INTO%'"),
            { timeout: 60_000 },
          )
          .toEqual([{ n: 1 }])
        abort.abort()
        expect((await running).error?.code).toBe('CANCELLED')
      } finally {
        await other.query('ROLLBACK')
        await other.end()
      }
      expect(await query('SELECT v FROM t')).toEqual([{ v: 'old' }])
    })
  })

  describe('reading', () => {
    it('keeps every value exact, in types that follow from the table', async () => {
      await client.query(`CREATE TABLE t (
        big bigint, ubig bigint unsigned, tiny tinyint, utiny tinyint unsigned, small smallint, med mediumint unsigned, num decimal(38,10),
        long_num decimal(65,5), money decimal(10,2), f float, d double, yes tinyint(1), bit1 bit(1), bits bit(40), y year,
        day date, at datetime(6), z timestamp(3) NULL, dur time(6), c char(5), s text, e enum('a','b'), st set('x','y'),
        bin binary(3), bytes longblob, j json, u uuid, ip inet6, g point, none int);
        INSERT INTO t VALUES (9223372036854775807, 18446744073709551615, -128, 255, -32768, 16777215, 1234567890123456789012345678.0123456789,
        '123456789012345678901234567890.5', 1.10, 0.1234567, 0.1, 1, b'1', b'1000000000000000000000000000000000000001', 2024,
        '2024-02-29', '2024-01-01 10:00:00.123456', '2024-01-01 10:00:00.500', '23:59:59.999999', 'ab', 'two\\nlines 👩‍👧 \\0 end', 'b', 'x,y',
        x'00ff', x'00ff80', '{"a": [1, 12345678901234567890]}', '6f1f0e6a-1b1b-4c39-9c7d-0d4f5c1a2b3c', '::1', POINT(1, 2), NULL)`)
      const { run, rows, text, types } = await read('{table: t}')
      expect(run.error).toBeUndefined()
      expect(run.status).toBe('success')
      expect(types).toEqual({
        big: 'BIGINT',
        ubig: 'UBIGINT',
        tiny: 'TINYINT',
        utiny: 'UTINYINT',
        small: 'SMALLINT',
        med: 'INTEGER',
        num: 'DECIMAL(38,10)',
        long_num: 'DECIMAL(38,5)',
        money: 'DECIMAL(10,2)',
        f: 'FLOAT',
        d: 'DOUBLE',
        yes: 'BOOLEAN',
        bit1: 'BOOLEAN',
        bits: 'UBIGINT',
        y: 'SMALLINT',
        day: 'DATE',
        at: 'TIMESTAMP',
        z: 'TIMESTAMP WITH TIME ZONE',
        dur: 'TIME',
        c: 'VARCHAR',
        s: 'VARCHAR',
        e: 'VARCHAR',
        st: 'VARCHAR',
        bin: 'BLOB',
        bytes: 'BLOB',
        j: 'JSON',
        u: 'UUID',
        ip: 'VARCHAR',
        g: 'VARCHAR',
        none: 'INTEGER',
      })
      expect(text).toContain('"big":9223372036854775807')
      expect(text).toContain('"ubig":18446744073709551615')
      expect(text).toContain('"num":"1234567890123456789012345678.0123456789"')
      expect(text).toContain('"long_num":"123456789012345678901234567890.50000"')
      expect(text).toContain('12345678901234567890]')
      expect(rows[0]).toMatchObject({
        tiny: -128,
        money: 1.1,
        d: 0.1,
        yes: true,
        bit1: true,
        bits: 549755813889,
        day: '2024-02-29',
        at: '2024-01-01 10:00:00.123456',
        z: '2024-01-01 10:00:00.5+00',
        dur: '23:59:59.999999',
        c: 'ab',
        s: 'two\nlines 👩‍👧 \u0000 end',
        e: 'b',
        st: 'x,y',
        u: '6f1f0e6a-1b1b-4c39-9c7d-0d4f5c1a2b3c',
        ip: '::1',
        g: 'POINT(1 2)',
        none: null,
      })
      expect(Math.fround(Number(rows[0]?.['f']))).toBe(Math.fround(0.1234567))
    })

    it('tells what is no date', async () => {
      await client.query(`CREATE TABLE t (id int, d date, at datetime);
        INSERT INTO t VALUES (1, '0000-00-00', '2024-00-00 00:00:00'), (2, '2024-01-01', NULL)`)
      const { run, rows } = await read('{table: t}')
      expect(run.error).toBeUndefined()
      expect(run.status).toBe('completed')
      expect(rows).toEqual([
        { id: 1, d: null, at: null },
        { id: 2, d: '2024-01-01', at: null },
      ])
      const change = 'not a date, such as 0000-00-00, read as NULL'
      expect(run.steps[0]?.changes).toMatchObject([
        { column: 'd', change, count: 1, example: '0000-00-00' },
        { column: 'at', change, count: 1, example: '2024-00-00 00:00:00' },
      ])
      const warnings = run.log.filter((line) => line.level === 'warn').map((line) => line.message)
      expect(warnings).toEqual([
        `Column \`d\`, 1 value: ${change} (such as 0000-00-00)`,
        `Column \`at\`, 1 value: ${change} (such as 2024-00-00 00:00:00)`,
      ])
    })

    it('keeps empty text, NULL and empty bytes apart', async () => {
      await client.query("CREATE TABLE t (v text, b blob); INSERT INTO t VALUES ('', ''), (NULL, NULL)")
      const { rows } = await read('{table: t}')
      expect(rows).toEqual([
        { v: '', b: '\\x' },
        { v: null, b: null },
      ])
    })

    it('binds arguments, exactly, and streams many rows', async () => {
      await client.query('CREATE TABLE t AS SELECT seq AS id, CAST(seq AS CHAR) AS v FROM seq_1_to_120000')
      await client.query('INSERT INTO t VALUES (9007199254740993, 1), (9007199254740992, 1)')
      const { run, rows } = await read(
        `{query: "SELECT * FROM t WHERE (id >= :least AND v <> :not AND id <= :top) LIMIT :most"}`,
        {
          args: 'args: {least: {type: integer}, not: {type: string}, top: {type: integer}, most: {type: integer}}',
          arguments: { least: 2, not: "it's", top: 200_000, most: 100_000 },
        },
      )
      expect(run.error).toBeUndefined()
      expect(rows).toHaveLength(100_000)
      expect(flow(run)).toBe('source 100000→100000 | target 100000→100000')
    })

    it('types of expressions follow from what is bound', async () => {
      const { run, text, types } = await read(
        '{query: "SELECT :i AS i, :i + 1 AS next, :s AS s, :none AS none, :f AS f"}',
        {
          args: 'args: {i: {type: integer}, s: {type: string}, none: {type: string}, f: {type: number}}',
          arguments: { i: 9007199254740991, s: 'x', none: null, f: 1.5 },
        },
      )
      expect(run.error).toBeUndefined()
      expect(text).toContain('"i":9007199254740991,"next":9007199254740992,"s":"x","none":null,"f":1.5')
      expect(types).toMatchObject({ i: 'BIGINT', next: 'BIGINT', s: 'VARCHAR', f: 'DOUBLE' })
    })

    it.each([
      ['{query: "SELECT * FROM gone"}', 'TABLE_NOT_FOUND'],
      ['{query: "SELECT nope FROM information_schema.tables"}', 'COLUMN_NOT_FOUND'],
      ['{query: "SELECT * FORM t"}', 'SQL_INVALID'],
      ['{query: "SELECT 1 AS a, 2 AS A"}', 'COLUMN_DUPLICATE'],
      ['{query: "SELECT write_it() AS x"}', 'SQL_NOT_ALLOWED'],
      ['{query: "SELECT POINT(1, 2) AS g"}', 'QUERY_INVALID'],
      ['{query: "SELECT 1 INTO @x"}', 'SQL_NOT_ALLOWED'],
      ['{query: "CALL p()"}', 'SQL_NOT_ALLOWED'],
      ['{query: "SELECT 1; DROP TABLE t"}', 'SQL_INVALID'],
      ['{table: gone}', 'TABLE_NOT_FOUND'],
      ['{table: t, columns: [nope]}', 'COLUMN_NOT_FOUND'],
    ])('%s is %s', async (sql, code) => {
      await client.query('CREATE TABLE t (id int)')
      await client.query(
        'CREATE FUNCTION write_it() RETURNS int MODIFIES SQL DATA BEGIN INSERT INTO t VALUES (1); RETURN 1; END',
      )
      const { run } = await read(sql)
      expect([code, 'TASK_INVALID']).toContain(run.error?.code)
      expect(await count()).toBe(0)
    })

    it('stops the statement at the server when it is stopped', async () => {
      const abort = new AbortController()
      const running = read('{query: "SELECT benchmark(100000000000, md5(1)) AS endless"}', { signal: abort.signal })
      const working = async (): Promise<number> =>
        Number(
          (
            (await query(
              "SELECT count(*) AS n FROM information_schema.processlist WHERE info LIKE '%endless%' AND id <> connection_id()",
            )) as { n: number }[]
          )[0]?.n,
        )
      await expect.poll(working, { timeout: 60_000 }).toBe(1)
      abort.abort()
      const { run } = await running
      expect(run.error?.code).toBe('CANCELLED')
      await expect.poll(working, { timeout: 60_000 }).toBe(0)
    })

    it('a connection that is cut half way fails the run', async () => {
      await client.query("CREATE TABLE t AS SELECT seq AS id, repeat('x', 200) AS v FROM seq_1_to_50000")
      const proxy = await startCutProxy(server.port)
      try {
        proxy.cutAfter(2_000_000, Infinity, 'both')
        const { run } = await read('{table: t}', { bound: connector({ port: proxy.port }) })
        expect(run.error).toMatchObject({ code: 'CONNECTION_FAILED', retryable: true, step: 'source' })
      } finally {
        await proxy.stop()
      }
    })

    it.each(['id', 'amount', 'day', 'at', 'same'])('reads every row once in ranges of %s', async (column) => {
      await client.query(`CREATE TABLE t AS SELECT seq AS id, seq * 1.01 AS amount, CAST('2024-01-01' + INTERVAL seq HOUR AS DATE) AS day,
        CAST('2024-01-01' + INTERVAL seq MINUTE AS DATETIME) AS at, 5 AS same FROM seq_1_to_5000; ALTER TABLE t MODIFY amount decimal(9,2) NULL, MODIFY same int NULL; INSERT INTO t VALUES (-7, NULL, NULL, NULL, NULL)`)
      const { run, rows } = await read(`{table: t, partition: {column: ${column}, parts: 6}}`)
      expect(run.error).toBeUndefined()
      expect(new Set(rows.map((row) => row['id'])).size).toBe(5001)
      expect(rows).toHaveLength(5001)
    })

    it('reads in ranges without the right to lock tables, one after the other', async () => {
      await client.query('CREATE TABLE t AS SELECT seq AS id FROM seq_1_to_1000')
      await client.query("CREATE OR REPLACE USER reader@'%' IDENTIFIED BY 'r'; GRANT SELECT ON app.t TO reader@'%'")
      const { run, rows } = await read('{table: t, partition: {column: id, parts: 3}}', {
        bound: { ...connector({ user: 'reader' }), secrets: { password: 'r' } },
      })
      expect(run.error).toBeUndefined()
      expect(rows).toHaveLength(1000)
      expect(run.log.map((line) => line.message).join('\n')).toContain('one after the other')
    })

    it('state.cursor reads on from where the run before stopped', async () => {
      await client.query(`CREATE TABLE t (id bigint, at datetime(6));
        INSERT INTO t VALUES (1, '2024-01-01 00:00:00'), (2, '2024-01-02 00:00:00.123456')`)
      const yaml = (field: string, type: string): string => `etl: 1
kind: pipeline
name: read
connectors: {db: {type: mysql, access: read}, out: {type: file, access: write}}
state: {cursor: {field: ${field}, type: ${type}}}
source: {connector: db, sql: {table: t}}
target: {connector: out, file: {path: o.jsonl}}
`
      for (const [field, type] of [
        ['at', 'datetime'],
        ['id', 'integer'],
      ] as const) {
        const bound = { db: connector(), out: fileConnector(temporaryFolder()) }
        const first = await runTask(yaml(field, type), bound)
        expect(first).toMatchObject({ status: 'success', item_count: 2 })
        const second = await runTask(yaml(field, type), bound, { state: first.state ?? undefined })
        expect(second).toMatchObject({ status: 'success', item_count: 1 })
      }
    })
  })

  describe('statements', () => {
    const run = (sql: string, options: RunOptions & { more?: string } = {}) =>
      runTask(
        `etl: 1
kind: sql
name: work
connectors: {db: {type: mysql, access: write}}
${options.more ?? ''}
sql: {connector: db, ${sql}}
`,
        { db: connector() },
        options,
      )
    beforeEach(() => client.query('CREATE TABLE t (id bigint PRIMARY KEY, name text)'))

    it('do their work in order, bind values, and count the rows that changed', async () => {
      const done = await run(
        `statements: ["INSERT INTO t (id, name) VALUES (1, :who), (2, 'b')", "UPDATE t SET name = upper(name)", "UPDATE t SET name = name", "DELETE FROM t WHERE id = 2", "SELECT id, name, 9007199254740993 AS big FROM t"]`,
        {
          more: "args: {who: {type: string, default: \"o'a\\\\; DROP TABLE t\"}}\noutputs: {name: '${{ result.first.name }}', big: '${{ result.first.big }}', n: '${{ run.item_count }}'}",
        },
      )
      expect(done.error).toBeUndefined()
      expect(done.outputs).toEqual({ name: "O'A\\; DROP TABLE T", big: '9007199254740993', n: 5 })
    })

    it('are taken back when one fails, and say which', async () => {
      const done = await run(`statements: ["INSERT INTO t VALUES (1, 'a')", "INSERT INTO t VALUES (1, 'b')"]`)
      expect(done.error).toMatchObject({ code: 'CONSTRAINT_VIOLATED' })
      expect(done.error?.message).toContain("Statement 2 of 2 (INSERT INTO t VALUES (1, 'b'))")
      expect(await count()).toBe(0)
    })

    it('that commit by themselves stand alone in a transaction, or outside of one', async () => {
      const mixed = await run(`statements: ["INSERT INTO t VALUES (1, 'a')", "ALTER TABLE t ADD COLUMN x int"]`)
      expect(mixed.error).toMatchObject({ code: 'SQL_NOT_ALLOWED' })
      expect(mixed.error?.hint).toContain('transaction: false')
      expect(await query("SHOW COLUMNS FROM t LIKE 'x'")).toEqual([])
      expect(await count()).toBe(0)
      expect((await run('statements: ["TRUNCATE TABLE t"]')).error).toBeUndefined()
      const apart = await run(
        `transaction: false, statements: ["INSERT INTO t VALUES (1, 'a')", "ALTER TABLE t ADD COLUMN x int", "LOCK TABLES t WRITE", "UNLOCK TABLES"]`,
      )
      expect(apart.error).toBeUndefined()
    })

    it('make a table from a query, and make it anew', async () => {
      await client.query("INSERT INTO t VALUES (1, 'a'), (2, 'b'), (3, NULL)")
      const make = () => run(`create_as: made, query: "SELECT id, name FROM t WHERE id <= :top", params: {top: 2}`)
      expect((await make()).error).toBeUndefined()
      expect((await make()).item_count).toBe(2)
      expect(await query('SELECT * FROM made ORDER BY id')).toEqual([
        { id: 1, name: 'a' },
        { id: 2, name: 'b' },
      ])
      const failed = await run(`create_as: t, query: "SELECT nowhere FROM t"`)
      expect(failed.error?.code).toBe('COLUMN_NOT_FOUND')
      expect(await count()).toBe(3)
    })

    it('are one each, and read no file of this machine', async () => {
      for (const statement of ['SELECT 1; DROP TABLE t', "LOAD DATA LOCAL INFILE '/etc/passwd' INTO TABLE t"]) {
        const done = await run(`transaction: false, statements: ["${statement}"]`)
        expect([statement, done.status]).toEqual([statement, 'failed'])
      }
      expect(await count()).toBe(0)
    })

    it('are stopped at the server', async () => {
      const abort = new AbortController()
      const running = run('statements: ["SELECT benchmark(100000000000, md5(2)) AS forever"]', { signal: abort.signal })
      const working = async (): Promise<unknown> =>
        query(
          "SELECT count(*) AS n FROM information_schema.processlist WHERE info LIKE '%forever%' AND id <> connection_id()",
        )
      await expect.poll(working, { timeout: 60_000 }).toEqual([{ n: 1 }])
      abort.abort()
      expect((await running).error?.code).toBe('CANCELLED')
      await expect.poll(working, { timeout: 60_000 }).toEqual([{ n: 0 }])
    })
  })

  it('fails a run with words of its own for a wrong password', async () => {
    const { run } = await read('{query: "SELECT 1 AS x"}', { bound: connector({}, 'wrong') })
    expect(run.error).toMatchObject({ code: 'AUTHENTICATION_FAILED', step: 'source', retryable: false })
    expect(JSON.stringify(run)).not.toContain(server.password)
  })
})
