// Queries of PostgreSQL through server, executor and worker, with psql's own driver watching from the side.
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { forkNode } from '../../../src/process/child.ts'
import { entryOf } from '../../support/entries.ts'
import { postgresPrograms } from '../../support/postgres.ts'
import { spawnServer } from '../../support/server-process.ts'
import { cookieOf } from '../../support/sign-in.ts'
import { usePostgres } from '../engine/postgres-fixture.ts'
import { childrenOf } from '../../support/processes.ts'
import { markMistake, startResultWorld, type ResultWorld } from './result-world.ts'

/** A row a millisecond, without an end. */
const endless = 'SELECT generate_series(1, 100000000) AS n, pg_sleep(0.001)'
const SOON = { timeout: 1_000, interval: 20 }

describe.skipIf(!postgresPrograms)('PostgreSQL', () => {
  const database = usePostgres()
  let world: ResultWorld
  let id: number
  beforeAll(async () => {
    world = await startResultWorld()
    const { type, config, secrets } = database.connector()
    id = await world.connect({ type, config, secrets })
  })
  afterAll(() => world?.close())

  /** Sessions of Headgate at the database. */
  const sessions = () =>
    database.query("SELECT pid, state, query FROM pg_stat_activity WHERE application_name = 'headgate'")
  afterEach(async () => {
    await world.cancelAll()
    await expect.poll(sessions).toEqual([])
  })

  test('every value arrives in the one exact form of its type', async () => {
    const { rows, fields, statement, nextCursor } = await world.run(
      id,
      `SELECT 9223372036854775807::bigint AS big, 12::int AS small, 1.10::numeric AS money, 'NaN'::numeric AS nan_number,
        'NaN'::float8 AS nan, '-0'::float8 AS minus_zero, 0.1::real AS single, 1e308::float8 AS huge, true AS yes,
        '2024-02-29 12:34:56.123456'::timestamp AS at, '2024-02-29 12:34:56.123456+02'::timestamptz AS zoned,
        '0044-03-15 BC'::date AS ides, 'infinity'::timestamptz AS never, '23:59:59.999999'::time AS late,
        '\\x00ff'::bytea AS bytes, '{"a": 1.10}'::json AS doc, NULL AS nothing, ''::text AS empty,
        ARRAY[1,2] AS list, '1 day'::interval AS span, :name::text AS bound`,
      { parameters: { name: "o'clock" } },
    )
    const found = Object.fromEntries(fields.map(({ name, type }, at) => [name, [type, rows[0]?.[at]]]))
    expect(found).toEqual({
      big: ['bigint', '9223372036854775807'],
      small: ['integer', 12],
      money: ['decimal', '1.10'],
      nan_number: ['decimal', 'NaN'],
      nan: ['double', 'NaN'],
      minus_zero: ['double', '-0'],
      single: ['double', 0.1],
      huge: ['double', 1e308],
      yes: ['boolean', true],
      at: ['datetime', '2024-02-29T12:34:56.123456'],
      zoned: ['datetime_tz', '2024-02-29T10:34:56.123456Z'],
      ides: ['date', '0044-03-15 BC'],
      never: ['datetime_tz', 'infinity'],
      late: ['time', '23:59:59.999999'],
      bytes: ['bytes', 'AP8='],
      doc: ['json', '{"a": 1.10}'],
      nothing: ['text', null],
      empty: ['text', ''],
      list: ['text', '{1,2}'],
      span: ['text', '1 day'],
      bound: ['text', "o'clock"],
    })
    expect(statement).toContain('$1::text')
    expect(nextCursor).toBeNull()
  })

  test('every row of a large result arrives once and in order, by pages and by exports', async () => {
    await database.query(
      `CREATE TABLE many AS SELECT n, md5(n::text) AS hash, n * 1.01::numeric AS amount, CASE WHEN n % 7 = 0 THEN NULL ELSE repeat('x', n % 50) END AS note
       FROM generate_series(1, 250000) n`,
    )
    const [{ sum }] = (await database.query(
      `SELECT md5(string_agg(n || '|' || hash || '|' || amount || '|' || coalesce(note, '~'), E'\\n' ORDER BY n)) AS sum FROM many`,
    )) as [{ sum: string }]
    const query = 'SELECT * FROM many ORDER BY n'
    const pages = createHash('md5')
    let rows = 0
    const lineOf = (row: unknown[]) =>
      `${rows++ === 0 ? '' : '\n'}${(row as (string | number | null)[]).map((value) => value ?? '~').join('|')}`
    const { query_id } = await world.all(id, query, (page) => {
      expect(page.offset).toBe(rows)
      for (const row of page.rows) pages.update(lineOf(row))
    })
    expect([rows, pages.digest('hex')]).toEqual([250_000, sum])

    const ndjson = await world.exported(id, query_id, { format: 'ndjson' })
    expect(ndjson.headers.get('content-type')).toBe('application/x-ndjson')
    rows = 0
    const exported = createHash('md5')
    for (const line of (await ndjson.text()).trimEnd().split('\n')) {
      const { n, hash, amount, note } = JSON.parse(line) as Record<string, unknown>
      exported.update(lineOf([n, hash, amount, note]))
    }
    expect([rows, exported.digest('hex')]).toEqual([250_000, sum])

    const csv = await (await world.exported(id, query_id, { format: 'csv', delimiter: ';' })).text()
    await database.query('CREATE TABLE back (n int, hash text, amount numeric, note text)')
    const [header, ...lines] = csv.trimEnd().split('\r\n')
    expect(header).toBe('n;hash;amount;note')
    expect(lines).toHaveLength(250_000)
    expect(lines.slice(0, 3)).toEqual([
      '1;c4ca4238a0b923820dcc509a6f75849b;1.01;x',
      '2;c81e728d9d4c2f636f067f89cc14862c;2.02;xx',
      '3;eccbc87e4b5ce2fe28308fd9f2a7baf3;3.03;xxx',
    ])
    expect(lines[6]).toBe('7;8f14e45fceea167a5a36dedd4bea2543;7.07;')
    expect(lines[49]).toBe('50;c0c7c76d30bd3dcaefc96f40275bdc0a;50.50;""')
    await expect.poll(sessions, SOON).toEqual([])
  })

  test('row one million is reached, and one can go back from there', async () => {
    const { query_id, complete } = await world.run(id, 'SELECT n, md5(n::text) FROM generate_series(0, 1999999) n', {
      page_size: 100,
    })
    expect(complete).toBe(false)
    for (const row of [1_000_000, 0, 999_750, 123_456, 64]) {
      const found: unknown[] = []
      // A page has fewer rows where no more of them have come yet.
      while (found.length < 500) {
        const { offset, rows } = await world.at(id, query_id, row + found.length, 500 - found.length)
        expect([offset, rows.length > 0]).toEqual([row + found.length, true])
        found.push(...rows.map(([n]) => n))
      }
      expect(found).toEqual(Array.from({ length: 500 }, (_, at) => row + at))
    }
    const end = () => world.at(id, query_id, 1_999_990)
    expect((await end()).rows).toHaveLength(10)
    // That no more rows come is told after the last of them.
    await expect.poll(end, SOON).toMatchObject({ row_count: 2_000_000, complete: true, nextCursor: null, first_row: 0 })
    expect((await world.at(id, query_id, 7, 1)).rows).toEqual([[7, expect.any(String)]])
    expect(await sessions()).toEqual([])
  })

  test('values that are too long for a page are shortened and listed there, and are read in full one by one', async () => {
    const query = `SELECT n, repeat('ö"' || n, 1700000) AS long, decode(repeat('00ff', 300000), 'hex') AS bytes, repeat('x', 1000) AS short FROM generate_series(0, 4) n`
    const { query_id } = await world.run(id, query, { page_size: 1 })
    for (let row = 0; row < 5; row++) {
      const { rows, cut } = await world.at(id, query_id, row, 1)
      expect(cut).toEqual([
        { row, field: 1, length: 5_100_000 },
        { row, field: 2, length: 800_000 },
      ])
      const whole = `ö"${row}`.repeat(1_700_000)
      expect(whole.startsWith(String(rows[0]?.[1]))).toBe(true)
      expect(String(rows[0]?.[1]).length).toBeLessThan(300_000)
      expect(rows[0]?.[3]).toBe('x'.repeat(1000))
      expect((await world.cell(id, query_id, row, 1)) === whole).toBe(true)
      expect((await world.cell(id, query_id, row, 2)) === Buffer.alloc(600_000, '00ff', 'hex').toString('base64')).toBe(
        true,
      )
      expect(await world.cell(id, query_id, row, 0)).toBe(row)
    }
  })

  test('a mistake is told at its place, behind values and characters of any length', async () => {
    const values = { some_long_name: 1, b: 'x' }
    const queries = [
      "SELECT :some_long_name, '😀 :b', :b,\n  ▮missing FROM generate_series(1, 3) n",
      'SELECT :some_long_name + :some_long_name FORM ▮people WHERE :b = 1',
      "SELECT 1\n\n  + ▮'x' :: int",
      'SELECT (1▮',
    ]
    for (const query of queries) expect(await markMistake(world, id, query, values)).toBe(query)
  })

  test('a cancelled query is gone from the server within a second', async () => {
    const { query_id } = await world.run(id, endless, { page_size: 1 })
    expect(await sessions()).toHaveLength(1)
    await world.cancel(id, query_id)
    await expect.poll(sessions, SOON).toEqual([])
  })

  test('when a worker is killed in the middle, its query says so and is gone from the server', async () => {
    const { query_id, nextCursor } = await world.run(id, endless, { page_size: 1 })
    for (const pid of childrenOf(world.executor().pid!)) process.kill(pid, 'SIGKILL')
    const page = () =>
      world.editor.get(`/api/connectors/${id}/query/${query_id}`, { query: { cursor: nextCursor!, page_size: 500 } })
    const later = { timeout: 10_000, interval: 20 }
    await expect
      .poll(page, later)
      .toMatchObject({ status: 502, body: { error: 'CONNECTOR_ERROR', code: 'call_worker_ended' } })
    await expect.poll(sessions, SOON).toEqual([])
    await expect.poll(async () => (await world.run(id, 'SELECT 1')).rows, later).toEqual([[1]])
  })

  test('a query ends at the server when its client leaves before the first page', async () => {
    const leaving = new AbortController()
    const asked = fetch(new URL(`/api/connectors/${id}/query`, world.server.url), {
      method: 'POST',
      headers: { ...world.editor.headers, 'content-type': 'application/json' },
      body: JSON.stringify({ definition: { mode: 'raw', rawQuery: 'SELECT pg_sleep(100)' } }),
      signal: leaving.signal,
    }).catch(() => undefined)
    await expect.poll(sessions).toHaveLength(1)
    leaving.abort()
    await asked
    await expect.poll(sessions, SOON).toEqual([])
  })

  test('an export ends at the server when its client leaves', async () => {
    const { query_id } = await world.run(id, 'SELECT 1 AS n UNION ALL SELECT generate_series(1, 100000000)', {
      page_size: 1,
    })
    const response = await world.exported(id, query_id, { format: 'ndjson' })
    await response.body?.getReader().read()
    expect(await sessions()).toHaveLength(2)
    await response.body?.cancel().catch(() => undefined)
    await world.cancel(id, query_id)
    await expect.poll(sessions, SOON).toEqual([])
  })

  test('a credential that is revoked ends its queries', async () => {
    const leaving = world.server.as('editor')
    await world.run(id, endless, { page_size: 1, client: leaving })
    expect(await sessions()).toHaveLength(1)
    const me = (await leaving.get('/api/auth/me')).body as { user: { id: number } }
    const keys = (await world.client.get(`/api/api-keys?user_id=${me.user.id}`)).body as { result: { id: number }[] }
    await world.client.delete(`/api/api-keys/${keys.result[0]!.id}`)
    await expect.poll(sessions, SOON).toEqual([])
  })

  test('a system that gives no row in time is a timeout, and ends', async () => {
    const answer = await world.ask(id, 'SELECT pg_sleep(100)', { timeout_s: 1 })
    expect(answer).toMatchObject({ status: 504, body: { error: 'TIMEOUT' } })
    await expect.poll(sessions, SOON).toEqual([])
  })

  test('whoever reads for longer than a system may be silent gets every row', { timeout: 60_000 }, async () => {
    // The server's own clock is set to eight seconds, which no batch takes but all of them do.
    const slow = 'SELECT i, pg_sleep(0.0008) FROM generate_series(1, 14000) i'
    const began = Date.now()
    const page = await world.run(id, slow, { timeout_s: 3, page_size: 1000 })
    let { rows, nextCursor } = page
    let count = rows.length
    while (nextCursor !== null) {
      ;({ rows, nextCursor } = await world.next(id, page.query_id, nextCursor, 1000))
      count += rows.length
    }
    expect(count).toBe(14_000)
    expect(Date.now() - began).toBeGreaterThan(8_000)
    await expect.poll(sessions, SOON).toEqual([])
  })

  test('an executor that is killed leaves no session, and says to run it again', async () => {
    const { query_id, nextCursor } = await world.run(id, endless, { page_size: 1 })
    expect(await sessions()).toHaveLength(1)
    world.executor().kill('SIGKILL')
    await expect.poll(sessions, { timeout: 5_000, interval: 20 }).toEqual([])
    world.server.services.executors.ended('real')
    // Rows that were delivered are gone with the rest.
    const gone = await world.editor.get(`/api/connectors/${id}/query/${query_id}`, { query: { cursor: nextCursor! } })
    expect(gone).toMatchObject({ status: 409, body: { error: 'CONFLICT', code: 'query_executor_gone' } })
    world.startExecutor()
    await expect.poll(() => world.online(), { interval: 10 }).toBe('online')
  })

  test('a server that is killed leaves no session', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'headgate-results-'))
    const account = { username: 'ada', password: 'correct horse battery staple' }
    const server = spawnServer(dataDir, {
      args: ['--port', '0', '--no-executor'],
      env: {
        SVC_EXECUTOR_KEY: 'key-of-this-test',
        SVC_ADMIN_USERNAME: account.username,
        SVC_ADMIN_PASSWORD: account.password,
      },
    })
    const { url } = await server.ready
    const executor = forkNode(entryOf('executor'), {
      name: 'executor',
      args: ['--url', url, '--name', 'alone', '--slots', '1', '--grace', '1'],
      env: { SVC_EXECUTOR_KEY: 'key-of-this-test' },
      output: 'ignore',
    })
    try {
      const nobody = await server.client({ origin: url })
      const cookie = cookieOf(await nobody.post('/api/auth/login', account))
      const admin = nobody.with({ cookie })
      const { type, config, secrets } = database.connector()
      const made = await admin.post('/api/connectors', { name: 'dw', type, config, secrets })
      const path = `/api/connectors/${(made.body as { id: number }).id}/query`
      const ask = async () =>
        (await admin.post(path, { definition: { mode: 'raw', rawQuery: endless }, page_size: 1 })).status
      await expect.poll(ask, { interval: 200 }).toBe(200)
      expect(await sessions()).toHaveLength(1)
      server.kill('SIGKILL')
      await expect.poll(sessions, { timeout: 8_000, interval: 20 }).toEqual([])
    } finally {
      server.kill('SIGKILL')
      executor.kill('SIGKILL')
      rmSync(dataDir, { recursive: true, force: true })
    }
  })

  const attempts: [string, string][] = [
    ['insert', 'INSERT INTO kept VALUES (2)'],
    ['insert that returns', 'INSERT INTO kept VALUES (2) RETURNING n'],
    ['update that returns', 'UPDATE kept SET n = 5 RETURNING n'],
    ['delete in WITH', 'WITH gone AS (DELETE FROM kept RETURNING n) SELECT * FROM gone'],
    ['insert in WITH', 'WITH new AS (INSERT INTO kept VALUES (7) RETURNING n) SELECT * FROM new'],
    [
      'merge in WITH',
      'WITH m AS (MERGE INTO kept USING (SELECT 1 AS a) s ON n = a WHEN MATCHED THEN DELETE RETURNING n) SELECT * FROM m',
    ],
    ['two statements', 'SELECT 1; DELETE FROM kept'],
    ['ends the transaction first', 'SELECT 1; COMMIT; DELETE FROM kept'],
    ['commits', 'COMMIT'],
    ['begins again', 'BEGIN READ WRITE'],
    ['allows writing', 'SET transaction_read_only = off'],
    ['allows writing by a function', "SELECT set_config('transaction_read_only', 'off', false)"],
    ['allows writing by a quoted function', `SELECT "set_config"('transaction_read_only', 'off', false)`],
    ['allows writing by an escaped function', `SELECT U&"set\\005fconfig"('transaction_read_only', 'off', false)`],
    ['into a table', 'SELECT 1 AS n INTO new'],
    ['a table of a query', 'CREATE TABLE new AS SELECT 1'],
    ['a temporary table', 'CREATE TEMP TABLE new AS SELECT 1'],
    ['explains by running', 'EXPLAIN ANALYZE DELETE FROM kept'],
    ['explains by running, with options', 'EXPLAIN (ANALYZE, FORMAT json) INSERT INTO kept VALUES (3)'],
    ['explains the making of a table', 'EXPLAIN ANALYZE CREATE TABLE new AS SELECT 1'],
    ['explains a write in WITH', 'EXPLAIN ANALYZE WITH x AS (DELETE FROM kept RETURNING n) SELECT * FROM x'],
    ['locks rows', 'SELECT * FROM kept FOR UPDATE'],
    ['locks the table', 'LOCK TABLE kept'],
    ['takes a lock', 'SELECT pg_advisory_lock(1)'],
    ['counts up', "SELECT nextval('numbers')"],
    ['sets a sequence', "SELECT setval('numbers', 100)"],
    ['a function that writes', 'SELECT writes()'],
    ['a procedure', 'CALL proceeds()'],
    ['a block', 'DO $$ BEGIN DELETE FROM kept; END $$'],
    ['runs text', "SELECT query_to_xml('DELETE FROM kept', true, false, '')"],
    ['copies to a program', "COPY kept TO PROGRAM 'touch /tmp/headgate-copied'"],
    ['copies in', "COPY kept FROM '/etc/hostname'"],
    ['a large object', "SELECT lo_from_bytea(0, 'x')"],
    ['imports a file', "SELECT lo_import('/etc/passwd')"],
    ['reads a file of the server', "SELECT pg_read_file('/etc/passwd')"],
    ['lists files of the server', "SELECT * FROM pg_ls_dir('/')"],
    ['reads a file by a field of a value', "SELECT ('/etc/passwd'::text).pg_read_file"],
    ['imports a file by a quoted field', `SELECT ('/etc/passwd'::text) . "lo_import"`],
    ['reaches out by a field', "SELECT ('DELETE FROM kept'::text).dblink_exec"],
    ['reads a file behind a comment', "SELECT pg_read_file /* x */ ('/etc/passwd')"],
    ['reads a file by an older name', "SELECT pg_read_file_old('/etc/passwd', 0, 9)"],
    ['reads a file on a line that a CR begins', "SELECT 1 --\r, pg_read_file('/etc/passwd')"],
    ['reads a file behind a picture with dollars', "SELECT 1 AS 😀$a$, pg_read_file('/etc/passwd') AS 😀$a$"],
    ['reads a file behind a name of a blank', "SELECT 1 AS \u00a0$a$, pg_read_file('/etc/passwd') AS \u00a0$a$"],
    ['reads a file behind an accent of its own', "SELECT 1 AS a\u0301$a$, pg_read_file('/etc/passwd') AS a\u0301$a$"],
    ['reads a file behind a quote that a picture ends', "SELECT $😀$ ' $😀$, pg_read_file('/etc/passwd')"],
    ['reads a file behind a text that goes on', "SELECT E'a'\n'\\'', pg_read_file('/etc/passwd')"],
    ['reads a file behind a text that goes on later', "SELECT E'a' --b\r\n --c\n '\\'', pg_read_file('/etc/passwd')"],
    ['changes an index', "SELECT brin_summarize_new_values('kept'::regclass)"],
    ['ends others', 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity'],
    ['writes the log of the server', "SELECT pg_logical_emit_message(false, 'a', 'b')"],
    ['switches its journal', 'SELECT pg_switch_wal()'],
    ['reloads its settings', 'SELECT pg_reload_conf()'],
    ['sends news', "SELECT pg_notify('a', 'b')"],
    ['listens', 'LISTEN a'],
    ['prepares', 'PREPARE x AS DELETE FROM kept'],
    ['a cursor', 'DECLARE c CURSOR WITH HOLD FOR SELECT 1'],
    ['drops', 'DROP TABLE kept'],
    ['truncates', 'TRUNCATE kept'],
    ['vacuums', 'VACUUM kept'],
    ['a role', 'CREATE ROLE eve'],
    ['comments', "COMMENT ON TABLE kept IS 'x'"],
    ['refreshes', 'REFRESH MATERIALIZED VIEW seen'],
  ]
  test('no attempt to write changes anything, as another session sees it', async () => {
    await database.query(
      `CREATE TABLE kept (n int); INSERT INTO kept VALUES (1); CREATE SEQUENCE numbers;
       CREATE MATERIALIZED VIEW seen AS SELECT count(*) FROM kept;
       CREATE FUNCTION writes() RETURNS int LANGUAGE plpgsql AS $$ BEGIN INSERT INTO kept VALUES (9); RETURN 1; END $$;
       CREATE PROCEDURE proceeds() LANGUAGE sql AS $$ DELETE FROM kept $$`,
    )
    const state = async () =>
      JSON.stringify(
        await database.query(
          `SELECT (SELECT array_agg(n) FROM kept) AS kept, (SELECT array_agg(count) FROM seen) AS seen, (SELECT last_value || ' ' || is_called FROM numbers) AS numbers,
            (SELECT count(*) FROM pg_class) AS classes, (SELECT count(*) FROM pg_roles) AS roles, (SELECT count(*) FROM pg_largeobject_metadata) AS objects,
            (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory') AS locks, obj_description('kept'::regclass) AS said, (SELECT count(*) FROM pg_stat_activity WHERE usename = 'headgate' AND application_name <> 'headgate') AS others`,
        ),
      )
    const before = await state()
    const through: unknown[] = []
    for (const [what, sql] of attempts) {
      const answer = await world.ask(id, sql)
      if (![400, 502].includes(answer.status) || (await state()) !== before)
        through.push([what, answer.body, await state()])
    }
    expect(through).toEqual([])
  })

  test('several results are open at once, beside a run, and each ends by itself', async () => {
    const [one, two] = [await world.run(id, endless, { page_size: 1 }), await world.run(id, endless, { page_size: 1 })]
    const run = await world.trigger(
      `etl: 1\nkind: pipeline\nname: beside\nconnectors:\n  dw: {type: postgres}\n  files: {type: file, access: write}\nsource: {connector: dw, sql: {query: SELECT 1 AS n}}\ntarget: {connector: files, file: {path: beside.jsonl}}\n`,
      { dw: id, files: world.connector },
    )
    await expect.poll(() => world.statusOf(run)).toBe('success')
    expect((await world.editor.get(`/api/connectors/${id}/resources`)).status).toBe(200)
    expect((await world.next(id, one.query_id, one.nextCursor!)).rows.length).toBeGreaterThan(0)
    await world.cancel(id, one.query_id)
    expect((await world.next(id, two.query_id, two.nextCursor!)).rows.length).toBeGreaterThan(0)
    await world.cancel(id, two.query_id)
    await expect.poll(sessions, SOON).toEqual([])
  })
})
