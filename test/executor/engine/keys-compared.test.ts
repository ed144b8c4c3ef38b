import Database from 'better-sqlite3'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import type { BoundConnector } from '../../../src/contract/executor-protocol.ts'
import { duckFile } from './duckdb-fixture.ts'
import { useMariaDb } from './mariadb-fixture.ts'
import { usePostgres } from './postgres-fixture.ts'
import { runTask, sqliteConnector, temporaryFolder, type FinishedRun } from './run-task.ts'

type Row = Record<string, unknown>
const inOrder = (a: unknown, b: unknown): number => (String(a) < String(b) ? -1 : 1)

interface System {
  /** Of the source, and of the target. Where they are one, the database copies by itself. */
  bound: [BoundConnector, BoundConnector]
  exec(sql: string): Promise<void>
  rows(sql: string): Promise<Row[]>
  /** Of text that ignores case. */
  ci: string
  /** Of text that also ignores what follows, which is not the same key; and such a pair. */
  loose: [type: string, one: string, other: string]
}

const postgres = usePostgres()
const maria = useMariaDb()

const onPostgres = (bound: [BoundConnector, BoundConnector]): System => ({
  bound,
  exec: async (sql) =>
    void (await postgres.query(
      `CREATE COLLATION IF NOT EXISTS app.ci (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
       CREATE COLLATION IF NOT EXISTS app.base (provider = icu, locale = 'und-u-ks-level1', deterministic = false); ${sql}`,
    )),
  rows: postgres.query,
  ci: 'varchar(40) COLLATE app.ci',
  loose: ['varchar(40) COLLATE app.base', 'resume', 'résumé'],
})

const onSqlite = (same: boolean): System => {
  const path = join(temporaryFolder(), 'a.db')
  const open = <T>(work: (db: Database.Database) => T): T => {
    const db = new Database(path)
    try {
      return work(db)
    } finally {
      db.close()
    }
  }
  const one = sqliteConnector(path)
  return {
    bound: [one, same ? one : sqliteConnector(path)],
    exec: async (sql) => void open((db) => db.exec(sql)),
    rows: async (sql) => open((db) => db.prepare(sql).all() as Row[]), // rows are objects
    ci: 'TEXT COLLATE NOCASE',
    loose: ['TEXT COLLATE RTRIM', 'a', 'a '],
  }
}

const onMaria = (): System => {
  const bound = maria.connector()
  return {
    bound: [bound, bound],
    exec: async (sql) => void (await maria.query(sql)),
    rows: maria.query,
    ci: 'varchar(40) COLLATE utf8mb4_general_ci',
    loose: ['varchar(40) COLLATE utf8mb4_general_ci', '😀', '🎉'],
  }
}

const systems: Record<string, () => System> = {
  PostgreSQL: () => onPostgres([postgres.connector(1), postgres.connector(2)]),
  'PostgreSQL, in one database': () => onPostgres([postgres.connector(1), postgres.connector(1)]),
  SQLite: () => onSqlite(false),
  'SQLite, in one database': () => onSqlite(true),
  MariaDB: onMaria,
}

describe.each(Object.keys(systems))('keys in %s', (title) => {
  let system: System
  beforeEach(async () => {
    system = systems[title]!()
  })

  const load = (target: string): Promise<FinishedRun> => {
    const [a, b] = system.bound
    return runTask(
      `
etl: 1
kind: pipeline
name: t
connectors: {a: {type: ${a.type}, access: read}, b: {type: ${b.type}, access: write}}
source: {connector: a, sql: {table: s}}
target: {connector: b, table: t, ${target}}
`,
      { a, b },
    )
  }
  const upsert = () => load('mode: upsert, key: [k]')
  const deleteInsert = () => load('mode: delete_insert, key: [k]')
  const values = (rows: string[][]): string =>
    rows.map((row) => `(${row.map((value) => `'${value}'`).join(', ')})`).join(', ')
  /** What comes in keeps whatever differs apart. */
  const come = (...rows: string[][]) =>
    system.exec(
      `CREATE TABLE s (k varchar(40), v varchar(40))${system.bound[0].type === 'mysql' ? ' COLLATE utf8mb4_nopad_bin' : ''}; INSERT INTO s VALUES ${values(rows)}`,
    )
  const stand = (column: string, ...rows: string[][]) =>
    system.exec(`CREATE TABLE t (k ${column}, v varchar(40)); INSERT INTO t VALUES ${values(rows)}`)
  const content = async () => (await system.rows('SELECT k, v FROM t')).map(({ k, v }) => [k, v]).toSorted(inOrder)
  const summary = (run: FinishedRun): string =>
    run.log.findLast(({ message }) => / into t: /.test(message))?.message ?? ''

  const refuses = (run: FinishedRun, ...keys: string[]): void => {
    expect(run.error).toMatchObject({ code: 'KEY_NOT_UNIQUE', step: 'target', retryable: false })
    expect(run.error?.message).toMatch(/^Table t treats two different keys as equal: `.*` and `.*` \(key column `k`\)$/)
    for (const key of keys) expect(run.error?.message).toContain(`\`${key}\``)
  }

  test.each<[string, string[][]]>([
    ['are not there yet', [['x', 'old']]],
    ['find a row', [['A', 'old']]],
    ['find a row that is as it should be', [['A', 'two']]],
  ])('two that come in, and that the table takes for equal, fail an upsert (they %s)', async (_, before) => {
    await stand(`${system.ci} PRIMARY KEY`, ...before)
    await come(['a', 'one'], ['b', 'b'], ['A', 'two'])
    refuses(await upsert(), 'a', 'A')
    expect(await content()).toEqual(before)
  })

  test('fail an upsert also where nothing but keys is written', async () => {
    await system.exec(`CREATE TABLE t (k ${system.ci} PRIMARY KEY)`)
    await system.exec(`CREATE TABLE s (k varchar(40)); INSERT INTO s VALUES ('a'), ('A')`)
    refuses(await upsert(), 'a', 'A')
    expect(await system.rows('SELECT * FROM t')).toEqual([])
  })

  test('in another case find their row, which is spelled anew', async () => {
    await stand(`${system.ci} PRIMARY KEY`, ['ABC', 'old'], ['DEF', 'same'], ['ghi', 'same'])
    await come(['abc', 'new'], ['def', 'same'], ['ghi', 'same'])
    const run = await upsert()
    expect(run.error).toBeUndefined()
    expect(summary(run)).toBe('Upserted 3 rows into t: 0 inserted, 2 updated, 1 unchanged')
    const after = [
      ['abc', 'new'],
      ['def', 'same'],
      ['ghi', 'same'],
    ]
    expect(await content()).toEqual(after)
    expect(summary(await upsert())).toBe('Upserted 3 rows into t: 0 inserted, 0 updated, 3 unchanged')
    expect(await content()).toEqual(after)
  })

  test('of other letters never find the row of another key', async () => {
    const [type, one, other] = system.loose
    await stand(`${type} PRIMARY KEY`, [other, 'old'])
    await come([one, 'new'], ['b', 'b'])
    refuses(await upsert(), one, other)
    expect(await content()).toEqual([[other, 'old']])
  })

  test.each([0, 1])('of other letters never delete the rows of another key (%i)', async (turn) => {
    const [type, one, other] = turn === 0 ? system.loose : [system.ci, 'a', 'A']
    await stand(type, [other, 'old'], [one, 'old'])
    await come([one, 'new'], ['b', 'b'])
    refuses(await deleteInsert(), one, other)
    expect(await content()).toEqual(
      [
        [other, 'old'],
        [one, 'old'],
      ].toSorted(inOrder),
    )
  })

  test('that come in as one for the table fail `delete_insert`', async () => {
    await stand(system.ci, ['x', 'old'])
    await come(['a', 'one'], ['A', 'two'])
    refuses(await deleteInsert(), 'a', 'A')
    expect(await content()).toEqual([['x', 'old']])
  })

  test('that are the same delete and find their rows', async () => {
    await stand(system.ci, ['a', 'old'], ['a', 'older'], ['b', 'old'])
    await come(['a', 'one'], ['a', 'two'], ['c', 'three'])
    const run = await deleteInsert()
    expect(run.error).toBeUndefined()
    expect(await content()).toEqual([
      ['a', 'one'],
      ['a', 'two'],
      ['b', 'old'],
      ['c', 'three'],
    ])
    expect(run.log.map(({ message }) => message)).toContain('Deleted the 2 rows of t whose keys came in, inserted 3')
  })

  test('of several columns are compared together', async () => {
    await system.exec(
      `CREATE TABLE t (k ${system.ci}, n integer, v varchar(40), PRIMARY KEY (k, n)); INSERT INTO t VALUES ('A', 1, 'old');
       CREATE TABLE s (k varchar(40), n integer, v varchar(40)); INSERT INTO s VALUES ('a', 1, 'new'), ('A', 2, 'new')`,
    )
    const run = await load('mode: upsert, key: [k, n]')
    expect(run.error).toBeUndefined()
    expect(await system.rows('SELECT k, n, v FROM t ORDER BY n')).toEqual([
      { k: 'a', n: 1, v: 'new' },
      { k: 'A', n: 2, v: 'new' },
    ])
    await system.exec(`INSERT INTO s VALUES ('A', 1, 'again')`)
    const failed = await load('mode: upsert, key: [k, n]')
    expect(failed.error?.code).toBe('KEY_NOT_UNIQUE')
    expect(failed.error?.message).toMatch(/`a, 1` and `A, 1`|`A, 1` and `a, 1`/)
    expect(failed.error?.message).toContain('(key columns `k`, `n`)')
  })

  test('do not keep a value of another column from being written as it comes', async () => {
    await system.exec(
      `CREATE TABLE t (k integer PRIMARY KEY, v ${system.ci}); INSERT INTO t VALUES (1, 'ABC'), (2, 'same');
       CREATE TABLE s (k integer, v varchar(40)); INSERT INTO s VALUES (1, 'abc'), (2, 'same')`,
    )
    expect(summary(await upsert())).toBe('Upserted 2 rows into t: 0 inserted, 1 updated, 1 unchanged')
    expect(await content()).toEqual([
      [1, 'abc'],
      [2, 'same'],
    ])
    expect(summary(await upsert())).toBe('Upserted 2 rows into t: 0 inserted, 0 updated, 2 unchanged')
  })

  test('are told apart by a table that the run makes', async () => {
    await come(
      ['a', 'one'],
      ['A', 'two'],
      ['a ', 'three'],
      ['😀', 'four'],
      ['🎉', 'five'],
      ['é', 'six'],
      ['e', 'seven'],
    )
    for (const turn of ['inserted', 'unchanged']) {
      const run = await upsert()
      expect(run.error).toBeUndefined()
      expect(summary(run)).toContain(`7 ${turn}`)
    }
    expect(await content()).toHaveLength(7)
    await system.exec(`DROP TABLE t; DELETE FROM s WHERE v = 'three'`)
    expect((await deleteInsert()).error).toBeUndefined()
    await system.exec(`DELETE FROM s WHERE v <> 'one'; UPDATE s SET k = 'a ', v = 'three'`)
    expect((await deleteInsert()).error).toBeUndefined()
    expect((await content()).map(([, v]) => String(v)).toSorted()).toEqual([
      'five',
      'four',
      'one',
      'seven',
      'six',
      'three',
      'two',
    ])
  })
})

const many = 12_000
test.each(['upsert', 'delete_insert'])('keys in MariaDB far apart are compared as well (%s)', async (mode) => {
  const system = onMaria()
  await system.exec(
    `CREATE TABLE t (k varchar(40) COLLATE utf8mb4_general_ci, v int, ${mode === 'upsert' ? 'UNIQUE' : 'INDEX'} (k)); INSERT INTO t VALUES ('old', 1)`,
  )
  const run = await runTask(
    `
etl: 1
kind: pipeline
name: t
connectors: {b: {type: mysql, access: write}}
source: {inline: {rows: [{n: 1}]}}
steps: [{sql: "SELECT CASE i WHEN ${many - 1} THEN 'KEY 1' ELSE 'key ' || i END AS k, i AS v FROM range(${many}) r(i), stream"}]
target: {connector: b, table: t, mode: ${mode}, key: [k]}
`,
    { b: system.bound[1] },
  )
  expect(run.error?.message).toMatch(/`key 1` and `KEY 1`|`KEY 1` and `key 1`/)
  expect(await system.rows('SELECT * FROM t')).toEqual([{ k: 'old', v: 1 }])
})

test.each([
  ['mode: upsert, key: [k]', `('a', 'one'), ('a ', 'two')`, `('x', 'old')`],
  ['mode: upsert, key: [k]', `('a', 'one')`, `('a ', 'old')`],
  ['mode: delete_insert, key: [k]', `('a', 'one')`, `('a ', 'old')`],
])(
  'blanks at the end of keys in MariaDB tables that ignore them are noticed (%s, %s)',
  async (target, rows, before) => {
    const system = onMaria()
    // As earlier versions of Headgate have made them.
    await system.exec(`CREATE TABLE t (k varchar(255) COLLATE utf8mb4_bin PRIMARY KEY, v longtext); INSERT INTO t VALUES ${before};
    CREATE TABLE s (k varchar(40), v varchar(40)) COLLATE utf8mb4_nopad_bin; INSERT INTO s VALUES ${rows}`)
    if (target.includes('delete')) await system.exec('ALTER TABLE t DROP PRIMARY KEY')
    const run = await runTask(
      `
etl: 1
kind: pipeline
name: t
connectors: {a: {type: mysql, access: read}, b: {type: mysql, access: write}}
source: {connector: a, sql: {table: s}}
target: {connector: b, table: t, ${target}}
`,
      { a: system.bound[0], b: system.bound[1] },
    )
    expect(run.error?.code).toBe('KEY_NOT_UNIQUE')
    expect(run.error?.message).toMatch(/`a` and `a `|`a ` and `a`/)
    expect(await system.rows(`SELECT v FROM t`)).toEqual([{ v: 'old' }])
  },
)

test('keys in MariaDB that meet each other are told, also where another index might be the cause', async () => {
  const system = onMaria()
  await system.exec(`CREATE TABLE t (k varchar(40) PRIMARY KEY, v int UNIQUE) COLLATE utf8mb4_general_ci`)
  const run = await runTask(
    `
etl: 1
kind: pipeline
name: t
connectors: {b: {type: mysql, access: write}}
source: {inline: {rows: [{k: a, v: 1}, {k: b, v: 2}, {k: A, v: 3}]}}
target: {connector: b, table: t, mode: upsert, key: [k]}
`,
    { b: system.bound[1] },
  )
  expect(run.error?.message).toMatch(/^Table t treats two different keys as equal: `a` and `A`/)
  expect(await system.rows('SELECT * FROM t')).toEqual([])
})

test('DuckDB keeps keys apart whatever their collation, and values are written as they come', async () => {
  const { bound, sql } = duckFile()
  await sql(
    `CREATE TABLE t (k VARCHAR COLLATE NOCASE PRIMARY KEY, v VARCHAR COLLATE NOCASE); INSERT INTO t VALUES ('abc', 'X'), ('ABC', 'y')`,
  )
  const run = (target: string) =>
    runTask(
      `
etl: 1
kind: pipeline
name: t
connectors: {b: {type: duckdb, access: write}}
source: {inline: {rows: [{k: abc, v: x}, {k: Abc, v: z}]}}
target: {connector: b, table: t, ${target}}
`,
      { b: bound },
    )
  for (const counts of ['1 inserted, 1 updated, 0 unchanged', '0 inserted, 0 updated, 2 unchanged']) {
    const upserted = await run('mode: upsert, key: [k]')
    expect(upserted.log.findLast(({ message }) => message.startsWith('Upserted'))?.message).toContain(counts)
  }
  const deleted = await run('mode: delete_insert, key: [k]')
  expect(deleted.log.map(({ message }) => message)).toContain('Deleted the 2 rows of t whose keys came in, inserted 2')
  expect((await sql(`SELECT k || v FROM t`)).map(String).toSorted()).toEqual(['ABCy', 'Abcz', 'abcx'])
})

describe('values that are equal, but not the same, are written by an upsert', () => {
  test('PostgreSQL: numbers, JSON and text by their bytes', async () => {
    await postgres.query(`CREATE EXTENSION IF NOT EXISTS citext WITH SCHEMA public;
      CREATE TABLE t (id integer PRIMARY KEY, n numeric, f double precision, j jsonb, c public.citext);
      INSERT INTO t VALUES (1, 1.0, 0, '{"a": 1.0}', 'ABC'), (2, 2, 2, '2', 'same');
      CREATE TABLE s AS SELECT id, n, f, j, c::text FROM t; UPDATE s SET n = 1.00 WHERE id = 1`)
    const run = async (id: number) =>
      (
        await runTask(
          `
etl: 1
kind: pipeline
name: t
connectors: {a: {type: postgres, access: read}, b: {type: postgres, access: write}}
source: {connector: a, sql: {query: "SELECT id, n, f, j FROM s"}}
target: {connector: b, table: t, mode: upsert, key: [id]}
`,
          { a: postgres.connector(1), b: postgres.connector(id) },
        )
      ).log.findLast(({ message }) => message.startsWith('Upserted'))?.message
    for (const change of ['n = 1.000', `f = '-0'`, `j = '{"a": 1.00}'`])
      for (const id of [1, 2]) {
        await postgres.query(
          `UPDATE s SET ${change} WHERE id = 1; UPDATE t SET n = 1.0, f = 0, j = '{"a": 1.0}' WHERE id = 1`,
        )
        expect(await run(id)).toBe('Upserted 2 rows into t: 0 inserted, 1 updated, 1 unchanged')
        expect(await run(id)).toBe('Upserted 2 rows into t: 0 inserted, 0 updated, 2 unchanged')
      }
    expect(await postgres.query('SELECT n::text, f::text, j::text FROM t WHERE id = 1')).toEqual([
      { n: '1.000', f: '-0', j: '{"a": 1.00}' },
    ])
  })

  test('SQLite: 1 and 1.0 where a column keeps values of any type', async () => {
    const system = onSqlite(true)
    await system.exec(
      `CREATE TABLE t (id INTEGER PRIMARY KEY, v); INSERT INTO t VALUES (1, 1); CREATE TABLE s (id INTEGER, v); INSERT INTO s VALUES (1, 1.0)`,
    )
    const run = await runTask(
      `
etl: 1
kind: pipeline
name: t
connectors: {a: {type: sqlite, access: read}, b: {type: sqlite, access: write}}
source: {connector: a, sql: {table: s}}
target: {connector: b, table: t, mode: upsert, key: [id]}
`,
      { a: system.bound[0], b: system.bound[1] },
    )
    expect(run.error).toBeUndefined()
    expect(await system.rows('SELECT typeof(v) AS type FROM t')).toEqual([{ type: 'real' }])
  })
})

test.each(['citext', 'text, a unique index of its own collation', 'character(5)'])(
  'keys in PostgreSQL of type %s are compared as the table does',
  async (type) => {
    await postgres.query(`CREATE EXTENSION IF NOT EXISTS citext WITH SCHEMA public;
      CREATE COLLATION app.ci (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
      CREATE TABLE t (k ${type.startsWith('text') ? 'text' : type === 'citext' ? 'public.citext' : type}, v text);
      CREATE UNIQUE INDEX ON t (k${type.startsWith('text') ? ' COLLATE app.ci' : ''}) INCLUDE (v)`)
    const run = await runTask(
      `
etl: 1
kind: pipeline
name: t
connectors: {b: {type: postgres, access: write}}
source: {inline: {rows: [{k: a, v: one}, {k: "${type.startsWith('char') ? 'a ' : 'A'}", v: two}]}}
target: {connector: b, table: t, mode: upsert, key: [k]}
`,
      { b: postgres.connector() },
    )
    expect(run.error?.message).toMatch(/^Table t treats two different keys as equal/)
    expect(await postgres.query('SELECT * FROM t')).toEqual([])
  },
)
