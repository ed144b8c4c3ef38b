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

describe('a cursor on dates of SQLite, which compares their text,', () => {
  const read = (rows: string[], indexed: boolean, type: string, cursor: string) => {
    const [from, to] = [join(temporaryFolder(), 'from.db'), join(temporaryFolder(), 'out.db')]
    const source = new Database(from)
    source.exec(`CREATE TABLE events (id integer, year text, mark ${type})`)
    for (const [at, row] of rows.entries())
      source.prepare('INSERT INTO events VALUES (?, NULL, ?)').run(BigInt(at + 1), row)
    if (indexed) source.exec('CREATE INDEX by_mark ON events (mark)')
    source.close()
    return runTask(
      `etl: 1
kind: pipeline
name: events
connectors: {from: {type: sqlite}, db: {type: sqlite, access: write}}
state: {cursor: {field: mark, type: ${type}}}
source: {connector: from, sql: {table: events, columns: [id, mark]}}
target: {connector: db, table: out, mode: replace}
`,
      { from: sqliteConnector(from), db: sqliteConnector(to) },
      { state: { cursor } },
    ).then((run) => {
      if (run.error !== undefined && run.error !== null) return run.error
      const target = new Database(to)
      const ids = target.prepare('SELECT id FROM out ORDER BY id').pluck().all()
      target.close()
      return ids
    })
  }
  const plain = ['2019-03-01', '2024-01-01', '2026-01-01', '2026-02-01', '2027-01-01']

  it.each([false, true])('leaves nothing out after the year 9999, whose text is less (index: %s)', async (indexed) => {
    const late = ['10000-01-01', ...plain]
    const outside = { code: 'VALUE_INVALID', message: expect.stringContaining('10000-01-01') as unknown }
    expect(await read(late, indexed, 'date', '2026-01-01')).toMatchObject(outside)
    const time = (text: string): string => `${text} 12:00:00`
    expect(await read(late.map(time), indexed, 'datetime', '2026-01-01T12:00:00Z')).toMatchObject(outside)
  })

  it.each([false, true])('reads a date that zeros begin (index: %s)', async (indexed) => {
    expect(await read([...plain, '002026-03-01', '002019-03-01'], indexed, 'date', '2026-01-01')).toEqual([3, 4, 5, 6])
    expect(await read(plain, indexed, 'date', '2026-01-01')).toEqual([3, 4, 5])
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
