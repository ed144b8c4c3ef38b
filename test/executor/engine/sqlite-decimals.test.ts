import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { fileConnector, runTask, sqliteConnector, temporaryFolder, type FinishedRun } from './run-task.ts'

/** What Python's own client of SQLite finds: any client must. */
describe('decimals in SQLite', () => {
  let path: string
  beforeEach(() => {
    path = join(temporaryFolder(), 'app.db')
  })

  const ask = (code: string): unknown =>
    JSON.parse(
      execFileSync('python3', ['-c', `import json, sqlite3, sys\ndb = sqlite3.connect(sys.argv[1])\n${code}`, path], {
        encoding: 'utf8',
      }),
    )
  const all = (sql: string): unknown => ask(`print(json.dumps(db.execute(${JSON.stringify(sql)}).fetchall()))`)
  const exec = (sql: string): unknown => ask(`db.executescript(${JSON.stringify(sql)})\nprint('null')`)

  const write = (query: string, target: string): Promise<FinishedRun> =>
    runTask(
      `etl: 1
kind: pipeline
name: write
connectors: {db: {type: sqlite, access: write}}
source: {inline: {rows: [{one: 1}]}}
steps: [{sql: "${query}"}]
target: {connector: db, table: t, ${target}}
`,
      { db: sqliteConnector(path) },
    )
  const read = (sql: string): Promise<FinishedRun> =>
    runTask(
      `etl: 1
kind: pipeline
name: read
connectors: {db: {type: sqlite}, out: {type: file, access: write}}
source: {connector: db, sql: ${sql}}
target: {connector: out, file: {path: o.parquet}}
`,
      { db: sqliteConnector(path), out: fileConnector(temporaryFolder()) },
    )

  const many = `SELECT i AS id, CAST((i * 7919 % 1000003) - 500000 AS DECIMAL(18,2)) / 100 AS q, CAST(CAST((i * 7919 % 1000003) - 500000 AS DECIMAL(38,2)) / 100 AS DECIMAL(18,2)) AS amount, CAST(i AS DECIMAL(20,0)) * 90071992547 AS large FROM range(200000) AS r(i)`

  it('compare, add up and use an index for every client, over 200,000 rows', async () => {
    expect((await write(many, 'mode: replace')).error).toBeUndefined()
    const found = ask(`
from decimal import Decimal
rows = db.execute('SELECT id, amount, large FROM t').fetchall()
exact = {i: Decimal(i * 7919 % 1000003 - 500000) / 100 for i in range(200000)}
assert len(rows) == 200000
assert all(Decimal(str(amount)) == exact[i] and large == i * 90071992547 for i, amount, large in rows)
db.execute('CREATE INDEX by_amount ON t (amount)')
one = lambda sql: db.execute(sql).fetchone()
print(json.dumps({
  'kinds': one("SELECT group_concat(DISTINCT typeof(large)) FROM t"),
  'texts': one("SELECT count(*) FROM t WHERE typeof(amount) = 'text'"),
  'above': one('SELECT count(*) FROM t WHERE amount > 1000')[0] - sum(v > 1000 for v in exact.values()),
  'greatest': one('SELECT max(amount), min(amount) FROM t') == (float(max(exact.values())), float(min(exact.values()))),
  'sum': abs(Decimal(one('SELECT sum(amount) FROM t')[0]) - sum(exact.values())) < Decimal('0.01'),
  'order': [r[0] for r in db.execute('SELECT id FROM t ORDER BY amount, id')] == sorted(exact, key=lambda i: (exact[i], i)),
  'plan': one('EXPLAIN QUERY PLAN SELECT id FROM t WHERE amount > 1000')[3],
  'declared': db.execute("SELECT name, type FROM pragma_table_info('t') WHERE name IN ('amount', 'large')").fetchall(),
}))`)
    expect(found).toEqual({
      kinds: ['integer'],
      texts: [0],
      above: 0,
      greatest: true,
      sum: true,
      order: true,
      plan: 'SEARCH t USING INDEX by_amount (amount>?)',
      declared: [
        ['amount', 'DECIMAL(18,2)'],
        ['large', 'DECIMAL(38,0)'],
      ],
    })
  })

  it('come back with their type and every digit, also where whole numbers exceed floating point', async () => {
    const query = `SELECT * FROM (VALUES (1, 9007199254740993.00::DECIMAL(18,2), 0.0000000001::DECIMAL(38,10)), (2, 0.1, 12345.6789012345), (3, -1234567890123.45, -7), (4, NULL, NULL)) AS v(id, a, b)`
    expect((await write(query, 'mode: replace')).error).toBeUndefined()
    expect(all('SELECT a, typeof(a), b, typeof(b) FROM t ORDER BY id')).toEqual([
      // 9007199254740993 is no number of JavaScript's.
      [Number('9007199254740993'), 'integer', 1e-10, 'real'],
      [0.1, 'real', 12345.6789012345, 'real'],
      [-1234567890123.45, 'real', -7, 'integer'],
      [null, 'null', null, 'null'],
    ])
    const back = await runTask(
      `etl: 1
kind: pipeline
name: read
connectors: {db: {type: sqlite}, again: {type: sqlite, access: write}}
source: {connector: db, sql: {query: "SELECT id, a, b FROM t"}}
steps: [{cast: {a: string, b: string}}]
target: {connector: again, table: texts}
`,
      { db: sqliteConnector(path), again: sqliteConnector(path) },
    )
    expect(back.error).toBeUndefined()
    expect(back.steps[0]?.columns.map(({ type }) => type)).toEqual(['BIGINT', 'DECIMAL(18,2)', 'DECIMAL(38,10)'])
    expect(all('SELECT a, b FROM texts ORDER BY id')).toEqual([
      ['9007199254740993.00', '0.0000000001'],
      ['0.10', '12345.6789012345'],
      ['-1234567890123.45', '-7.0000000000'],
      [null, null],
    ])
  })

  it('that floating point cannot hold are refused with column, value, key and what to do', async () => {
    const query = `SELECT i AS id, CASE WHEN i = 777 THEN 1234567890123456.7812 ELSE 0.5 END::DECIMAL(20,4) AS amount FROM range(1000) AS r(i)`
    const run = await write(query, 'mode: upsert, key: [id]')
    expect(run.error?.message).toBe(
      'Column `amount` is DECIMAL(20,4), which SQLite keeps as a number and which cannot hold 1234567890123456.7812 (table t, id = 777)',
    )
    expect(run.error?.hint).toBe(
      'Add a `cast` step: `amount: {type: number, rounding: round}` accepts rounding, `amount: string` keeps every digit as text.',
    )
    expect(all("SELECT count(*) FROM sqlite_schema WHERE name = 't'")).toEqual([[0]])
  })

  it.each(['mode: append', 'mode: replace', 'mode: upsert, key: [k]', 'mode: delete_insert, key: [k]'])(
    'are numbers in every mode (%s), as keys, too',
    async (target) => {
      const rows = (v: string): string =>
        `SELECT CAST(i AS DECIMAL(18,3)) / 1000 AS q, CAST(i / 1000 AS DECIMAL(18,3)) AS k, CAST(${v} AS DECIMAL(38,4)) AS v FROM range(3000) AS r(i)`
      const first = await write(rows('i / 16'), target)
      expect(first.error).toBeUndefined()
      const second = await write(rows('i / 16 + 1000'), target)
      expect(second.error).toBeUndefined()
      const total = target === 'mode: append' ? 6000 : 3000
      expect(
        all("SELECT count(*), count(DISTINCT k), sum(typeof(k) = 'text' OR typeof(v) = 'text'), max(v) FROM t"),
      ).toEqual([[total, 3000, 0, 1187.4375]])
      expect(all('SELECT count(*) FROM t WHERE k = 0.007')).toEqual([[total / 3000]])
    },
  )

  it('stay text in columns that are text', async () => {
    exec(`CREATE TABLE t (id INTEGER PRIMARY KEY, amount DECIMAL_TEXT(18,2)); INSERT INTO t VALUES (1, '5.00')`)
    const run = await write('SELECT 2 AS id, 1234567890123456.70::DECIMAL(18,2) AS amount', 'mode: append')
    expect(run.error).toBeUndefined()
    expect(all('SELECT * FROM t')).toEqual([
      [1, '5.00'],
      [2, '1234567890123456.70'],
    ])
    expect(run.steps.at(-1)?.changes).toMatchObject([
      {
        column: 'amount',
        change: 'stored as text, which SQLite compares as text',
        count: 1,
        example: '1234567890123456.70',
      },
    ])
  })

  it('are read from a cursor on', async () => {
    expect((await write(many, 'mode: replace')).error).toBeUndefined()
    const task = `etl: 1
kind: pipeline
name: read
connectors: {db: {type: sqlite}, out: {type: file, access: write}}
source: {connector: db, sql: {table: t}}
state: {cursor: {field: amount, type: number}}
target: {connector: out, file: {path: o.parquet}}
`
    const bound = { db: sqliteConnector(path), out: fileConnector(temporaryFolder()) }
    const first = await runTask(task, bound)
    expect(first.error).toBeUndefined()
    expect([[Number(first.state?.cursor)]]).toEqual(all('SELECT max(amount) FROM t'))
    exec('INSERT INTO t (id, amount) VALUES (200001, 5000.03), (200002, 4.0)')
    const second = await runTask(task, bound, { state: first.state })
    expect(second.error).toBeUndefined()
    // The row at the cursor is read again.
    expect([second.item_count, Number(second.state?.cursor)]).toEqual([2, 5000.03])
  })

  it('of a column that also holds other numbers are read as stored, which is told', async () => {
    exec('CREATE TABLE t (id INTEGER, amount DECIMAL(10,2)); INSERT INTO t VALUES (1, 1.5), (2, 0.125), (3, 0.375)')
    const run = await read('{table: t}')
    expect(run.error).toBeUndefined()
    expect(run.steps[0]?.columns.map(({ type }) => type)).toEqual(['BIGINT', 'DOUBLE'])
    expect(run.steps[0]?.changes).toMatchObject([
      { column: 'amount', change: 'declared as DECIMAL(10,2), read as DOUBLE', count: 2, example: '0.125' },
    ])
  })
})
