// Queries of SQLite through server, executor and worker.
import Database from 'better-sqlite3'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { markMistake, startResultWorld, type ResultWorld } from './result-world.ts'

describe('SQLite', () => {
  let world: ResultWorld
  let path: string
  let id: number
  beforeAll(async () => {
    world = await startResultWorld()
    path = join(world.folder, 'app.db')
    const database = new Database(path)
    database.pragma('journal_mode = WAL')
    database.exec(
      `CREATE TABLE odd (whole INTEGER, part REAL, words TEXT, bytes BLOB, amount DECIMAL(10,2), bare);
       INSERT INTO odd VALUES (9223372036854775807, 1.5, 'one', x'00ff', 1.10, 'text'), ('not a number', 2, '', x'', NULL, 7), (1, 9e999, NULL, 'text', 3, 2.0);
       CREATE TABLE many AS WITH RECURSIVE n(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM n WHERE n < 200000) SELECT n, hex(n * 7919) AS hash FROM n`,
    )
    database.close()
    id = await world.connect({ type: 'sqlite', config: { path }, secrets: {} })
  })
  afterAll(() => world?.close())

  test('every value says what it is where it is not what its column is', async () => {
    const { fields, rows } = await world.run(id, 'SELECT *, whole + 0 AS computed FROM odd')
    expect(fields.map(({ name, type }) => [name, type])).toEqual([
      ['whole', 'bigint'],
      ['part', 'double'],
      ['words', 'text'],
      ['bytes', 'bytes'],
      ['amount', 'any'],
      ['bare', 'any'],
      ['computed', 'any'],
    ])
    expect(rows).toEqual([
      ['9223372036854775807', 1.5, 'one', 'AP8=', { double: 1.1 }, { text: 'text' }, { bigint: '9223372036854775807' }],
      [{ text: 'not a number' }, 2, '', '', null, { bigint: '7' }, { bigint: '0' }],
      ['1', 'Infinity', null, { text: 'text' }, { bigint: '3' }, { double: 2 }, { bigint: '1' }],
    ])
  })

  test('a mistake is told at its place', async () => {
    const queries = ["SELECT 'n n', :name,\n  n FROM many WHERE n ▮n > 1", 'SELECT (n + 1), (n + 2)▮) FROM many']
    for (const query of queries) expect(await markMistake(world, id, query, { name: 1 })).toBe(query)
  })

  test('every row arrives once and in order', async () => {
    let rows = 0
    const differing: unknown[] = []
    const { query_id } = await world.all(id, 'SELECT n, hash FROM many ORDER BY n', (page) => {
      for (const [n, hash] of page.rows) {
        rows += 1
        if (
          n !== null &&
          typeof n === 'object' &&
          (n as { bigint: string }).bigint === String(rows) &&
          typeof hash === 'object'
        )
          continue
        differing.push([n, hash])
      }
    })
    expect([rows, differing.slice(0, 3)]).toEqual([200_000, []])
    const lines = (await (await world.exported(id, query_id, { format: 'csv' })).text()).trimEnd().split('\r\n')
    expect([lines.length, lines[0], lines[200_000]]).toEqual([
      200_001,
      'n,hash',
      `200000,${Buffer.from(String(200_000 * 7919))
        .toString('hex')
        .toUpperCase()}`,
    ])
  })

  test('mistakes of a query are those of whoever wrote it, whatever SQLite calls them', async () => {
    const cases = [
      'SELECT nothing_like_it(1)',
      'SELECT substr()',
      'SELECT sum(count(*)) FROM odd',
      'SELECT whole FROM odd a, odd b',
      'SELECT whole FROM odd ORDER BY 5',
      'SELECT 1 UNION SELECT 1, 2',
      'SELECT whole FROM odd ORDER BY words COLLATE none_such',
      'SELECT * FROM odd HAVING 1',
    ]
    for (const query of cases) {
      const answer = await world.ask(id, query)
      expect({ query, ...answer }).toMatchObject({ query, status: 400, body: { error: 'VALIDATION_ERROR' } })
    }
    // What the data is to blame for stays an error of the system.
    expect(await world.ask(id, "SELECT json_extract('{', '$.a')")).toMatchObject({ status: 502 })
  })

  test('a value of more bytes than results take is refused before it is copied, with what helps', async () => {
    expect((await world.run(id, 'SELECT length(zeroblob(400000000)) AS n')).rows).toEqual([[{ bigint: '400000000' }]])
    for (const query of ['SELECT zeroblob(400000000)', "SELECT replace(hex(zeroblob(40000000)), '0', 'x')"]) {
      const { status, body } = await world.ask(id, query)
      expect(status).toBe(400)
      expect(JSON.stringify(body)).toMatch(/A value has \d+,000,000 bytes.*select a part of it/)
    }
  })

  test('a statement that computes without an end is stopped by killing its worker', async () => {
    const endless = 'WITH RECURSIVE n(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM n) SELECT count(*) FROM n'
    const answer = await world.ask(id, endless, { timeout_s: 1 })
    expect(answer).toMatchObject({ status: 504, body: { error: 'TIMEOUT' } })
    await expect.poll(() => world.server.services.results.held).toBe(0)
    expect((await world.run(id, 'SELECT 1 AS one')).rows).toEqual([[{ bigint: '1' }]])
  })

  test('writers go on while somebody reads slowly, also where a reader would keep them out', async () => {
    const slow = join(world.folder, 'rollback.db')
    const made = new Database(slow)
    made.exec(
      `CREATE TABLE wide AS WITH RECURSIVE n(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM n WHERE n < 50000) SELECT n, hex(zeroblob(500)) AS filler FROM n`,
    )
    made.close()
    const other = await world.connect({ type: 'sqlite', config: { path: slow }, secrets: {} })
    const first = await world.run(other, 'SELECT * FROM wide ORDER BY n', { page_size: 5000 })
    const write = () => {
      const database = new Database(slow, { timeout: 0 })
      try {
        return database.prepare('UPDATE wide SET filler = ? WHERE n > 0').run('').changes
      } catch (error) {
        return String(error)
      } finally {
        database.close()
      }
    }
    await expect.poll(write, { timeout: 20_000, interval: 100 }).toBe(50_000)
    // What was read before is what the query saw.
    let rows = first.rows.length
    let fillers = first.rows.filter((row) => row[1] !== null).length
    for (let cursor = first.nextCursor; cursor !== null;) {
      const page = await world.next(other, first.query_id, cursor, 5000)
      rows += page.rows.length
      fillers += page.rows.filter(([, filler]) => (filler as { text: string }).text.length === 1000).length
      cursor = page.nextCursor
    }
    expect([rows, fillers]).toEqual([50_000, 50_000])
  })

  test('Headgate’s own files stay closed, by link, by dots and by name', async () => {
    const { dataDir } = world.server
    const link = join(world.folder, 'link.db')
    symlinkSync(join(dataDir, 'headgate.db'), link)
    const linkedFolder = join(world.folder, 'linked')
    symlinkSync(dataDir, linkedFolder)
    mkdirSync(join(world.folder, 'a'))
    writeFileSync(join(world.folder, 'a', 'b'), '')
    const ways = [
      join(dataDir, 'headgate.db'),
      link,
      join(linkedFolder, 'headgate.db'),
      `${world.folder}/a/../linked/headgate.db`,
      `file:${join(dataDir, 'headgate.db')}?mode=ro`,
    ]
    // The server refuses these when they are saved; the executor must refuse them by itself.
    const innocent = await world.connect({ type: 'sqlite', config: { path }, secrets: {} })
    for (const way of ways) {
      world.server.platform.store.sqlite
        .prepare('UPDATE connectors SET config = ? WHERE id = ?')
        .run(JSON.stringify({ path: way }), innocent)
      const answer = await world.ask(innocent, 'SELECT * FROM users')
      expect([way, answer.status >= 400, JSON.stringify(answer.body).includes('password_hash')]).toEqual([
        way,
        true,
        false,
      ])
    }
  })

  const attempts: [string, string][] = [
    ['insert', "INSERT INTO odd VALUES (1, 1, 'x', x'', 1, 1)"],
    ['insert that returns', "INSERT INTO odd VALUES (1, 1, 'x', x'', 1, 1) RETURNING *"],
    ['update that returns', 'UPDATE odd SET whole = 0 RETURNING *'],
    ['delete that returns', 'DELETE FROM odd RETURNING *'],
    ['delete behind WITH', 'WITH x AS (SELECT 1) DELETE FROM odd RETURNING *'],
    ['insert behind WITH', 'WITH x AS (SELECT 1) INSERT INTO many SELECT 1, 2 FROM x RETURNING *'],
    ['update behind WITH', 'WITH x AS (SELECT 1) UPDATE many SET n = 0 RETURNING n'],
    ['replace', 'REPLACE INTO many VALUES (1, 2)'],
    ['two statements', 'SELECT 1; DELETE FROM odd'],
    ['two statements, first empty', '; DELETE FROM odd'],
    ['comment that ends early', 'SELECT 1 /* */; DROP TABLE odd --'],
    ['drop', 'DROP TABLE odd'],
    ['create', 'CREATE TABLE new (a)'],
    ['create from a query', 'CREATE TABLE new AS SELECT 1'],
    ['alter', 'ALTER TABLE odd ADD COLUMN extra'],
    ['pragma that is explained', 'EXPLAIN PRAGMA query_only = OFF'],
    ['pragma whose plan is asked for', 'EXPLAIN QUERY PLAN PRAGMA query_only = OFF'],
    ['pragma that writes', 'PRAGMA user_version = 7'],
    ['pragma of the journal', 'PRAGMA journal_mode = DELETE'],
    ['pragma that allows writing', 'PRAGMA query_only = OFF'],
    ['writable schema', 'PRAGMA writable_schema = ON'],
    ['vacuum', 'VACUUM'],
    ['vacuum into a file', "VACUUM INTO '/tmp/headgate-vacuumed.db'"],
    ['attach', "ATTACH DATABASE '/tmp/headgate-attached.db' AS other"],
    ['begin', 'BEGIN IMMEDIATE'],
    ['reindex', 'REINDEX'],
    ['analyze', 'ANALYZE'],
    ['extension', "SELECT load_extension('libc.so.6')"],
    ['file function', "SELECT writefile('/tmp/headgate-written', 'x')"],
    ['temporary table', 'CREATE TEMP TABLE t (a)'],
    ['trigger', 'CREATE TRIGGER t AFTER INSERT ON odd BEGIN DELETE FROM many; END'],
    ['virtual table', 'CREATE VIRTUAL TABLE v USING fts5(a)'],
  ]
  test.each(attempts)('an attempt to write changes nothing: %s', async (_, sql) => {
    const digest = () => {
      const database = new Database(path, { readonly: true })
      const schema = database.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY 1, 2').raw().all()
      const counts = ['odd', 'many'].map((table) =>
        database.prepare(`SELECT count(*), sum(rowid) FROM ${table}`).raw().get(),
      )
      const pragmas = [database.pragma('user_version'), database.pragma('journal_mode')]
      database.close()
      return JSON.stringify([schema, counts, pragmas])
    }
    const before = digest()
    const answer = await world.ask(id, sql)
    expect([400, 502]).toContain(answer.status)
    expect(digest()).toBe(before)
  })
})
