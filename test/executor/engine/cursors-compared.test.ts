import Database from 'better-sqlite3'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { BoundConnector, SourceState } from '../../../src/contract/executor-protocol.ts'
import { duckFile } from './duckdb-fixture.ts'
import { useMariaDb } from './mariadb-fixture.ts'
import { usePostgres } from './postgres-fixture.ts'
import { runTask, sqliteConnector, temporaryFolder } from './run-task.ts'

const postgres = usePostgres()
const maria = useMariaDb()

interface System {
  bound: BoundConnector
  exec(sql: string): Promise<unknown>
  /** Of text that puts `a` before `B`. */
  ci: string
  single: string
}
const systems: Record<string, () => System> = {
  PostgreSQL: () => ({
    bound: postgres.connector(),
    exec: (sql) =>
      postgres.query(
        `CREATE COLLATION IF NOT EXISTS app.ci (provider = icu, locale = 'und-u-ks-level2', deterministic = false); ${sql}`,
      ),
    ci: 'text COLLATE app.ci',
    single: 'real',
  }),
  MariaDB: () => ({
    bound: maria.connector(),
    exec: maria.query,
    ci: 'varchar(40) COLLATE utf8mb4_general_ci',
    single: 'float',
  }),
  DuckDB: () => {
    const file = duckFile()
    return { bound: file.bound, exec: file.sql, ci: 'VARCHAR COLLATE NOCASE', single: 'FLOAT' }
  },
}

/** Runs twice, with rows that arrive in between; the ids that have arrived in the end. */
async function twice(
  system: System,
  type: string,
  column: string,
  first: string[],
  later: string[],
): Promise<unknown[]> {
  const rows = (values: string[], from: number): string =>
    values.map((value, at) => `(${from + at}, ${value})`).join(', ')
  await system.exec('DROP TABLE IF EXISTS events')
  await system.exec(`CREATE TABLE events (id integer, mark ${column})`)
  await system.exec(`INSERT INTO events VALUES ${rows(first, 1)}`)
  const path = join(temporaryFolder(), 'out.db')
  const run = (state: SourceState | undefined) =>
    runTask(
      `etl: 1
kind: pipeline
name: events
connectors: {from: {type: ${system.bound.type}}, db: {type: sqlite, access: write}}
state: {cursor: {field: mark, type: ${type}}}
source: {connector: from, sql: {table: events}}
target: {connector: db, table: out, mode: upsert, key: [id]}
`,
      { from: system.bound, db: sqliteConnector(path) },
      { state },
    )
  const one = await run(undefined)
  expect(one.error).toBeUndefined()
  await system.exec(`INSERT INTO events VALUES ${rows(later, first.length + 1)}`)
  const two = await run(one.state ?? undefined)
  expect(two.error).toBeUndefined()
  const target = new Database(path)
  const ids = target.prepare('SELECT id FROM out ORDER BY id').pluck().all()
  target.close()
  return ids
}

describe.each(Object.entries(systems))('a cursor in %s', (_, open) => {
  it('of text finds rows in the order in which it was found, whatever the collation of the column', async () => {
    const system = open()
    // By bytes `a` comes after `B`, by the collation before it.
    expect(await twice(system, 'string', system.ci, [`'A'`, `'B'`], [`'a'`, `'é'`, `'😀'`])).toEqual([1, 2, 3, 4, 5])
  })

  it('of single precision reads rows at it again, also those that were committed later', async () => {
    const system = open()
    // 0.7 of single precision is less than 0.7 of double precision; 16777216 shows as 16777200 in MySQL.
    expect(await twice(system, 'number', system.single, ['0.5', '0.7'], ['0.7', '16777216'])).toEqual([1, 2, 3, 4])
  })
})

describe('a cursor of long decimals', () => {
  it('goes back by its lag to the last digit', async () => {
    const system = { ...(systems['PostgreSQL']?.() as System) }
    await system.exec('DROP TABLE IF EXISTS events')
    await system.exec(`CREATE TABLE events (id integer, mark numeric(30,6))`)
    await system.exec(
      `INSERT INTO events VALUES (1, 123456789012345678901234.500001), (2, 123456789012345678901233.500001), (3, 123456789012345678901233.500000)`,
    )
    const run = await runTask(
      `etl: 1
kind: pipeline
name: events
connectors: {from: {type: postgres}, db: {type: sqlite, access: write}}
state: {cursor: {field: mark, type: number, lag: 1}}
source: {connector: from, sql: {table: events}}
steps: [{drop: [mark]}]
target: {connector: db, table: out, mode: replace}
`,
      { from: system.bound, db: sqliteConnector(join(temporaryFolder(), 'out.db')) },
      { state: { cursor: '123456789012345678901234.500001' } },
    )
    expect(run).toMatchObject({ status: 'success', item_count: 2 })
  })
})
