import { describe, expect, it } from 'vitest'
import type { BoundConnector } from '../../../src/contract/executor-protocol.ts'
import { duckFile } from './duckdb-fixture.ts'
import { useMariaDb } from './mariadb-fixture.ts'
import { usePostgres } from './postgres-fixture.ts'
import { runTask, type FinishedRun } from './run-task.ts'

/** One row more each: the first fits the table, the second has what its column is too narrow for. */
const rows = `
    - {id: 1, d: 12.50, r: 0.5, v: ab, s: 7, m: "2024-01-31 10:00:00"}
    - {id: 2, d: 1234567890.125, r: 0.1, v: abcdef, s: 70000, m: "2024-01-31 10:00:00.25"}`
const columns = 'id: integer, d: "decimal(18,4)", r: number, v: string, s: integer, m: datetime'

const load = (bound: BoundConnector, mode: string, types: string, given = rows): Promise<FinishedRun> =>
  runTask(
    `etl: 1
kind: pipeline
name: load
connectors: {db: {type: ${bound.type}, access: write}}
source:
  inline:
    columns: {${columns}}
    rows:${given}
target: {connector: db, table: t, mode: ${mode}, schema: {types: ${types}}}
`,
    { db: bound },
  )
const fitting = rows.split('\n').slice(0, 2).join('\n')
const drift = (run: FinishedRun): string[] =>
  (run.steps.at(-1)?.drift ?? []).map(
    ({ column, there, coming, outcome }) => `${column}: ${there} → ${coming}, ${outcome}`,
  )

describe('columns of PostgreSQL that are too narrow for the values that come', () => {
  const postgres = usePostgres()
  const create = 'CREATE TABLE t (id bigint, d numeric(9,2), r real, v varchar(2), s smallint, m timestamp(0))'
  const types = async (): Promise<unknown> =>
    (
      await postgres.query(
        `SELECT string_agg(format_type(atttypid, atttypmod), ', ' ORDER BY attnum) AS types FROM pg_attribute WHERE attrelid = 't'::regclass AND attnum > 0`,
      )
    )[0]?.types
  const values = (): Promise<unknown[]> => postgres.query('SELECT d::text, r, v, s::int, m::text FROM t ORDER BY id')
  const arrived = [
    { d: '12.5000', r: 0.5, v: 'ab', s: 7, m: '2024-01-31 10:00:00' },
    { d: '1234567890.1250', r: 0.1, v: 'abcdef', s: 70_000, m: '2024-01-31 10:00:00.25' },
  ]

  it('get the types of the rows by `recreate`', async () => {
    await postgres.query(`${create}; INSERT INTO t VALUES (9, 1, 1, 'x', 1, now())`)
    const run = await load(postgres.connector(), 'replace', 'recreate')
    expect([run.error, run.status]).toEqual([undefined, 'success'])
    expect(await types()).toBe('bigint, numeric(18,4), double precision, text, bigint, timestamp without time zone')
    expect(await values()).toEqual(arrived)
    expect(drift(run)).toEqual([
      'd: numeric(9,2) → numeric(18,4), recreated',
      'r: real → double precision, recreated',
      'v: character varying(2) → text, recreated',
      's: smallint → bigint, recreated',
      'm: timestamp(0) without time zone → timestamp, recreated',
    ])
  })

  it('get types that hold what is there as well by `widen`', async () => {
    await postgres.query(`${create}; INSERT INTO t VALUES (0, 1234567.25, 0.25, 'x', 1, '2024-01-01')`)
    const run = await load(postgres.connector(), 'append', 'widen')
    expect(run.error).toBeUndefined()
    expect(await types()).toBe('bigint, numeric(18,4), double precision, text, bigint, timestamp without time zone')
    expect((await values()).slice(1)).toEqual(arrived)
    expect((await values())[0]).toEqual({ d: '1234567.2500', r: 0.25, v: 'x', s: 1, m: '2024-01-01 00:00:00' })
  })

  it('stay as they are where every value fits', async () => {
    await postgres.query(create)
    const run = await load(postgres.connector(), 'replace', 'recreate', fitting)
    expect([run.error, drift(run)]).toEqual([undefined, []])
    expect(await types()).toBe(
      'bigint, numeric(9,2), real, character varying(2), smallint, timestamp(0) without time zone',
    )
  })

  it('refuse the value by `freeze`', async () => {
    await postgres.query(create)
    const run = await load(postgres.connector(), 'replace', 'freeze')
    expect(run.status).toBe('failed')
    expect(await types()).toContain('numeric(9,2)')
  })
})

describe('columns of MariaDB that are too narrow for the values that come', () => {
  const mariadb = useMariaDb()
  const create =
    'CREATE TABLE t (id bigint, d decimal(9,2), r float, v varchar(2), s smallint, m datetime) ENGINE = InnoDB'
  const types = async (): Promise<string> =>
    (
      await mariadb.query(
        `SELECT column_type AS type FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name = 't' ORDER BY ordinal_position`,
      )
    )
      .map(({ type }) => String(type))
      .join(', ')
  const values = async (): Promise<unknown[]> =>
    mariadb.query('SELECT CAST(d AS CHAR) AS d, r, v, s, CAST(m AS CHAR) AS m FROM t ORDER BY id')
  const last = { d: '1234567890.1250', r: 0.1, v: 'abcdef', s: 70_000, m: '2024-01-31 10:00:00.250000' }

  it.each([
    ['recreate', 'replace'],
    ['widen', 'append'],
  ])('get other types by `%s`', async (policy, mode) => {
    await mariadb.query(create)
    const run = await load(mariadb.connector(), mode, policy)
    expect(run.error).toBeUndefined()
    expect(await types()).toBe('bigint(20), decimal(18,4), double, longtext, bigint(20), datetime(6)')
    expect((await values()).at(-1)).toEqual(last)
  })

  it('stay as they are where every value fits', async () => {
    await mariadb.query(create)
    const run = await load(mariadb.connector(), 'replace', 'recreate', fitting)
    expect(run.error).toBeUndefined()
    expect(await types()).toBe('bigint(20), decimal(9,2), float, varchar(2), smallint(6), datetime')
  })
})

describe('columns of DuckDB that are too narrow for the values that come', () => {
  const create = 'CREATE TABLE t (id BIGINT, d DECIMAL(9,2), r FLOAT, v VARCHAR, s SMALLINT, m TIMESTAMP_S)'

  it.each([
    ['recreate', 'replace', 'BIGINT, DECIMAL(18,4), DOUBLE, VARCHAR, BIGINT, TIMESTAMP'],
    ['widen', 'append', 'BIGINT, DECIMAL(18,4), DOUBLE, VARCHAR, BIGINT, TIMESTAMP'],
  ])('get other types by `%s`', async (policy, mode, expected) => {
    const file = duckFile()
    await file.sql(`${create}; INSERT INTO t VALUES (0, 1.25, 0.5, 'x', 1, '2024-01-01')`)
    const run = await load(file.bound, mode, policy)
    expect(run.error).toBeUndefined()
    expect(
      (
        await file.sql(
          `SELECT string_agg(data_type, ', ' ORDER BY column_index) FROM duckdb_columns() WHERE table_name = 't'`,
        )
      )[0],
    ).toEqual([expected])
    expect((await file.sql('SELECT d, r, v, s, m FROM t ORDER BY id')).at(-1)).toEqual([
      '1234567890.1250',
      0.1,
      'abcdef',
      '70000',
      '2024-01-31 10:00:00.25',
    ])
  })
})
