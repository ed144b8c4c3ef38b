import Database from 'better-sqlite3'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { BoundConnector } from '../../../src/contract/executor-protocol.ts'
import { postgresPrograms, startPostgres, type PostgresServer } from '../../support/postgres.ts'
import { runTask, sqliteConnector, temporaryFolder, type RunOptions } from '../engine/run-task.ts'

interface System {
  bound: BoundConnector
  query(sql: string): Promise<Record<string, unknown>[]>
}

const task = (type: string, sql: string, more = ''): string => `etl: 1
kind: sql
name: work
connectors: {db: {type: ${type}, access: write}}
${more}
sql: {connector: db, ${sql}}
`

let server: PostgresServer
let client: pg.Client
beforeAll(async () => {
  server = await startPostgres()
  client = new pg.Client({ ...server })
  await client.connect()
})
afterAll(async () => {
  await client?.end()
  server?.stop()
})
beforeEach(async () => {
  await client.query('DROP SCHEMA IF EXISTS app CASCADE; CREATE SCHEMA app')
})

const systems: Record<string, () => System> = {
  sqlite() {
    const path = join(temporaryFolder(), 'app.db')
    return {
      bound: sqliteConnector(path),
      async query(sql) {
        const database = new Database(path)
        try {
          const statement = database.prepare(sql)
          if (statement.reader) return statement.all() as Record<string, unknown>[] // rows are objects by default
          statement.run()
          return []
        } finally {
          database.close()
        }
      },
    }
  },
  postgres: () => ({
    bound: {
      id: 9,
      name: 'dw',
      type: 'postgres',
      config: { host: server.host, port: server.port, database: server.database, user: server.user, schema: 'app' },
      secrets: { password: server.password },
    },
    async query(sql) {
      await client.query('SET search_path = app')
      return (await client.query<Record<string, unknown>>(sql)).rows
    },
  }),
}

describe.skipIf(postgresPrograms === null).each(Object.keys(systems))('tasks of kind sql in %s', (type) => {
  let system: System
  const run = (sql: string, options: RunOptions & { more?: string } = {}) =>
    runTask(task(type, sql, options.more), { db: system.bound }, options)
  beforeEach(async () => {
    system = systems[type]!()
    await system.query('CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT)')
  })

  it('do their statements in order, bind values, and count the rows that changed', async () => {
    const done = await run(
      `statements: ["INSERT INTO t (id, name) VALUES (1, :who), (2, 'b')", "UPDATE t SET name = upper(name)", "DELETE FROM t WHERE id = 2", "SELECT id, name FROM t"]`,
      {
        more: "args: {who: {type: string, default: \"o'a; DROP TABLE t\"}}\noutputs: {name: '${{ result.first.name }}', n: '${{ run.item_count }}'}",
      },
    )
    expect(done.error).toBeUndefined()
    expect(done.item_count).toBe(5)
    expect(done.outputs).toEqual({ name: "O'A; DROP TABLE T", n: 5 })
    expect(done.log.map(({ message }) => message).join('\n')).toMatch(/DELETE FROM t WHERE id = 2: 1 row changed/)
  })

  it('take everything back when one statement fails, and say which', async () => {
    const done = await run(`statements: ["INSERT INTO t VALUES (1, 'a')", "INSERT INTO t VALUES (1, 'b')"]`)
    expect(done.error).toMatchObject({ code: 'CONSTRAINT_VIOLATED' })
    expect(done.error?.message).toContain("Statement 2 of 2 (INSERT INTO t VALUES (1, 'b'))")
    expect(await system.query('SELECT * FROM t')).toEqual([])
  })

  it('keep what was done without a transaction', async () => {
    const done = await run(
      `transaction: false, statements: ["INSERT INTO t VALUES (1, 'a')", "INSERT INTO t VALUES (1, 'b')"]`,
    )
    expect(done.status).toBe('failed')
    expect(await system.query('SELECT * FROM t')).toEqual([{ id: 1, name: 'a' }])
    expect((await run(`transaction: false, statements: [VACUUM]`)).status).toBe('success')
  })

  it('make a table from a query that may read the table itself, and make it anew', async () => {
    await system.query(`INSERT INTO t VALUES (1, 'a'), (2, 'b'), (3, NULL)`)
    const make = () => run(`create_as: made, query: "SELECT id, name FROM t WHERE id <= :top", params: {top: 2}`)
    expect((await make()).item_count).toBe(2)
    expect((await make()).item_count).toBe(2)
    expect(await system.query('SELECT * FROM made ORDER BY id')).toEqual([
      { id: 1, name: 'a' },
      { id: 2, name: 'b' },
    ])
    await run(`create_as: made, query: "SELECT id + 10 AS id FROM made"`)
    expect(await system.query('SELECT * FROM made ORDER BY id')).toEqual([{ id: 11 }, { id: 12 }])
  })

  it('leave the old table when the query fails', async () => {
    await system.query(`INSERT INTO t VALUES (1, 'a')`)
    const done = await run(`create_as: t, query: "SELECT nowhere FROM t"`)
    expect(done.error?.code).toBe('COLUMN_NOT_FOUND')
    expect(await system.query('SELECT * FROM t')).toEqual([{ id: 1, name: 'a' }])
  })

  it('keep only the first row of what a statement returns', async () => {
    const done = await run(
      `statements: ["WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200000) SELECT i, 9007199254740993 + i * 0 AS big FROM n"]`,
      { more: "outputs: {first: '${{ result.first }}'}" },
    )
    expect(done.outputs).toEqual({ first: { i: 1, big: '9007199254740993' } })
    expect(done.item_count).toBe(0)
  })
})

describe('statements in SQLite', () => {
  it.each([
    "ATTACH DATABASE '/tmp/x.db' AS x",
    "VACUUM INTO '/tmp/x.db'",
    // SQLite takes byte order marks for blanks.
    "/**/\\uFEFFATTACH DATABASE '/tmp/x.db' AS x",
    "VACUUM \\uFEFFINTO '/tmp/x.db'",
    'EXPLAIN \\uFEFFPRAGMA ignore_check_constraints=ON',
    'PRAGMA writable_schema = 1',
    'EXPLAIN PRAGMA ignore_check_constraints=ON',
    'EXPLAIN QUERY PLAN PRAGMA ignore_check_constraints=ON',
    "PRAGMA journal_mode('memory')",
    'PRAGMA main.journal_mode = [off]',
    'PRAGMA `journal_mode` = memory',
    "PRAGMA 'writable_schema' = foreign_keys",
  ])('never reach beyond their file: %s', async (statement) => {
    const path = join(temporaryFolder(), 'app.db')
    const done = await runTask(task('sqlite', `transaction: false, statements: ["${statement}"]`), {
      db: sqliteConnector(path),
    })
    expect(done.error?.code).toBe('SQL_NOT_ALLOWED')
  })

  it('are asked what is attached of SQLite, not of a table with the name of that function', async () => {
    const path = join(temporaryFolder(), 'app.db')
    const made = '"CREATE TABLE pragma_database_list (name)", "INSERT INTO pragma_database_list VALUES (1)"'
    const done = await runTask(task('sqlite', `statements: [${made}]`), { db: sqliteConnector(path) })
    expect(done.error).toBeUndefined()
  })

  it.each(['EXPLAIN SELECT 1', "PRAGMA journal_mode('wal')", 'PRAGMA `foreign_keys`'])(
    'may be: %s',
    async (statement) => {
      const path = join(temporaryFolder(), 'app.db')
      const done = await runTask(task('sqlite', `transaction: false, statements: ["${statement}"]`), {
        db: sqliteConnector(path),
      })
      expect(done.error).toBeUndefined()
    },
  )

  it('are refused by a connector that only reads', async () => {
    const path = join(temporaryFolder(), 'app.db')
    new Database(path).close()
    const done = await runTask(task('sqlite', `statements: [DELETE FROM t]`), {
      db: sqliteConnector(path, { read_only: true }),
    })
    expect(done.error?.code).toBe('CONNECTOR_READ_ONLY')
  })
})

describe.skipIf(postgresPrograms === null)('statements in PostgreSQL', () => {
  it('are stopped at the server when the run is', async () => {
    const stop = new AbortController()
    const sleeping = `SELECT pid FROM pg_stat_activity WHERE query LIKE '%pg_sleep(61%' AND state = 'active' AND pid <> pg_backend_pid()`
    const running = runTask(
      task('postgres', 'statements: ["SELECT pg_sleep(61)"]'),
      { db: systems['postgres']!().bound },
      {
        signal: stop.signal,
      },
    )
    await expect.poll(async () => (await client.query(sleeping)).rowCount, { timeout: 60_000 }).toBe(1)
    stop.abort()
    expect((await running).error?.code).toBe('CANCELLED')
    await expect.poll(async () => (await client.query(sleeping)).rowCount).toBe(0)
  })
})
