import Database from 'better-sqlite3'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { BoundConnector } from '../../../src/contract/executor-protocol.ts'
import { useMariaDb } from './mariadb-fixture.ts'
import { usePostgres } from './postgres-fixture.ts'
import { runTask, sqliteConnector, temporaryFolder, type FinishedRun } from './run-task.ts'

/** Row 41 of 60 has the text of row 3. */
const rows = "SELECT i AS id, CASE i WHEN 41 THEN 'text 3' ELSE 'text ' || i END AS v FROM range(1, 61) r(i), stream"

function write(bound: BoundConnector, target: string, sql = rows): Promise<FinishedRun> {
  return runTask(
    `
etl: 1
kind: pipeline
name: t
connectors: {db: {type: ${bound.type}, access: write}}
source: {inline: {rows: [{n: 1}]}}
steps: [{sql: "${sql}"}]
target: {connector: db, table: orders, ${target}}
`,
    { db: bound },
  )
}

function copy(a: BoundConnector, b: BoundConnector, target: string): Promise<FinishedRun> {
  return runTask(
    `
etl: 1
kind: pipeline
name: t
connectors: {a: {type: ${a.type}, access: read}, b: {type: ${b.type}, access: write}}
source: {connector: a, sql: {table: s}}
target: {connector: b, table: orders, ${target}}
`,
    { a, b },
  )
}

const upsert = 'mode: upsert, key: [id]'

/** The second one does not fit 64 bits. */
const wide =
  'SELECT i AS id, CASE i WHEN 2 THEN 9223372036854775808 ELSE -9223372036854775808 END AS v FROM range(1, 4) r(i), stream'

describe('a row that a table in SQLite refuses fails the run, and leaves the table as it was', () => {
  const guard = (act: string): string =>
    `CREATE TRIGGER guard BEFORE INSERT ON orders WHEN new.id = 41 BEGIN SELECT RAISE(${act}, 'no'); END`
  const table = 'CREATE TABLE orders (id INTEGER PRIMARY KEY, v TEXT)'
  const clause = (act: string): string =>
    `CREATE TABLE orders (id INTEGER PRIMARY KEY, v TEXT UNIQUE ON CONFLICT ${act})`
  const unique = 'UNIQUE constraint failed: orders.v'
  const no = 'Table orders refused it: no'

  test.each([
    ...['ABORT', 'FAIL', 'ROLLBACK'].flatMap((act): [string, string][] => [
      [clause(act), unique],
      [`${table}; ${guard(act)}`, no],
    ]),
    [
      `${table}; CREATE TABLE log (id INTEGER); CREATE TRIGGER note AFTER INSERT ON orders BEGIN INSERT INTO log VALUES (new.id); END;
       CREATE TRIGGER guard BEFORE INSERT ON log WHEN new.id = 41 BEGIN SELECT RAISE(ROLLBACK, 'no'); END`,
      no,
    ],
  ])('%s', async (ddl, words) => {
    const path = join(temporaryFolder(), 'a.db')
    const db = new Database(path)
    db.exec(`${ddl}; INSERT INTO orders VALUES (100, 'old')`)
    for (const target of ['mode: append', 'mode: replace', upsert, 'mode: delete_insert, key: [id]']) {
      const run = await write(sqliteConnector(path), target)
      expect(run.error).toMatchObject({ code: 'CONSTRAINT_VIOLATED', step: 'target' })
      expect(run.error?.message).toBe(`Row 41: ${words} (table orders, id = 41, v = text 3)`)
      expect(db.prepare('SELECT * FROM orders').all()).toEqual([{ id: 100, v: 'old' }])
    }
    db.exec('CREATE TABLE s (id INTEGER, v TEXT)')
    db.prepare(`INSERT INTO s VALUES (1, 'text'), (41, 'text')`).run()
    const one = sqliteConnector(path)
    for (const target of ['mode: append', 'mode: replace', upsert]) {
      const run = await copy(one, one, target)
      expect([run.error?.code, run.error?.step]).toEqual(['CONSTRAINT_VIOLATED', 'target'])
      // The pushdown lane leaves it to the columnar lane to name the row.
      expect(run.error?.message).toBe(`Row 2: ${words} (table orders, id = 41, v = text)`)
      expect(db.prepare('SELECT * FROM orders').all()).toEqual([{ id: 100, v: 'old' }])
    }
    db.close()
  })
})

test('a number of 128 bits that SQLite cannot hold is told with its row, and kept where it can', async () => {
  const path = join(temporaryFolder(), 'app.db')
  const refused = await write(sqliteConnector(path), 'mode: replace', wide)
  expect(refused.error?.message).toContain(
    '`v` is INTEGER, which SQLite keeps as a number and which cannot hold 9223372036854775808 (table orders, id = 2)',
  )
  const file = new Database(path)
  file.exec('CREATE TABLE orders (id INTEGER, v TEXT)')
  expect((await write(sqliteConnector(path), 'mode: append', wide)).error).toBeUndefined()
  expect(file.prepare('SELECT v FROM orders WHERE id < 3 ORDER BY id').pluck().all()).toEqual([
    '-9223372036854775808',
    '9223372036854775808',
  ])
  file.close()
})

describe('a foreign key in SQLite', () => {
  const rows = 'SELECT i AS id, CASE i WHEN 25 THEN 27 WHEN 35 THEN 999 ELSE 1 END AS p FROM range(1, 61) r(i), stream'
  const table = 'CREATE TABLE orders (id INTEGER PRIMARY KEY, p INTEGER REFERENCES orders'

  test.each(['mode: append', upsert])(
    'names the row that refers to nothing, not one that refers to a row beside it (%s)',
    async (target) => {
      const path = join(temporaryFolder(), 'a.db')
      const db = new Database(path)
      db.exec(`${table})`)
      const run = await write(sqliteConnector(path), target, rows)
      expect(run.error).toMatchObject({ code: 'CONSTRAINT_VIOLATED', step: 'target' })
      expect(run.error?.message).toBe(
        'Row 35: FOREIGN KEY constraint failed: no row of orders for `p` = 999 (table orders, id = 35, p = 999)',
      )
      db.close()
    },
  )

  test('that is checked at the end names a row that refers to nothing', async () => {
    const path = join(temporaryFolder(), 'a.db')
    const db = new Database(path)
    db.exec(`${table} DEFERRABLE INITIALLY DEFERRED)`)
    const run = await write(sqliteConnector(path), 'mode: append', rows)
    expect(run.error).toMatchObject({ code: 'CONSTRAINT_VIOLATED', step: 'target' })
    expect(run.error?.message).toBe(
      'FOREIGN KEY constraint failed: no row of orders for a row of orders (id = 35, p = 999)',
    )
    expect(db.prepare('SELECT count(*) FROM orders').pluck().get()).toBe(0)
    db.close()
  })
})

describe('MariaDB', () => {
  const maria = useMariaDb()
  const { connector } = maria
  const content = () => maria.query('SELECT * FROM orders')

  test.each(['MyISAM', 'Aria', 'Aria TRANSACTIONAL = 1', 'MEMORY'])(
    'a table that cannot take back what a failed run has written is refused (%s)',
    async (engine) => {
      await maria.query(
        `CREATE TABLE orders (id bigint PRIMARY KEY, v varchar(40) UNIQUE) ENGINE = ${engine}; INSERT INTO orders VALUES (100, 'old')`,
      )
      for (const target of ['mode: append', 'mode: replace', upsert, 'mode: delete_insert, key: [id]']) {
        const run = await write(connector(), target)
        expect(run.error).toMatchObject({ code: 'CONNECTOR_UNSUITABLE', step: 'target', retryable: false })
        expect(run.error?.message).toContain(
          `Table orders uses the storage engine ${engine.split(' ')[0]}, which has no transactions`,
        )
        expect(run.error?.hint).toContain('ENGINE = InnoDB')
        expect(await content()).toEqual([{ id: 100, v: 'old' }])
      }
    },
  )

  test('a row that a trigger refuses is told with its number and table', async () => {
    await maria.query(`CREATE TABLE orders (id bigint PRIMARY KEY, v varchar(40)); INSERT INTO orders VALUES (100, 'old');
      CREATE TRIGGER guard BEFORE INSERT ON orders FOR EACH ROW BEGIN IF new.id = 41 THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'no'; END IF; END`)
    for (const target of ['mode: append', 'mode: replace', upsert]) {
      const run = await write(connector(), target)
      expect(run.error).toMatchObject({ code: 'CONSTRAINT_VIOLATED', step: 'target' })
      expect(run.error?.message).toMatch(/^Row 41: Table orders refused it: no: .*\('?41/)
      expect(await content()).toEqual([{ id: 100, v: 'old' }])
    }
  })
})

describe('PostgreSQL', () => {
  const postgres = usePostgres()

  test('a number of 128 bits that a column cannot hold is told with its row, and kept where it can', async () => {
    const refused = await write(postgres.connector(), 'mode: replace', wide)
    expect(refused.error?.message).toMatch(/^Row 2, column `v`: .*9223372036854775808.* out of range.*id = 2/)
    await postgres.query('CREATE TABLE app.orders (id bigint, v numeric)')
    expect((await write(postgres.connector(), 'mode: append', wide)).error).toBeUndefined()
    expect(await postgres.query('SELECT v FROM app.orders WHERE id = 2')).toEqual([{ v: '9223372036854775808' }])
  })

  test('a document of a source that is no JSON to others is told with its row', async () => {
    await postgres.query(String.raw`CREATE TABLE app.s AS SELECT 7 AS id, '{"a": "\ud800"}'::json AS doc`)
    const run = await copy(postgres.connector(1), sqliteConnector(join(temporaryFolder(), 'a.db')), 'mode: append')
    expect(run.error).toMatchObject({ code: 'VALUE_INVALID', step: 'source' })
    expect(run.error?.message).toBe(
      String.raw`Column ` +
        '`doc`' +
        String.raw` holds a document that cannot be read as JSON: {"a": "\ud800"} (row, id = 7)`,
    )
    expect(run.error?.hint).toContain('SELECT "doc"::text')
  })
  const guard = (when: string, code = ''): string =>
    `CREATE TABLE app.orders (id bigint PRIMARY KEY, v text); INSERT INTO app.orders VALUES (100, 'old');
     CREATE FUNCTION app.guard() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       IF new.id = 41 THEN RAISE EXCEPTION 'no'${code}; END IF;
       RETURN new;
     END $$;
     CREATE TRIGGER guard ${when} INSERT ON app.orders FOR EACH ROW EXECUTE FUNCTION app.guard()`
  const content = () => postgres.query('SELECT id::int, v FROM app.orders')
  const old = [{ id: 100, v: 'old' }]
  const context = 'PL/pgSQL function guard() line 2 at RAISE'

  test.each([
    ['BEFORE', 'mode: append', `Row 41: Table orders refused it: no (${context}) (table orders, id = 41, v = text 3)`],
    ['AFTER', 'mode: append', `Table orders refused a row: no (${context})`],
    ['BEFORE', 'mode: replace', `Table orders refused a row: no (${context})`],
    ['BEFORE', upsert, `Table orders refused a row: no (${context})`],
  ])('a row that a trigger refuses is told with its table (%s, %s)', async (when, target, message) => {
    await postgres.query(guard(when))
    const run = await write(postgres.connector(), target)
    expect(run.error).toMatchObject({ code: 'CONSTRAINT_VIOLATED', step: 'target', retryable: false })
    expect(run.error?.message).toBe(message)
    expect(await content()).toEqual(old)
  })

  test.each([
    ['pushdown', 1],
    ['bytes', 2],
  ])('a row that a trigger refuses is told with its table (%s)', async (lane, id) => {
    await postgres.query(
      `${guard('BEFORE')}; CREATE TABLE app.s AS SELECT i::bigint AS id, 'x' AS v FROM generate_series(1, 60) i`,
    )
    const run = await copy(postgres.connector(1), postgres.connector(id), 'mode: append')
    expect(run.error?.code).toBe('CONSTRAINT_VIOLATED')
    expect(run.error?.message).toContain(
      lane === 'bytes' ? 'Row 41: Table orders refused it: no' : 'Table orders refused a row: no',
    )
    expect(await content()).toEqual(old)
  })

  test('an error that the source raises is not laid at the table’s door, where one statement reads and writes', async () => {
    await postgres.query(`CREATE TABLE app.orders (id bigint, v text);
      CREATE FUNCTION app.pick() RETURNS text LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END $$;
      CREATE VIEW app.s AS SELECT 1::bigint AS id, app.pick() AS v`)
    for (const target of ['mode: append', 'mode: replace']) {
      const run = await copy(postgres.connector(1), postgres.connector(1), target)
      expect(run.error).toMatchObject({ code: 'DATABASE_REFUSED', retryable: false })
      expect(run.error?.message).toMatch(
        /^Rows could not be copied to orders: no \(PL\/pgSQL function (app\.)?pick\(\)/,
      )
    }
  })

  test('an error that a trigger runs into is told as such, with the row', async () => {
    await postgres.query(guard('BEFORE', ` USING ERRCODE = 'check_violation'`))
    const run = await write(postgres.connector(), 'mode: append')
    expect(run.error).toMatchObject({ code: 'CONSTRAINT_VIOLATED', step: 'target' })
    expect(run.error?.message).toMatch(/^Row 41: no \(PL\/pgSQL function guard\(\) line 2 at RAISE/)
  })

  test.each(['v <> 9', 'UNIQUE (v)'])(
    'a row behind values with line breaks is named by its own number and key (%s)',
    async (check) => {
      await postgres.query(
        `CREATE TABLE app.orders (t text, id bigint, v int, ${check.startsWith('v') ? `CHECK (${check})` : check})`,
      )
      const texts = String.raw`CASE i WHEN 1 THEN E'\r\na,\"\n' WHEN 2 THEN E'\n\n' WHEN 3 THEN NULL ELSE 'x' END`
      const sql = `SELECT ${texts} AS t, i AS id, CASE WHEN i IN (7, 9) THEN 9 ELSE 100 + i END AS v FROM range(1, 61) r(i), stream`
      const run = await write(postgres.connector(), 'mode: append', sql)
      expect(run.error).toMatchObject({ code: 'CONSTRAINT_VIOLATED', step: 'target' })
      const row = check.startsWith('v') ? 7 : 9
      expect(run.error?.message).toMatch(new RegExp(`^Row ${row}: .*\\(table orders, t = x, id = ${row}, v = 9\\)$`))
      expect(run.error?.message).not.toContain('COPY')
      expect(await content()).toEqual([])
    },
  )

  test('a row that the table itself refuses keeps its number and column', async () => {
    await postgres.query('CREATE TABLE app.orders (id bigint, v varchar(7))')
    const run = await runTask(
      `
etl: 1
kind: pipeline
name: t
connectors: {db: {type: postgres, access: write}}
source: {inline: {rows: [{id: 1, v: short}, {id: 2, v: too long for it}]}}
target: {connector: db, table: orders, mode: append}
`,
      { db: postgres.connector() },
    )
    expect(run.error?.message).toMatch(/^Row 2, column `v`: value too long for type character varying\(7\)/)
  })
})

describe('more columns than a table in SQLite may have', () => {
  const names = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => `c${from + at}`)
  const wideRow = (from: number, to: number) =>
    `SELECT ${names(from, to)
      .map((column) => `1 AS ${column}`)
      .join(', ')} FROM stream`
  const refusal = (count: string) => ({
    code: 'SCHEMA_MISMATCH',
    step: 'target',
    params: { reason: 'sqlite_table_too_wide' },
    message: `Table \`orders\` would have ${count} columns, but SQLite tables have at most 2,000`,
    hint: expect.stringContaining('`select` or `drop` step'),
  })

  test('are refused where the table would be created, and 2,000 are written', async () => {
    const path = join(temporaryFolder(), 'app.db')
    expect((await write(sqliteConnector(path), 'mode: append', wideRow(0, 2001))).error).toMatchObject(refusal('2,001'))
    const db = new Database(path)
    expect(db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get()).toBe(0)
    db.close()
    const run = await write(sqliteConnector(path), 'mode: append', wideRow(0, 2000))
    expect(run).toMatchObject({ status: 'success', item_count: 1 })
  })

  test('but more than a thousand are compared with the row that is there', async () => {
    const path = join(temporaryFolder(), 'app.db')
    const target = 'mode: upsert, key: [c0]'
    expect(await write(sqliteConnector(path), target, wideRow(0, 1005))).toMatchObject({ status: 'success' })
  })

  test('are refused where the table would get the last of them', async () => {
    const path = join(temporaryFolder(), 'app.db')
    const db = new Database(path)
    db.exec(`CREATE TABLE orders (${names(0, 1999).join(', ')})`)
    const target = 'mode: append'
    expect((await write(sqliteConnector(path), target, wideRow(1990, 2001))).error).toMatchObject(refusal('2,001'))
    expect(db.prepare('SELECT count(*) FROM orders').pluck().get()).toBe(0)
    expect(await write(sqliteConnector(path), target, wideRow(1990, 2000))).toMatchObject({ status: 'success' })
    expect(db.pragma('table_info(orders)')).toHaveLength(2000)
    db.close()
  })
})
