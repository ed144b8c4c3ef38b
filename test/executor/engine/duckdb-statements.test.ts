import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { connectorRunner } from '../../../src/executor/connectors/registry.ts'
import { duckFile, end, holdOpen, runElsewhere, type DuckFile } from './duckdb-fixture.ts'
import { runTask, temporaryFolder, type FinishedRun } from './run-task.ts'

let db: DuckFile
beforeEach(() => {
  db = duckFile()
})

const sqlTask = (work: string): Promise<FinishedRun> =>
  runTask(
    `etl: 1\nkind: sql\nname: test\nconnectors: {db: {type: duckdb, access: write}}\nsql:\n  connector: db\n  ${work}\n`,
    {
      db: db.bound,
    },
  )
const statements = (...list: string[]): Promise<FinishedRun> => sqlTask(`statements: ${JSON.stringify(list)}`)

describe('statements in a DuckDB file', () => {
  it('run one after the other, bind values, and say what they changed and gave', async () => {
    const run = await sqlTask(
      `statements: ["CREATE TABLE t (id BIGINT, s VARCHAR)", "INSERT INTO t SELECT range, :s FROM range(:n) WHERE range IN (SELECT unnest(:list))", "UPDATE warehouse.main.t SET s = 'b' WHERE id = 1 RETURNING id"]\n  params: {n: 3, s: "a'", list: [0, 1, 2]}`,
    )
    expect(run.error).toBeUndefined()
    expect(run.item_count).toBe(4)
    expect(await db.sql('SELECT * FROM t ORDER BY id')).toEqual([
      ['0', "a'"],
      ['1', 'b'],
      ['2', "a'"],
    ])
  })

  it('are taken back together when one fails', async () => {
    await db.sql('CREATE TABLE t (id BIGINT PRIMARY KEY)')
    const run = await sqlTask(
      `statements: ["INSERT INTO t VALUES (1)", "INSERT INTO t VALUES (1)"]\n  transaction: true`,
    )
    expect(run.error?.code).toBe('CONSTRAINT_VIOLATED')
    expect(await db.sql('SELECT * FROM t')).toEqual([])
  })

  it('make a table anew', async () => {
    await db.sql('CREATE TABLE t AS SELECT 1 AS old')
    const run = await sqlTask('create_as: t\n  query: "SELECT range AS id FROM range(4)"')
    expect(run.error).toBeUndefined()
    expect(run.item_count).toBe(4)
    expect(await db.sql('SELECT max(id) FROM t')).toEqual([['3']])
  })

  it('reach nothing but the file', async () => {
    await db.sql('CREATE TABLE t AS SELECT 1 AS id')
    const folder = dirname(db.path)
    for (const statement of [
      `CREATE TABLE u AS SELECT * FROM read_text('/etc/passwd')`,
      `COPY t TO '${folder}/x.csv'`,
      `ATTACH '${folder}/other.duckdb' AS o`,
      `ATTACH ':memory:' AS m`,
      `DETACH warehouse`,
      `EXPORT DATABASE '${folder}/all'`,
      `INSTALL httpfs`,
      `LOAD httpfs`,
      `SET enable_external_access = true`,
      `SET lock_configuration = false`,
      `PRAGMA profiling_output = '${folder}/p.json'`,
      `CALL enable_logging(storage = 'file', storage_path = '${folder}/log')`,
      `CREATE PERSISTENT SECRET s (TYPE http, BEARER_TOKEN 'x')`,
      `SELECT 1; SELECT 2`,
    ]) {
      const run = await statements(statement)
      expect({ statement, status: run.status }).toEqual({ statement, status: 'failed' })
    }
    expect(['x.csv', 'other.duckdb', 'all', 'p.json', 'log'].filter((file) => existsSync(join(folder, file)))).toEqual(
      [],
    )
  })

  it.each([
    "CALL enable_logging(storage = 'file', storage_path = '/any/log')",
    "SELECT * FROM enable_logging(storage = 'file', storage_path = '/any/log')",
    "EXPLAIN ANALYZE CALL enable_logging(storage = 'file', storage_path = '/any/log')",
    'CALL pragma_version()',
  ])('do not change DuckDB itself: %s', async (statement) => {
    const run = await statements(statement)
    expect(run.error).toMatchObject({
      code: 'SQL_NOT_ALLOWED',
      message: expect.stringMatching(/Tasks may not use/) as string,
    })
  })

  it.each([
    ['SELEC 1', 'SQL_INVALID'],
    ["PREPARE p AS ATTACH 'other.duckdb' AS o", 'SQL_INVALID'],
    ["IMPORT DATABASE '/tmp'", 'SQL_NOT_ALLOWED'],
  ])('name the mistake that keeps them from being read: %s', async (statement, code) => {
    expect((await statements(statement)).error?.code).toBe(code)
  })

  it('leave nothing half done when their process is killed', async () => {
    await db.sql('CREATE TABLE t AS SELECT range AS id FROM range(10)')
    const child = runElsewhere(
      `etl: 1\nkind: sql\nname: test\nconnectors: {db: {type: duckdb, access: write}}\nsql: {connector: db, transaction: true, statements: ["DELETE FROM t", "INSERT INTO t SELECT sum(a.range * b.range) FROM range(300000) a, range(300000) b"]}\n`,
      { db: db.bound },
    )
    try {
      // Another program is kept out as soon as the statements run.
      await expect
        .poll(
          () =>
            db.sql('SELECT 1').then(
              () => false,
              (error: unknown) => /lock/.test(String(error)),
            ),
          { timeout: 60_000, interval: 20 },
        )
        .toBe(true)
    } finally {
      await end(child)
    }
    expect(await db.sql('SELECT count(*) FROM t')).toEqual([['10']])
  })
})

describe('a connector to a DuckDB file', () => {
  const io = () => ({ signal: new AbortController().signal, tempDir: temporaryFolder() })

  it('is tested stage by stage', async () => {
    const missing = await connectorRunner(db.bound).test(db.bound, io())
    expect(missing).toMatchObject({ ok: true, checks: [{ name: 'open', ok: true }] })
    expect(existsSync(db.path)).toBe(false)
    await db.sql('CREATE TABLE t AS SELECT 1 AS id')
    const sound = await connectorRunner(db.bound).test(db.bound, io())
    expect(sound.checks.map((check) => [check.name, check.ok])).toEqual([
      ['open', true],
      ['read_probe', true],
      ['write_probe', true],
    ])
    const readOnly = duckFile(dirname(db.path), 'warehouse.duckdb', { read_only: true }).bound
    expect((await connectorRunner(readOnly).test(readOnly, io())).checks).toHaveLength(2)
    expect(await db.sql('SELECT count(*) FROM duckdb_tables()')).toEqual([['1']])
    const letGo = await holdOpen(db.path)
    try {
      const held = await connectorRunner(db.bound).test(db.bound, io())
      expect(held.ok).toBe(false)
      expect(held.checks[0]?.message).toContain('in use by')
      expect(held.checks[0]?.error?.message).toContain('Could not set lock')
    } finally {
      await letGo()
    }
  })

  it('lists tables and views, and describes them', async () => {
    await db.sql(`CREATE SCHEMA sales; CREATE TABLE sales.orders (id BIGINT PRIMARY KEY, s VARCHAR NOT NULL DEFAULT 'x', l BIGINT[]);
      INSERT INTO sales.orders VALUES (1, 'a', [1]), (9007199254740993, 'b', NULL); CREATE INDEX by_s ON sales.orders (s); CREATE VIEW v AS SELECT 1 AS one`)
    const runner = connectorRunner(db.bound)
    expect((await runner.listResources(db.bound, null, io())).resources).toEqual([
      { name: 'sales.orders', kind: 'table', row_estimate: 2, bytes: null },
      { name: 'v', kind: 'view', row_estimate: null, bytes: null },
    ])
    expect((await runner.listResources(db.bound, 'ORD', io())).resources).toHaveLength(1)
    const detail = await runner.getResource(db.bound, 'sales.orders', io())
    expect(detail.columns.map((column) => [column.name, column.type, column.nullable, column.primary_key])).toEqual([
      ['id', 'BIGINT', false, true],
      ['s', 'VARCHAR', false, false],
      ['l', 'BIGINT[]', true, false],
    ])
    expect(detail.indexes).toEqual([
      { name: 'primary key', columns: ['id'], unique: true },
      { name: 'by_s', columns: ['s'], unique: false },
    ])
    expect(detail.sample.rows).toEqual([
      [1, 'a', [1]],
      ['9007199254740993', 'b', null],
    ])
    expect((await runner.getResource(db.bound, 'v', io())).sample.rows).toEqual([[1]])
    await expect(runner.getResource(db.bound, 'w', io())).rejects.toMatchObject({ code: 'TABLE_NOT_FOUND' })
  })
})
