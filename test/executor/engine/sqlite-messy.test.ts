import Database from 'better-sqlite3'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readFiles } from './read-files.ts'
import { fileConnector, runTask, sqliteConnector, temporaryFolder } from './run-task.ts'

const many = 'WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r WHERE i < 4999)'

/** Reads table `t`, or a query, into a Parquet file and that into rows. */
async function read(setup: string, source = 'table: t') {
  const path = join(temporaryFolder(), 'app.db')
  const db = new Database(path)
  db.exec(setup)
  db.close()
  const folder = temporaryFolder()
  const run = await runTask(
    `etl: 1
kind: pipeline
name: read
connectors: {db: {type: sqlite, access: read}, out: {type: file, access: write}}
source: {connector: db, sql: {${source}}}
target: {connector: out, file: {path: o.parquet}}
`,
    { db: sqliteConnector(path), out: fileConnector(folder) },
  )
  const rows = run.status === 'failed' ? [] : (await readFiles(folder, 'o.parquet')).rows
  return { run, rows, told: run.log.map(({ message }) => message) }
}

describe('text in SQLite that is not UTF-8', () => {
  it.each([
    ['UTF-8 that is cut off', "x'61c3'"],
    ['a byte that begins nothing', "x'61ff62'"],
    ['half of a surrogate pair', "x'eda080'"],
  ])('is refused with its row and column, not changed: %s', async (_, bytes) => {
    const { run } = await read(
      `CREATE TABLE t (a TEXT, b TEXT); ${many} INSERT INTO t SELECT 'fine', '\ufffd' FROM r; INSERT INTO t VALUES ('fine', CAST(${bytes} AS TEXT))`,
    )
    expect(run.error).toMatchObject({
      code: 'VALUE_INVALID',
      message: 'app, row 5,000: Column `b` holds bytes that are not UTF-8 text',
      hint: expect.stringContaining('CAST(b AS BLOB) AS b'),
      step: 'source',
    })
  })

  it('is found behind a query with a comment at its end, and read as bytes as the error advises', async () => {
    const setup = "CREATE TABLE t (a TEXT); INSERT INTO t VALUES (CAST(x'61ff62' AS TEXT))"
    const { run } = await read(setup, 'query: "SELECT a FROM t WHERE :n = 1 -- all of it", params: {n: 1}')
    expect(run.error?.message).toBe('app, row 1: Column `a` holds bytes that are not UTF-8 text')
    const { rows } = await read(setup, 'query: "SELECT CAST(a AS BLOB) AS a FROM t"')
    expect(rows).toEqual([{ a: String.raw`\x61ff62` }])
  })

  it('is not suspected where U+FFFD stands in the text itself, or the database is in UTF-16', async () => {
    for (const encoding of ['UTF-8', 'UTF-16le']) {
      const { rows } = await read(
        `PRAGMA encoding = '${encoding}'; CREATE TABLE t (a TEXT); INSERT INTO t VALUES ('a' || char(65533)), ('ä')`,
      )
      expect(rows).toEqual([{ a: 'a\ufffd' }, { a: 'ä' }])
    }
  })
})

describe('values in SQLite of a kind that their column is not declared for', () => {
  it.each([
    ['INTEGER', "'x'", 'VARCHAR', 'x'],
    ['INTEGER', '1.5', 'DOUBLE', '1.5'],
    ['INTEGER', "x'ff'", 'BLOB', String.raw`\xff`],
    ['REAL', "'x'", 'VARCHAR', 'x'],
    ['TEXT', "x'ff'", 'BLOB', String.raw`\xff`],
  ])('are reported, also in the last row: %s with %s', async (declared, value, type, example) => {
    const { run, told } = await read(
      `CREATE TABLE t (a ${declared}); ${many} INSERT INTO t SELECT i FROM r; INSERT INTO t VALUES (${value})`,
    )
    expect(run.item_count).toBe(5000)
    const [misfit, ...mixed] = run.steps[0]?.changes ?? []
    expect(misfit).toMatchObject({ code: 'change_read_as', params: { declared, type }, count: 1, example })
    // Those that became texts or bytes by it.
    expect(mixed.map(({ code, count }) => [code, count])).toEqual(
      type === 'DOUBLE' ? [] : [['change_kinds_mixed', 4999]],
    )
    expect(told).toContain(`Column \`a\`, 1 value: declared as ${declared}, read as ${type} (such as ${example})`)
  })

  it('are reported where nothing is declared, as in a view', async () => {
    const { rows, told } = await read("CREATE VIEW t AS SELECT 1 AS a UNION ALL SELECT 'x'")
    expect(rows).toEqual([{ a: '1' }, { a: 'x' }])
    expect(told).toContain('Column `a`, 1 value: one of several kinds (numbers, texts), read as VARCHAR')
  })

  it('are not reported where they are what the column is for', async () => {
    const { run, told } = await read(
      "CREATE TABLE t (a INTEGER, b REAL, c TEXT, d BLOB, e); INSERT INTO t VALUES (1, 2, 'x', x'ff', 1), (NULL, 2.5, NULL, NULL, 1.5)",
    )
    expect(run.steps[0]?.changes ?? []).toEqual([])
    expect(told.filter((message) => message.startsWith('Column'))).toEqual([])
  })
})

describe('numbers in a SQLite column of several kinds', () => {
  const blocks = 'WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r WHERE i < 10000)'

  it.each(["'n/a'", "x'6e2f61'"])(
    'have the text that follows from the number alone, before and after %s',
    async (other) => {
      const numbers = {
        '7': '7',
        '9007199254740993': '9007199254740993',
        '-9223372036854775808': '-9223372036854775808',
        '7.0': '7.0',
        '0.5': '0.5',
        '1e15': '1000000000000000.0',
        '1e16': '1e+16',
        '1e-7': '1e-07',
        '0.1 + 0.2': '0.30000000000000004',
        '-0.0': '-0.0',
      }
      const columns = [...Object.keys(numbers).keys()].map((at) => `c${at}`)
      const list = Object.keys(numbers).join(', ')
      const whole = columns.map(() => 'iif(i = 100, 0.5, 1)').join(', ')
      const { run, rows } = await read(
        `CREATE TABLE t (${columns.join(', ')}); ${blocks} INSERT INTO t SELECT ${list} FROM r WHERE i <= 20;
       ${blocks} INSERT INTO t SELECT ${whole} FROM r WHERE i <= 4000; INSERT INTO t SELECT ${columns.join(', ')} FROM t LIMIT 20;
       INSERT INTO t VALUES (${columns.map(() => other).join(', ')}); INSERT INTO t SELECT ${columns.join(', ')} FROM t LIMIT 4000`,
      )
      const found = columns.map((column) => [...new Set(rows.map((row) => text(row[column])))].toSorted())
      expect(found).toEqual(Object.values(numbers).map((one) => [...new Set([one, '0.5', '1', 'n/a'])].toSorted()))
      expect(run.steps[0]?.changes).toHaveLength(columns.length)
      for (const { code, count } of run.steps[0]?.changes ?? [])
        expect([code, count]).toEqual(['change_kinds_mixed', 8040])
    },
  )

  it('are whole numbers as their digits and others as floating point, where the column was of numbers before', async () => {
    const { run, rows } = await read(
      `CREATE TABLE t (id INTEGER PRIMARY KEY, code); ${blocks}
       INSERT INTO t SELECT i, CASE i WHEN 100 THEN 0.5 WHEN 5000 THEN 'n/a' ELSE 7 END FROM r WHERE i <= 6000`,
    )
    const odd = new Map([
      [99, '0.5'],
      [4999, 'n/a'],
    ])
    expect(rows.map(({ code }) => code)).toEqual(rows.map((_, at) => odd.get(at) ?? '7'))
    expect(run.steps[0]?.changes).toMatchObject([{ column: 'code', code: 'change_kinds_mixed', count: 5999 }])
  })

  it('keep every digit of integers that come after fractions', async () => {
    const { rows } = await read(
      `CREATE TABLE t (n); ${blocks} INSERT INTO t SELECT 1.0 FROM r WHERE i <= 5000; INSERT INTO t VALUES (9007199254740993), (NULL)`,
    )
    expect(rows.map(({ n }) => n)).toEqual([...Array.from({ length: 5000 }, () => '1.0'), '9007199254740993', null])
  })

  it('stay numbers in a table that is made with the type of their column', async () => {
    const path = join(temporaryFolder(), 'app.db')
    const db = new Database(path)
    db.exec(`CREATE TABLE t (r REAL, i INTEGER, n NUMERIC, b BLOB); ${blocks}
      INSERT INTO t SELECT CASE i % 4 WHEN 0 THEN 1.0 WHEN 1 THEN 1e16 WHEN 2 THEN 1e-7 ELSE 0.1 + 0.2 END, i * 1e11, i / 8.0, i FROM r;
      INSERT INTO t VALUES ('n/a', 'n/a', 'n/a', 'n/a')`)
    const run = await runTask(
      `{etl: 1, kind: pipeline, name: copy, connectors: {db: {type: sqlite, access: read_write}}, source: {connector: db, sql: {table: t}}, target: {connector: db, table: u}}`,
      { db: sqliteConnector(path) },
    )
    expect(run.error).toBeUndefined()
    const all = (table: string) =>
      db
        .prepare(`SELECT typeof(r), r, typeof(i), i, typeof(n), n FROM ${table} ORDER BY rowid`)
        .raw()
        .safeIntegers()
        .all()
    expect(all('u')).toEqual(all('t'))
    db.close()
  })
})

/** Bytes are shown in hexadecimal. */
function text(value: unknown): string {
  const words = String(value)
  return words.startsWith(String.raw`\x`) ? Buffer.from(words.slice(2), 'hex').toString() : words
}

describe('a query for several systems', () => {
  // In PostgreSQL comments nest: all but the last word is one.
  it.each(['EXPLAIN', 'PRAGMA user_version -- '])('is one SELECT in the words of SQLite: %s', async (words) => {
    const path = join(temporaryFolder(), 'app.db')
    new Database(path).close()
    const run = await runTask(
      `etl: 1
kind: pipeline
name: read
connectors: {db: {types: [postgres, sqlite], access: read}, out: {type: file, access: write}}
source: {connector: db, sql: {query: "${'/**/'.repeat(60)}/* /**/ ${words} SELECT 1 AS one -- */ SELECT 1 AS one"}}
target: {connector: out, file: {path: o.parquet}}
`,
      { db: sqliteConnector(path), out: fileConnector(temporaryFolder()) },
    )
    expect(run.error?.code).toBe('SQL_NOT_ALLOWED')
  })
})
