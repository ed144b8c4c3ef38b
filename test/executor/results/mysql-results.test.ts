// Queries of MySQL and MariaDB through server, executor and worker, with another connection watching.
import type { Connection } from 'mysql2/promise'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { hasMariaDb, startMariaDb, type MariaDbServer } from '../../support/mariadb.ts'
import { markMistake, startResultWorld, type ResultWorld } from './result-world.ts'

const SOON = { timeout: 1_000, interval: 20 }

describe.skipIf(!hasMariaDb)('MariaDB', () => {
  let server: MariaDbServer
  let watcher: Connection
  let world: ResultWorld
  let id: number
  beforeAll(async () => {
    server = await startMariaDb({ settings: ['--secure-file-priv='] })
    watcher = await server.connect()
    await watcher.query("GRANT FILE ON *.* TO 'headgate'@'%'")
    await watcher.query(
      `CREATE TABLE odd (big BIGINT, huge BIGINT UNSIGNED, small INT, amount DECIMAL(20,4), single FLOAT, part DOUBLE, at DATETIME(6), zoned TIMESTAMP(6) NULL, late TIME(6), words VARCHAR(50), bytes VARBINARY(10), doc JSON, flags BIT(9));
       INSERT INTO odd VALUES (-9223372036854775808, 18446744073709551615, 5, 1.1000, 0.1, 1e308, '2024-02-29 12:34:56.123456', '2024-02-29 12:34:56.123456', '-100:00:00.5', 'ö', x'00ff', '{"a": 1.10}', b'100000001');
       INSERT INTO odd (big) VALUES (NULL);
       CREATE TABLE many (n INT PRIMARY KEY, hash CHAR(32)) ENGINE=InnoDB;
       INSERT INTO many SELECT seq, md5(seq) FROM seq_1_to_200000;
       CREATE TABLE plain (n INT) ENGINE=MyISAM; INSERT INTO plain VALUES (1);
       CREATE SEQUENCE numbers;
       CREATE FUNCTION writes() RETURNS INT BEGIN INSERT INTO plain VALUES (2); RETURN 1; END`,
    )
    await watcher.query("GRANT ALL ON app.* TO 'headgate'@'%'")
    world = await startResultWorld()
    const { host, port, database, user, password } = server
    id = await world.connect({ type: 'mysql', config: { host, port, database, user }, secrets: { password } })
  })
  afterAll(async () => {
    await world?.close()
    await watcher?.end()
    await server?.stop()
  })

  const sessions = async () => {
    const [rows] = await watcher.query("SELECT info FROM information_schema.processlist WHERE user = 'headgate'")
    return rows
  }
  afterEach(async () => {
    await world.cancelAll()
    await expect.poll(sessions).toEqual([])
  })

  test('every value arrives in the one exact form of its type', async () => {
    const { rows, fields } = await world.run(id, 'SELECT * FROM odd WHERE big IS NULL OR big < :most', {
      parameters: { most: 0 },
    })
    expect(fields.map(({ type }) => type)).toEqual(
      'bigint bigint integer decimal double double datetime datetime_tz time text bytes json bigint'.split(' '),
    )
    expect(rows).toEqual([
      [
        '-9223372036854775808',
        '18446744073709551615',
        5,
        '1.1000',
        0.1,
        1e308,
        '2024-02-29T12:34:56.123456',
        expect.stringMatching(/^2024-02-29T\d\d:34:56\.123456Z$/),
        expect.stringMatching(/^-100:00:00\.50*$/),
        'ö',
        'AP8=',
        '{"a": 1.10}',
        '257',
      ],
      Array(13).fill(null),
    ])
  })

  test('a mistake is told at its place', async () => {
    const queries = ["SELECT 'FORM x', :name,\n  1 FORM ▮x", 'SELECT 1,\n 2 FORM,\n 3 FORM ▮x']
    for (const query of queries) expect(await markMistake(world, id, query, { name: 1 })).toBe(query)
  })

  test('every row arrives once and in order', async () => {
    let rows = 0
    let wrong = 0
    await world.all(id, 'SELECT n, hash FROM many ORDER BY n', (page) => {
      for (const [n, hash] of page.rows) if (n !== ++rows || String(hash).length !== 32) wrong += 1
    })
    expect([rows, wrong]).toEqual([200_000, 0])
  })

  test('a cancelled query is gone from the server within a second, with rows and without', async () => {
    const { query_id } = await world.run(id, 'SELECT seq, sleep(0.001) FROM seq_1_to_100000000', { page_size: 1 })
    await world.cancel(id, query_id)
    await expect.poll(sessions, SOON).toEqual([])
    const leaving = new AbortController()
    const asked = fetch(new URL(`/api/connectors/${id}/query`, world.server.url), {
      method: 'POST',
      headers: { ...world.editor.headers, 'content-type': 'application/json' },
      body: JSON.stringify({
        definition: { mode: 'raw', rawQuery: 'SELECT count(*) FROM seq_1_to_100000000 a, seq_1_to_100000000 b' },
      }),
      signal: leaving.signal,
    }).catch(() => undefined)
    await expect.poll(sessions).toHaveLength(1)
    leaving.abort()
    await asked
    await expect.poll(sessions, SOON).toEqual([])
  })

  test('a reader that stops holds the server back, not memory', async () => {
    const { query_id } = await world.run(id, "SELECT seq, repeat('x', 1000) FROM seq_1_to_100000000", { page_size: 1 })
    expect(await sessions()).toHaveLength(1)
    await world.cancel(id, query_id)
    await expect.poll(sessions, SOON).toEqual([])
  })

  test('a server with the mode ANSI takes quotes as the check does', async () => {
    await watcher.query("SET GLOBAL sql_mode = 'ANSI'")
    try {
      const answer = await world.ask(id, `SELECT 1 AS "a\\", load_file('/etc/passwd') AS "b"`)
      expect(answer.status).toBe(400)
      expect((await world.run(id, `SELECT "it's" AS a`)).rows).toEqual([["it's"]])
    } finally {
      await watcher.query('SET GLOBAL sql_mode = DEFAULT')
    }
  })

  test('a killed executor leaves no session', async () => {
    await world.run(id, "SELECT seq, repeat('x', 1000) FROM seq_1_to_100000000", { page_size: 1 })
    expect(await sessions()).toHaveLength(1)
    world.executor().kill('SIGKILL')
    await expect.poll(sessions, { timeout: 5_000, interval: 20 }).toEqual([])
    world.server.services.executors.ended('real')
    world.startExecutor()
    await expect.poll(() => world.online(), { interval: 10 }).toBe('online')
  })

  const attempts: [string, string][] = [
    ['insert', "INSERT INTO many VALUES (0, '')"],
    ['insert that returns', "INSERT INTO many VALUES (0, '') RETURNING n"],
    ['delete that returns', 'DELETE FROM many RETURNING n'],
    ['replace that returns', "REPLACE INTO many VALUES (1, '') RETURNING n"],
    ['update', 'UPDATE many SET n = -n'],
    ['update of a table without transactions', 'UPDATE plain SET n = 5'],
    ['delete behind WITH', 'WITH x AS (SELECT 1) DELETE FROM many'],
    ['two statements', 'SELECT 1; DELETE FROM many'],
    ['in a comment that is executed', 'SELECT 1 /*!50000 INTO @a */'],
    ['in MariaDB’s comment that is executed', "SELECT n /*M! INTO OUTFILE '/tmp/headgate-m' */ FROM many"],
    ['into a file', "SELECT * FROM many INTO OUTFILE '/tmp/headgate-outfile'"],
    ['into a file before FROM', "SELECT n INTO DUMPFILE '/tmp/headgate-dump' FROM many LIMIT 1"],
    ['a file of the server', "SELECT load_file('/etc/passwd')"],
    ['a file of the server, quoted', "SELECT `load_file`('/etc/passwd')"],
    ['a file of the server, spaced', "SELECT LOAD_FILE /* x */ ('/etc/passwd')"],
    [
      'a file of the server, behind no comment',
      "SELECT 1 --\u00a0.c, load_file('/etc/passwd') FROM (SELECT 1 AS c) AS \u00a0",
    ],
    ['a file of the server, behind a comment', "SELECT 1 --\u0001 '\n, load_file('/etc/passwd') -- '"],
    ['locks rows', 'SELECT * FROM many FOR UPDATE'],
    ['locks rows for others', 'SELECT * FROM many LOCK IN SHARE MODE'],
    ['takes a lock', "SELECT get_lock('x', 1)"],
    ['a function that writes', 'SELECT writes()'],
    ['a sequence', 'SELECT NEXT VALUE FOR numbers'],
    ['a sequence, by function', 'SELECT nextval(numbers)'],
    ['sets a sequence', 'SELECT setval(numbers, 100)'],
    ['analyzes by running', 'ANALYZE UPDATE many SET n = -n'],
    ['sets for a statement', 'SET STATEMENT tx_read_only = 0 FOR DELETE FROM many'],
    ['begins again', 'START TRANSACTION READ WRITE'],
    ['commits', 'COMMIT'],
    ['calls', 'CALL sys.something()'],
    ['truncates', 'TRUNCATE many'],
    ['drops', 'DROP TABLE many'],
    ['creates', 'CREATE TABLE new (n INT)'],
    ['prepares', "PREPARE x FROM 'DELETE FROM many'"],
    ['executes', "EXECUTE IMMEDIATE 'DELETE FROM many'"],
    ['a block', 'BEGIN NOT ATOMIC DELETE FROM many; END'],
    ['loads', "LOAD DATA INFILE '/etc/passwd' INTO TABLE many"],
    ['kills', 'KILL 1'],
    ['a user', 'CREATE USER eve'],
    ['quotes with a backslash', `SELECT '\\'' ; DELETE FROM many -- '`],
  ]
  test.each(attempts)('an attempt to write changes nothing: %s', async (_, sql) => {
    const digest = async () => {
      const [tables] = await watcher.query('CHECKSUM TABLE many, plain, odd')
      const [names] = await watcher.query('SHOW TABLES')
      const [[next]] = (await watcher.query('SELECT next_not_cached_value AS n FROM numbers')) as unknown as [
        [{ n: unknown }],
      ]
      return JSON.stringify([tables, names, next])
    }
    const before = await digest()
    const answer = await world.ask(id, sql)
    expect([400, 502]).toContain(answer.status)
    expect(await digest()).toBe(before)
  })
})
