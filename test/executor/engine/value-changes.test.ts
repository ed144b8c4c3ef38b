import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import type { BoundConnector } from '../../../src/contract/executor-protocol.ts'
import type { TaskPreview } from '../../../src/contract/task-preview.ts'
import { runCall } from '../../../src/executor/engine/calls.ts'
import { duckFile } from './duckdb-fixture.ts'
import { usePostgres } from './postgres-fixture.ts'
import { fileConnector, runTask, sqliteConnector, temporaryFolder, type FinishedRun } from './run-task.ts'

function task(query: string, target: string, slot: string): string {
  return `etl: 1
kind: pipeline
name: changes
connectors: {out: ${slot}}
source: {inline: {rows: [{one: 1}]}}
steps: [{sql: "${query}"}]
target: {connector: out, ${target}}
`
}

const intoFile = (query: string, file: string, folder = temporaryFolder()): Promise<FinishedRun> =>
  runTask(task(query, `file: {path: ${file}}`, '{type: file, access: write}'), { out: fileConnector(folder) })

const changesOf = (run: FinishedRun): unknown => run.steps.at(-1)?.changes

/** 200,000 rows: both zeros, and 1.5 beside them. */
const zeros = `SELECT i AS id, CASE WHEN i % 3 = 0 THEN '-0.0'::DOUBLE WHEN i % 3 = 1 THEN 0.0 ELSE 1.5 END AS v, CASE WHEN i % 2 = 0 THEN '-0.0'::DOUBLE ELSE 0.0 END AS w FROM range(200000) AS r(i)`

async function ask(sql: string): Promise<unknown[][]> {
  const connection = await (await DuckDBInstance.create()).connect()
  return (await connection.runAndReadAll(sql)).getRowsJson()
}

const postgres = usePostgres()

describe('values that arrive differently', () => {
  it('are told once a column, with their number, in the steps and in the log', async () => {
    const folder = temporaryFolder()
    const query = `SELECT i AS id, CASE WHEN i % 4 = 0 THEN 'nan'::DOUBLE ELSE i / 3 END AS v, i::DECIMAL(20,2) * 10000000000 AS d FROM range(200000) AS r(i)`
    const run = await intoFile(query, 'o.jsonl', folder)
    expect(run.error).toBeUndefined()
    expect(run.status).toBe('success')
    expect(changesOf(run)).toMatchObject([
      { column: 'v', change: 'NaN or infinity, written as text', count: 50_000, example: 'nan' },
      {
        column: 'd',
        change: 'more than 15 digits, written as text',
        count: 199_000,
        example: expect.stringMatching(/0\.00$/),
      },
    ])
    expect(run.log.filter(({ level }) => level === 'warn').map(({ message }) => message)).toEqual([
      'Column `v`, 50,000 values: NaN or infinity, written as text (such as nan)',
      expect.stringMatching(/^Column `d`, 199,000 values: more than 15 digits, written as text \(such as \d+0\.00\)$/),
    ])
  })

  it('cost no second pass where there are none', async () => {
    const run = await intoFile('SELECT i AS id, i / 3 AS v FROM range(200000) AS r(i)', 'o.jsonl')
    expect(run.error).toBeUndefined()
    expect(changesOf(run)).toBeUndefined()
    expect(run.steps[1]).toMatchObject({ rows_out: 200_000 })
  })

  it('-0.0 stays beside 0.0 in Parquet', async () => {
    const folder = temporaryFolder()
    const run = await intoFile(zeros, 'o.parquet', folder)
    expect(run.error).toBeUndefined()
    expect(changesOf(run)).toBeUndefined()
    expect(
      await ask(
        `SELECT count(*) FILTER (signbit(v)), count(*) FILTER (signbit(w)), count(*), sum(v) FROM '${join(folder, 'o.parquet')}'`,
      ),
    ).toEqual([['66667', '100000', '200000', 99_999]])
  })

  it('-0.0 is told where DuckDB and SQLite do not keep it', async () => {
    const duckdb: BoundConnector = {
      id: 7,
      name: 'duck',
      type: 'duckdb',
      config: { path: join(temporaryFolder(), 'd.duckdb') },
      secrets: {},
    }
    const into = await runTask(task(zeros, 'table: t', '{type: duckdb, access: write}'), { out: duckdb })
    expect(into.error).toBeUndefined()
    expect(changesOf(into)).toMatchObject([
      { column: 'v', change: '-0.0 may be read back as 0.0, and 0.0 as -0.0', count: 66_667, example: '-0.0' },
      { column: 'w', change: '-0.0 may be read back as 0.0, and 0.0 as -0.0', count: 100_000, example: '-0.0' },
    ])
    const lite = await runTask(task(zeros, 'table: t', '{type: sqlite, access: write}'), {
      out: sqliteConnector(join(temporaryFolder(), 's.db')),
    })
    expect(lite.error).toBeUndefined()
    expect(changesOf(lite)).toMatchObject([
      { column: 'v', change: '-0.0 stored as 0.0', count: 66_667, example: '-0.0' },
      { column: 'w', change: '-0.0 stored as 0.0', count: 100_000, example: '-0.0' },
    ])
  })

  it('are none where infinite dates go through `map` as text', async () => {
    const folder = temporaryFolder()
    const moments = ['infinity', '-infinity', '0044-03-15 (BC)', '12345-06-07']
    const rows = moments
      .map((at) => `SELECT DATE '${at}' AS d, TIMESTAMP '${at}' AS t, TIMESTAMPTZ '${at}' AS z`)
      .join(' UNION ALL ')
    const run = await runTask(
      `etl: 1
kind: pipeline
name: infinite
connectors: {out: {type: file, access: write}}
source: {inline: {rows: [{one: 1}]}}
steps: [{sql: "${rows}"}, {map: '{"d": d & "", "t": t & "", "z": z & ""}'}]
target: {connector: out, file: {path: o.jsonl}}
`,
      { out: fileConnector(folder) },
    )
    expect(run.error).toBeUndefined()
    const written = readFileSync(join(folder, 'o.jsonl'), 'utf8').trim().split('\n')
    expect(written.map((line) => Object.values(JSON.parse(line) as object))).toEqual([
      ['infinity', 'infinity', 'infinity'],
      ['-infinity', '-infinity', '-infinity'],
      ['-0043-03-15', '-0043-03-15T00:00:00', '-0043-03-15T00:00:00Z'],
      ['12345-06-07', '12345-06-07T00:00:00', '12345-06-07T00:00:00Z'],
    ])
  })

  it('are told of Excel', async () => {
    const query = `SELECT * FROM (VALUES (1234567890123456789, '-inf'::DOUBLE, 12345678901234567.8::DECIMAL(20,1), DATE '1899-12-31', TIMESTAMP '2024-01-01 00:00:00.1234', TIMESTAMPTZ '2024-01-01 00:00:00+02'), (1, 2, 3, DATE '2024-01-01', TIMESTAMP '2024-01-01', NULL), (1, 2, 3, NULL, NULL, '2024-01-01 00:00:00.1234+00')) AS v(i, f, d, day, moment, z)`
    const run = await intoFile(query, 'o.xlsx')
    expect(run.error).toBeUndefined()
    expect(changesOf(run)).toMatchObject([
      { column: 'i', change: 'more than 15 digits, written as text', count: 1, example: '1234567890123456789' },
      { column: 'f', change: 'NaN or infinity, written as text', count: 1, example: '-inf' },
      { column: 'd', change: 'more than 15 digits, written as text', count: 1, example: '12345678901234567.8' },
      {
        column: 'day',
        change: 'a date or time that Excel cannot hold, written as text',
        count: 1,
        example: '1899-12-31',
      },
      {
        column: 'moment',
        change: 'a date or time that Excel cannot hold, written as text',
        count: 1,
        example: '2024-01-01 00:00:00.1234',
      },
      // A moment that becomes text keeps its zone.
      { column: 'z', change: 'stored in UTC, without a time zone', count: 1, example: '2023-12-31 22:00:00+00' },
      {
        column: 'z',
        change: 'a date or time that Excel cannot hold, written as text',
        count: 1,
        example: '2024-01-01 00:00:00.1234+00',
      },
    ])
  })

  /** 200,000 rows of lists and objects with numbers that some targets change. */
  const nested = `SELECT i AS id, [CASE WHEN i % 4 = 0 THEN 'nan'::DOUBLE ELSE 0.5 END, NULL] AS l, {'deep': [{'d': i::DECIMAL(20,2) * 10000000000}]} AS o, MAP {'z': CASE WHEN i % 2 = 0 THEN '-0.0'::DOUBLE ELSE 0.0 END} AS m FROM range(200000) AS r(i)`

  it('are told of lists and objects in JSON Lines', async () => {
    const run = await intoFile(nested, 'o.jsonl')
    expect(run.error).toBeUndefined()
    expect(changesOf(run)).toMatchObject([
      { column: 'l', change: 'NaN or infinity, written as text', count: 50_000 },
      { column: 'o', change: 'more than 15 digits, written as text', count: 199_000 },
    ])
  })

  it('are told of lists and objects in DuckDB and in PostgreSQL', async () => {
    const duck = duckFile()
    const into = await runTask(task(nested, 'table: t', '{type: duckdb, access: write}'), { out: duck.bound })
    expect(changesOf(into)).toMatchObject([
      { column: 'm', change: '-0.0 may be read back as 0.0, and 0.0 as -0.0', count: 100_000 },
    ])
    const pg = await runTask(
      task(nested.replace("'nan'::DOUBLE", '1.5::DOUBLE'), 'table: t', '{type: postgres, access: write}'),
      { out: postgres.connector(1) },
    )
    expect(pg.error).toBeUndefined()
    expect(changesOf(pg)).toMatchObject([{ column: 'm', change: '-0.0 stored as 0.0', count: 100_000 }])
  })

  it('are none in lists and objects of Parquet, where -0.0 stays', async () => {
    const folder = temporaryFolder()
    const run = await intoFile(nested, 'o.parquet', folder)
    expect([run.error, changesOf(run)]).toEqual([undefined, undefined])
    expect(
      await ask(
        `SELECT count(*) FILTER (signbit(m['z'])), count(*) FILTER (signbit(m['z']) = (id % 2 = 0)) FROM '${join(folder, 'o.parquet')}'`,
      ),
    ).toEqual([['100000', '200000']])
  })

  it('are told of Parquet', async () => {
    const run = await intoFile(`SELECT INTERVAL '1 microsecond' AS i, '10:00:00+02'::TIMETZ AS t`, 'o.parquet')
    expect(run.error).toBeUndefined()
    expect(changesOf(run)).toMatchObject([
      { column: 'i', change: 'truncated to milliseconds', count: 1, example: '00:00:00.000001' },
      { column: 't', change: 'converted to UTC', count: 1, example: '10:00:00+02' },
    ])
  })

  it('by a cast that may round are counted', async () => {
    const run = await runTask(
      `etl: 1
kind: pipeline
name: casts
connectors: {out: {type: file, access: write}}
source: {inline: {rows: [{one: 1}]}}
steps:
  - sql: "SELECT i AS id, CASE WHEN i % 10 = 0 THEN '1.005' ELSE '1.25' END AS d, CASE WHEN i < 5 THEN '2024-01-01T10:00:00' ELSE '2024-01-01' END AS day FROM range(200000) AS r(i)"
  - cast:
      columns: {d: {type: "decimal(18,2)", rounding: round}, day: {type: date, rounding: truncate}}
target: {connector: out, file: {path: o.parquet}}
`,
      { out: fileConnector(temporaryFolder()) },
    )
    expect(run.error).toBeUndefined()
    expect(run.steps[2]?.changes).toMatchObject([
      { column: 'd', change: 'rounded to fit decimal(18,2)', count: 20_000, example: '1.005' },
      { column: 'day', change: 'truncated to fit date', count: 5, example: '2024-01-01T10:00:00' },
    ])
  })

  it('show in the preview, of its sample', async () => {
    const path = join(temporaryFolder(), 's.db')
    const lite = sqliteConnector(path)
    const yaml = task(
      `SELECT CASE WHEN i % 2 = 0 THEN '-0.0'::DOUBLE ELSE i END AS v, CAST(i AS DECIMAL(18,2)) AS d, 'x' AS t FROM range(10) AS r(i)`,
      'table: t',
      '{type: sqlite, access: write}',
    )
    const preview = async (step: number | null): Promise<TaskPreview> => {
      const answer = await runCall(
        { kind: 'preview', yaml_content: yaml, arguments: {}, connectors: { out: lite }, step, limit: 100 },
        { signal: new AbortController().signal, tempDir: temporaryFolder() },
      )
      if (answer.kind !== 'preview') throw new Error(answer.kind)
      return answer.value
    }
    const zeros = { column: 'v', change: '-0.0 stored as 0.0', count: 5, example: '-0.0' }
    expect((await preview(null)).target_changes).toMatchObject([zeros])
    expect((await preview(0)).target_changes).toBeUndefined()
    const database = new Database(path)
    database.exec('CREATE TABLE t (v TEXT, d DECIMAL_TEXT(18,2), t TEXT)')
    expect((await preview(null)).target_changes).toMatchObject([
      { column: 'd', change: 'stored as text, which SQLite compares as text', count: 10, example: '0.00' },
    ])
    expect(database.prepare('SELECT count(*) FROM t').pluck().get()).toBe(0)
    database.close()
  })
})
