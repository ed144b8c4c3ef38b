// Changes of MySQL and MariaDB through server, executor and worker, with another connection watching.
import type { Connection, RowDataPacket } from 'mysql2/promise'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasMariaDb, startMariaDb, type MariaDbServer } from '../../support/mariadb.ts'
import { type ChangeWorld, raw, startChangeWorld } from './change-world.ts'
import { describeSql, refusedFor } from './sql-suite.ts'

describe.skipIf(!hasMariaDb)('MariaDB', () => {
  let server: MariaDbServer
  let watcher: Connection
  let world: ChangeWorld
  let id: number
  beforeAll(async () => {
    server = await startMariaDb()
    watcher = await server.connect()
    await watcher.query('CREATE TABLE people (id INTEGER PRIMARY KEY, name VARCHAR(50), age INTEGER)')
    await watcher.query("GRANT ALL ON app.* TO 'headgate'@'%'")
    world = await startChangeWorld()
    const { host, port, database, user, password } = server
    id = await world.connect({ type: 'mysql', config: { host, port, database, user }, secrets: { password } })
  })
  afterAll(async () => {
    await world?.close()
    await watcher?.end()
    await server?.stop()
  })
  const sql = async (statement: string): Promise<unknown[][]> => {
    const [rows] = await watcher.query({ sql: statement, rowsAsArray: true })
    return Array.isArray(rows) ? (rows as RowDataPacket[] as unknown as unknown[][]) : []
  }

  describeSql({
    world: () => world,
    id: () => id,
    sql,
    quote: (name) => `\`${name.replaceAll('`', '``')}\``,
    one: 1,
    two: 2,
    odd: {
      big: { type: 'BIGINT', first: '9223372036854775807', second: '-9223372036854775808' },
      huge: { type: 'BIGINT UNSIGNED', first: '18446744073709551615', second: '0' },
      amount: { type: 'DECIMAL(40,10)', first: '123456789012345678901234567890.0123456789', second: '-0.1' },
      single: { type: 'FLOAT', first: '0.1', second: '3e38' },
      part: { type: 'DOUBLE', first: '0.1', second: '1e308' },
      at: { type: 'DATETIME(6)', first: "'2024-02-29 12:34:56.123456'", second: "'1000-01-01'" },
      zoned: { type: 'TIMESTAMP(6) NULL', first: "'2024-02-29 12:34:56.123456'", second: "'2001-01-01'" },
      late: { type: 'TIME(6)', first: "'-100:00:00.5'", second: "'00:00'" },
      day: { type: 'DATE', first: "'2024-02-29'", second: "'9999-12-31'" },
      words: { type: 'TEXT', first: "'ö'", second: "' '" },
      blob: { type: 'VARBINARY(10)', first: "x'00ff'", second: "''" },
      doc: { type: 'JSON', first: `'{"a":  1.10}'`, second: `'[]'` },
      flags: { type: 'BIT(9)', first: "b'100000001'", second: "b'0'" },
      kind: { type: "ENUM('a', 'b')", first: "'a'", second: "'b'" },
      year: { type: 'YEAR', first: '2024', second: '1999' },
    },
  })

  test('values that a column would change are refused, and tables without transactions too', async () => {
    await sql('CREATE TABLE strict (id INTEGER PRIMARY KEY, small TINYINT, few VARCHAR(3))')
    for (const values of [
      { id: 1, small: 300 },
      { id: 1, few: 'four' },
    ]) {
      const body = { resource: 'strict', edits: [{ kind: 'insert', values }] }
      const { confirmation } = await world.review(id, body)
      expect((await world.post(id, { ...body, confirmation })).status).toBe(400)
    }
    expect(await sql('SELECT * FROM strict')).toEqual([])
    await sql('CREATE TABLE loose (id INTEGER PRIMARY KEY) ENGINE=MyISAM')
    expect(await world.post(id, { resource: 'loose', edits: [{ kind: 'insert', values: { id: 1 } }] })).toMatchObject(
      refusedFor('engine_without_transactions'),
    )
    for (const statement of [
      'INSERT INTO loose VALUES (2)',
      'INSERT INTO `app` . `loose` (id) SELECT 2',
      'UPDATE app.loose SET id = 3',
      'DELETE FROM `loose` WHERE id = 1',
      'DELETE /* FROM strict */ FROM loose',
    ]) {
      expect(await world.post(id, raw(statement))).toMatchObject(refusedFor('engine_without_transactions'))
    }
    expect(await sql('SELECT * FROM loose')).toEqual([])
  })

  test('a change reads no files of the server, wherever it stands in the statement', async () => {
    await sql('CREATE TABLE taken (id INTEGER PRIMARY KEY, name VARCHAR(50))')
    await sql('CREATE SEQUENCE given')
    for (const statement of [
      "INSERT INTO taken VALUES (5, load_file('/etc/passwd'))",
      "INSERT INTO taken VALUES (5, 'x') RETURNING load_file('/etc/passwd')",
      "UPDATE taken SET name = load_file('/etc/passwd')",
    ]) {
      expect(await world.post(id, raw(statement))).toMatchObject(refusedFor('function_refused_in_query'))
    }
    const numbered = raw("INSERT INTO taken VALUES (nextval(given), 'x')")
    expect(await world.write(id, numbered)).toMatchObject({ changed: 1 })
  })

  test('rows that appear between the count and the change stay out, and keys are compared exactly', async () => {
    await sql('CREATE TABLE codes (code VARCHAR(10) PRIMARY KEY, price DECIMAL(10,2)) COLLATE utf8mb4_general_ci')
    await sql("INSERT INTO codes VALUES ('ab', 1.10)")
    const edit = (code: string, price: string) => ({
      resource: 'codes',
      edits: [{ kind: 'update', original: { code, price }, values: { price: '1.20' } }],
    })
    expect(await world.post(id, edit('AB', '1.10'))).toMatchObject({ status: 409 })
    expect(await world.post(id, edit('ab', '1.1'))).toMatchObject({ status: 409 })
    expect(await world.write(id, edit('ab', '1.10'))).toMatchObject({ changed: 1 })
    const limited = raw('DELETE FROM codes WHERE price > 0 ORDER BY code LIMIT 1')
    expect(await world.write(id, limited)).toMatchObject({ rows: 1, changed: 1 })
    for (const statement of [
      'DELETE c FROM codes c',
      'UPDATE codes, people SET price = 1',
      'UPDATE IGNORE codes SET price = 1',
      "INSERT INTO codes VALUES ('a', 1) ON DUPLICATE KEY UPDATE price = 2",
    ]) {
      expect(await world.post(id, raw(statement))).toMatchObject(refusedFor('change_not_countable'))
    }
    expect(await world.post(id, raw('DELETE /*!50000 FROM codes */ FROM people'))).toMatchObject({ status: 400 })
  })
})
