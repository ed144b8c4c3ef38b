import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { BoundConnector } from '../../../src/contract/executor-protocol.ts'
import { runCall } from '../../../src/executor/engine/calls.ts'
import { postgresPrograms, startPostgres, type PostgresServer } from '../../support/postgres.ts'
import {
  fileConnector,
  flow,
  runTask,
  sqliteConnector,
  temporaryFolder,
  vegaData,
  type RunOptions,
} from './run-task.ts'

describe.skipIf(postgresPrograms === null)('PostgreSQL', () => {
  let server: PostgresServer
  let client: pg.Client

  beforeAll(async () => {
    server = await startPostgres()
    client = new pg.Client({
      host: server.host,
      port: server.port,
      user: server.user,
      password: server.password,
      database: server.database,
    })
    await client.connect()
  })
  afterAll(async () => {
    await client?.end()
    server?.stop()
  })
  beforeEach(async () => {
    await client.query('DROP SCHEMA IF EXISTS app CASCADE; CREATE SCHEMA app')
  })

  function connector(more: Record<string, unknown> = {}, password = server.password): BoundConnector {
    const { host, port, database, user } = server
    return {
      id: 9,
      name: 'dw',
      type: 'postgres',
      config: { host, port, database, user, schema: 'app', ...more },
      secrets: { password },
    }
  }
  const query = async (sql: string): Promise<unknown[]> => (await client.query<Record<string, unknown>>(sql)).rows

  function write(rows: string, target: string, steps = '[]', columns = '') {
    return runTask(
      `etl: 1
kind: pipeline
name: write
connectors: {db: {type: postgres, access: write}}
source: {inline: {rows: ${rows}${columns === '' ? '' : `, columns: ${columns}`}}}
steps: ${steps}
target: {connector: db, table: t, ${target}}
`,
      { db: connector() },
    )
  }

  async function read(sql: string, options: RunOptions & { args?: string; bound?: BoundConnector } = {}) {
    const out = temporaryFolder()
    const run = await runTask(
      `etl: 1
kind: pipeline
name: read
connectors: {db: {type: postgres, access: read}, out: {type: file, access: write}}
${options.args ?? ''}
source: {connector: db, sql: ${sql}}
target: {connector: out, file: {path: o.jsonl}}
`,
      { db: options.bound ?? connector(), out: fileConnector(out) },
      options,
    )
    const text = run.status === 'failed' ? '' : readFileSync(join(out, 'o.jsonl'), 'utf8')
    return {
      run,
      rows: text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Record<string, unknown>),
      text,
    }
  }

  describe('writing', () => {
    it('makes the table with types that fit, exactly', async () => {
      const run = await write(
        `[{i: "9007199254740993", d: "12.340", b: true, day: "2024-02-29", at: "2024-01-01T10:00:00+02:00", bytes: "hé", j: {a: [1]}, n: 1.5, s: 'a "quoted", line', e: "", none: null}]`,
        'mode: append',
        '[]',
        '{i: integer, d: "decimal(18,3)", day: date, at: datetime, bytes: binary, j: json, none: string}',
      )
      expect(run.error).toBeUndefined()
      expect(
        await query(
          `SELECT i::text, d::text, b, day::text, at::text, encode(bytes, 'hex') AS bytes, j, n, s, e, none FROM app.t`,
        ),
      ).toEqual([
        {
          i: '9007199254740993',
          d: '12.340',
          b: true,
          day: '2024-02-29',
          at: '2024-01-01 08:00:00',
          bytes: '68c3a9',
          j: { a: [1] },
          n: 1.5,
          s: 'a "quoted", line',
          e: '',
          none: null,
        },
      ])
      const types = await query(
        `SELECT string_agg(format_type(atttypid, atttypmod), ', ' ORDER BY attnum) AS types FROM pg_attribute WHERE attrelid = 'app.t'::regclass AND attnum > 0`,
      )
      expect(types).toEqual([
        {
          types:
            'bigint, numeric(18,3), boolean, date, timestamp without time zone, bytea, jsonb, double precision, text, text, text',
        },
      ])
    })

    it('an upsert run twice changes nothing the second time', async () => {
      const yaml = `etl: 1
kind: pipeline
name: weather
connectors: {in: {type: file, access: read}, db: {type: postgres, access: write}}
source: {connector: in, files: {glob: seattle-weather.csv}}
target: {connector: db, table: weather, mode: upsert, key: [date]}
`
      const bound = { in: fileConnector(vegaData), db: connector() }
      expect(await runTask(yaml, bound)).toMatchObject({ status: 'success', item_count: 1461 })
      await client.query(
        "UPDATE app.weather SET wind = 0 WHERE date < '2012-01-04'; DELETE FROM app.weather WHERE date >= '2015-12-20'",
      )
      const second = await runTask(yaml, bound)
      expect(second.log.map((line) => line.message)).toContain(
        'Upserted 1,461 rows into weather: 12 inserted, 3 updated, 1,446 unchanged',
      )
      const third = await runTask(yaml, bound)
      expect(third).toMatchObject({ status: 'success', item_count: 0 })
      expect(flow(third)).toBe('source 1461→1461 | target 1461→1461')
    })

    it('replaces in one transaction, or leaves the table as it was', async () => {
      await client.query(
        "CREATE TABLE app.t (id int PRIMARY KEY, v text CHECK (v <> 'bad')); INSERT INTO app.t VALUES (7, 'old')",
      )
      const failed = await write('[{id: 1, v: a}, {id: 2, v: bad}]', 'mode: replace, schema: {types: widen}')
      expect(failed.error).toMatchObject({ code: 'CONSTRAINT_VIOLATED', step: 'target' })
      expect(await query('SELECT * FROM app.t')).toEqual([{ id: 7, v: 'old' }])
      const run = await write('[{id: 1, v: a}]', 'mode: replace')
      expect(run).toMatchObject({ status: 'success', item_count: 1 })
      expect(await query('SELECT * FROM app.t')).toEqual([{ id: 1, v: 'a' }])
    })

    it('takes columns that are named as functions of SQL are', async () => {
      const special =
        `user current_user session_user current_role current_schema current_catalog current_date current_time
        current_timestamp localtime localtimestamp duckdb main a'b`.split(/\s+/)
      const row = (value: string | null) => Object.fromEntries(special.map((column) => [column, value]))
      const rows = [row(''), row(null), row('NULL'), row('a "b"\n')]
      const run = await write(JSON.stringify(rows), 'mode: append', '[{filter: "true"}]')
      expect(run).toMatchObject({ status: 'success', item_count: 4 })
      expect(await query('SELECT * FROM app.t')).toEqual(rows)
    })

    it('names row and column of a value that the table refuses', async () => {
      await client.query('CREATE TABLE app.t (id smallint)')
      const run = await write('[{id: 1}, {id: 70000}]', 'mode: append')
      expect(run.error).toMatchObject({ code: 'VALUE_INVALID', step: 'target' })
      expect(run.error?.message).toMatch(/^Row 2, column `id`: value "70000" is out of range for type smallint/)
    })

    it('upserts into a table of partitions, and says what was new', async () => {
      await query(`CREATE TABLE app.t (k integer PRIMARY KEY, n integer) PARTITION BY RANGE (k);
        CREATE TABLE app.t1 PARTITION OF app.t FOR VALUES FROM (0) TO (10); INSERT INTO app.t VALUES (1, 1)`)
      const run = await write('[{k: 1, n: 2}, {k: 2, n: 2}]', 'mode: upsert, key: [k]')
      expect(run.error).toBeUndefined()
      expect(run.log.map(({ message }) => message)).toContainEqual(expect.stringMatching(/1 inserted, 1 updated/i))
      expect(await query('SELECT * FROM app.t ORDER BY k')).toEqual([
        { k: 1, n: 2 },
        { k: 2, n: 2 },
      ])
    })

    it.each([
      ['numeric(10,2)', '1.239::DECIMAL(10,3)', '1.230::DECIMAL(10,3)', '1.23'],
      ['numeric(10,2)', '2.345::DOUBLE', '2.34::DOUBLE', '2.34'],
      ['timestamp(0)', `TIMESTAMP '2024-01-01 00:00:00.9'`, `TIMESTAMP '2024-01-01 00:00:00'`, '2024-01-01 00:00:00'],
      ['timestamptz(1)', `TIMESTAMPTZ '2024-01-01 00:00:00.12+00'`, `TIMESTAMPTZ 'infinity'`, 'infinity'],
      ['time(0)', `TIME '00:00:00.1'`, `TIME '00:00:01'`, '00:00:01'],
      [
        'timestamp',
        `'2024-01-01 00:00:00.123456789'::TIMESTAMP_NS`,
        `'2024-01-01 00:00:00.123456'::TIMESTAMP_NS`,
        '2024-01-01 00:00:00.123456',
      ],
      ['double precision', '9007199254740993', '9007199254740992', '9.007199254740992e+15'],
    ])('a column %s refuses what PostgreSQL would round: %s', async (type, refused, taken, stored) => {
      await query(`CREATE TABLE app.t (a ${type})`)
      const append = (value: string) => write('[{x: 1}]', 'mode: append', `[{sql: "SELECT ${value} AS a FROM stream"}]`)
      const run = await append(refused)
      expect(run.error).toMatchObject({ code: 'VALUE_INVALID', step: 'target' })
      expect(run.error?.message).toMatch(/^Column `a` is .*, which cannot hold /)
      expect((await append(taken)).error).toBeUndefined()
      expect(await query('SELECT a::text FROM app.t WHERE a IS NOT NULL')).toEqual([{ a: stored }])
    })

    it('follows the schema policy', async () => {
      await client.query('CREATE TABLE app.t (id int)')
      const frozen = await write('[{id: one}]', 'mode: append, schema: {types: freeze}')
      expect(frozen.error).toMatchObject({
        code: 'SCHEMA_MISMATCH',
        message: 'Column `id` of t is integer; the task gives VARCHAR',
      })
      expect(
        await write('[{id: one, more: 2}]', 'mode: append, schema: {types: widen, columns: evolve}'),
      ).toMatchObject({ status: 'success' })
      expect(await query('SELECT * FROM app.t')).toEqual([{ id: 'one', more: '2' }])
    })

    it('an upsert needs a unique index', async () => {
      await client.query('CREATE TABLE app.t (id bigint, v text)')
      const run = await write('[{id: 1, v: a}]', 'mode: upsert, key: [id]')
      expect(run.error).toMatchObject({ code: 'KEY_NOT_UNIQUE' })
    })
  })

  describe('reading', () => {
    it('keeps every value exact', async () => {
      await client.query(`CREATE TABLE app.t AS SELECT 9223372036854775807::bigint AS big, 12345678901234567890.123456789::numeric AS num,
        1.10::numeric(10,2) AS money, 0.1::float8 AS f, true AS b, DATE '2024-02-29' AS day, TIMESTAMP '2024-01-01 10:00:00.123456' AS at,
        TIMESTAMPTZ '2024-01-01 10:00:00+02' AS z, '\\x00ff'::bytea AS bytes, '{"a": [1]}'::jsonb AS j, ARRAY[1,2] AS list,
        E'two\\nlines, "quoted" \\\\N'::text AS s, '\\N'::text AS mark, ''::text AS empty, NULL::text AS none`)
      const { run, rows, text } = await read('{table: t}')
      expect(run.error).toBeUndefined()
      expect(text).toContain('"big":9223372036854775807')
      expect(text).toContain('"num":"12345678901234567890.123456789"')
      expect(rows[0]).toMatchObject({
        money: 1.1,
        f: 0.1,
        b: true,
        day: '2024-02-29',
        at: '2024-01-01 10:00:00.123456',
        z: '2024-01-01 08:00:00+00',
        j: { a: [1] },
        list: '{1,2}',
        s: 'two\nlines, "quoted" \\N',
        mark: '\\N',
        empty: '',
        none: null,
      })
      expect(run.steps[0]?.columns.find((column) => column.name === 'money')?.type).toBe('DECIMAL(10,2)')
    })

    it('loses no row of a single column that holds empty texts', async () => {
      await client.query("CREATE TABLE app.t AS SELECT * FROM (VALUES ('a'), (''), (NULL), ('')) AS t(v)")
      const { run, rows } = await read('{table: t}')
      expect(run.error).toBeUndefined()
      expect(rows).toEqual([{ v: 'a' }, { v: '' }, { v: null }, { v: '' }])
    })

    it('binds arguments, and reads in batches', async () => {
      await client.query('CREATE TABLE app.t AS SELECT i AS id, i::text AS v FROM generate_series(1, 12000) i')
      const { run, rows } = await read(
        '{query: "SELECT * FROM t WHERE id >= :least AND v <> :not AND id = ANY(:ids) OR id > :top"}',
        {
          args: 'args: {least: {type: integer}, not: {type: string}, ids: {type: list, items: integer}, top: {type: integer}}',
          arguments: { least: 2, not: "it's", ids: [1, 2, 3], top: 3 },
        },
      )
      expect(run.error).toBeUndefined()
      expect(rows).toHaveLength(11999)
    })

    it.each([
      ['{query: "SELECT * FROM gone"}', 'TABLE_NOT_FOUND'],
      ['{query: "SELECT nope FROM pg_class"}', 'COLUMN_NOT_FOUND'],
      ['{query: "SELECT * FORM pg_class"}', 'SQL_INVALID'],
      ['{query: "SELECT 1/0 AS x"}', 'VALUE_INVALID'],
      ['{query: "SELECT nextval(\'app.seq\')"}', 'SQL_NOT_ALLOWED'],
      ['{query: "SELECT 1) TO STDOUT; DROP SCHEMA app CASCADE; SELECT (1"}', 'SQL_INVALID'],
    ])('%s is %s', async (sql, code) => {
      await client.query('CREATE SEQUENCE app.seq')
      const { run } = await read(sql)
      expect([code, 'TASK_INVALID']).toContain(run.error?.code)
      expect(await query("SELECT count(*)::int AS n FROM pg_namespace WHERE nspname = 'app'")).toEqual([{ n: 1 }])
    })

    it('cancels the statement at the server when it is stopped', async () => {
      const abort = new AbortController()
      const running = read('{query: "SELECT pg_sleep(60) AS s"}', { signal: abort.signal })
      const asleep = async (): Promise<number> =>
        Number(
          (
            await client.query<{ n: string }>(
              "SELECT count(*) AS n FROM pg_stat_activity WHERE query LIKE '%pg_sleep(60)%' AND state = 'active' AND pid <> pg_backend_pid()",
            )
          ).rows[0]?.n,
        )
      await expect.poll(asleep, { timeout: 60_000 }).toBe(1)
      abort.abort()
      const { run } = await running
      expect(run.error?.code).toBe('CANCELLED')
      await expect.poll(asleep, { timeout: 60_000 }).toBe(0)
    })

    it('goes to SQLite and back with equal rows', async () => {
      await client.query(
        'CREATE TABLE app.t AS SELECT i AS id, (i * 1.01)::numeric(12,2) AS amount, now()::date + i AS day FROM generate_series(1, 3000) i',
      )
      const path = join(temporaryFolder(), 'x.db')
      const copy = (from: string, to: string, table: string, into: string): string => `etl: 1
kind: pipeline
name: copy
connectors: {from: {type: ${from}, access: read}, to: {type: ${to}, access: write}}
source: {connector: from, sql: {table: ${table}}}
target: {connector: to, table: ${into}, mode: replace}
`
      const out = await runTask(copy('postgres', 'sqlite', 't', 't'), { from: connector(), to: sqliteConnector(path) })
      expect(out).toMatchObject({ status: 'success', item_count: 3000 })
      const back = await runTask(copy('sqlite', 'postgres', 't', 'back'), {
        from: sqliteConnector(path),
        to: connector(),
      })
      expect(back).toMatchObject({ status: 'success', item_count: 3000 })
      expect(
        await query('SELECT count(*)::int AS n FROM (SELECT * FROM app.t EXCEPT SELECT * FROM app.back) d'),
      ).toEqual([{ n: 0 }])
    })
  })

  describe('a test of the connector', () => {
    async function test(bound: BoundConnector) {
      const tempDir = mkdtempSync(join(tmpdir(), 'headgate-call-'))
      try {
        const result = await runCall(
          { kind: 'test', connector: bound },
          { signal: new AbortController().signal, tempDir },
        )
        if (result.kind !== 'test') throw new Error('another kind of answer')
        return result.value
      } finally {
        rmSync(tempDir, { recursive: true, force: true })
      }
    }

    it('passes stage by stage', async () => {
      const result = await test(connector())
      expect(result.ok).toBe(true)
      expect(result.checks.map((check) => check.name)).toEqual([
        'resolve',
        'connect',
        'authenticate',
        'read_probe',
        'write_probe',
      ])
    })

    it.each([
      ['authenticate', {}, 'wrong', 'Enter the password again', /^28P01$/],
      ['resolve', { host: 'no-such-host.invalid' }, undefined, 'Check `host`', /^(ENOTFOUND|EAI_AGAIN)$/],
      ['connect', { port: 1 }, undefined, 'Check host and port', /^ECONNREFUSED$/],
      ['tls', { ssl: 'require' }, undefined, 'Set TLS to `disable`', /^none$/],
      ['authenticate', { database: 'gone' }, undefined, 'Check `database`', /^3D000$/],
      ['read_probe', { schema: 'gone' }, undefined, 'Check `schema`', /^TABLE_NOT_FOUND$/],
    ])('stops at %s with %o', async (stage, more, password, remedy, code) => {
      const result = await test(connector(more, password ?? server.password))
      expect(result.ok).toBe(false)
      const failed = result.checks.at(-1)
      expect(failed).toMatchObject({ name: stage, ok: false })
      expect(failed?.message).toContain(remedy)
      expect(failed?.error?.message).toBeTruthy()
      expect(failed?.error?.code ?? 'none').toMatch(code)
      expect(JSON.stringify(result)).not.toContain(server.password)
    })

    it('fails a run with the same words', async () => {
      const { run } = await read('{table: t}', { bound: connector({}, 'wrong') })
      expect(run.error).toMatchObject({ code: 'AUTHENTICATION_FAILED', step: 'source', retryable: false })
    })
  })

  it('lists and describes tables and views', async () => {
    await client.query(`CREATE TABLE app.orders (id bigint PRIMARY KEY, amount numeric(10,2) NOT NULL DEFAULT 0, note text);
      CREATE INDEX by_note ON app.orders (lower(note)); INSERT INTO app.orders SELECT i, i, 'n' || i FROM generate_series(1, 30) i;
      CREATE VIEW app.late AS SELECT * FROM app.orders; ANALYZE app.orders`)
    const io = { signal: new AbortController().signal, tempDir: temporaryFolder() }
    const list = await runCall({ kind: 'list_resources', connector: connector(), q: null }, io)
    expect(list).toMatchObject({
      kind: 'list_resources',
      value: {
        truncated: false,
        resources: [
          { name: 'late', kind: 'view' },
          { name: 'orders', kind: 'table', row_estimate: 30 },
        ],
      },
    })
    const detail = await runCall({ kind: 'get_resource', connector: connector(), name: 'orders' }, io)
    expect(detail.value).toMatchObject({
      columns: [
        { name: 'id', type: 'bigint', nullable: false, primary_key: true },
        { name: 'amount', type: 'numeric(10,2)', nullable: false, default: '0' },
        { name: 'note', type: 'text', nullable: true },
      ],
      indexes: [
        { name: 'by_note', columns: ['lower(note)'], unique: false },
        { name: 'orders_pkey', columns: ['id'], unique: true },
      ],
      sample: { rows: expect.arrayContaining([[1, '1.00', 'n1']]) as unknown },
    })
    await expect(runCall({ kind: 'get_resource', connector: connector(), name: 'gone' }, io)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })
})
