import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { postgresPrograms } from '../../support/postgres.ts'
import { usePostgres } from './postgres-fixture.ts'
import { fileConnector, runTask, temporaryFolder, type RunOptions } from './run-task.ts'

describe.skipIf(postgresPrograms === null)('a table of PostgreSQL', () => {
  const { connector, query } = usePostgres()

  async function read(sql: string, options: RunOptions & { more?: string } = {}) {
    const out = temporaryFolder()
    const run = await runTask(
      `etl: 1
kind: pipeline
name: read
connectors: {db: {type: postgres, access: read}, out: {type: file, access: write}}
${options.more ?? ''}
source: {connector: db, sql: ${sql}}
target: {connector: out, file: {path: o.jsonl}}
`,
      { db: connector(), out: fileConnector(out) },
      options,
    )
    const rows =
      run.status === 'failed'
        ? []
        : readFileSync(join(out, 'o.jsonl'), 'utf8')
            .split('\n')
            .filter((line) => line !== '')
            .map((line) => JSON.parse(line) as Record<string, unknown>)
    return { run, rows }
  }

  it.each([
    ['integer', `i - 50`],
    ['bigint', `CASE i WHEN 1 THEN -9223372036854775808 WHEN 2 THEN 9223372036854775807 ELSE i END`],
    ['numeric', `CASE i WHEN 1 THEN 'NaN' ELSE i / 3.0 END`],
    ['double precision', `CASE i WHEN 1 THEN 'NaN' WHEN 2 THEN '-infinity'::float8 ELSE i / 3.0 END`],
    ['date', `CASE i WHEN 1 THEN 'infinity' ELSE date '2024-01-01' + i END`],
    ['timestamp', `timestamp '1969-12-31 23:59:59.999999' + i * interval '1 microsecond'`],
    [
      'timestamptz',
      `CASE i WHEN 1 THEN '-infinity' ELSE timestamptz '2024-03-31 00:30+01' + i * interval '1 hour' END`,
    ],
    ['integer', `NULL`],
    ['integer', `7`],
  ])('is read in ranges of %s (%s), each row once', async (type, value) => {
    await query(
      `CREATE TABLE t AS SELECT i AS id, CASE WHEN i % 10 = 0 THEN NULL ELSE (${value})::${type} END AS part FROM generate_series(1, 100) i`,
    )
    for (const sql of [
      '{table: t, partition: {column: part, parts: 4}}',
      '{table: t, columns: [id], partition: {column: part, parts: 4}}',
    ]) {
      const { run, rows } = await read(sql, { more: 'steps: [{select: [id]}]' })
      expect(run.error).toBeUndefined()
      expect(rows.map((row) => Number(row['id'])).toSorted((a, b) => a - b)).toEqual(
        Array.from({ length: 100 }, (_, at) => at + 1),
      )
      expect(run.steps[0]?.rows_out).toBe(100)
    }
  })

  it('is not read in ranges of text', async () => {
    await query(`CREATE TABLE t AS SELECT 'a' AS part`)
    const { run } = await read('{table: t, partition: {column: part, parts: 4}}')
    expect(run.error).toMatchObject({ code: 'SCHEMA_MISMATCH', step: 'source' })
  })

  it('without rows has no ranges', async () => {
    await query(`CREATE TABLE t (part integer)`)
    expect((await read('{table: t, partition: {column: part, parts: 4}}')).run).toMatchObject({
      status: 'success',
      item_count: 0,
    })
  })

  it.each([
    ['integer', 'id', '{field: id, type: integer}', 3],
    ['bigint', 'id + 9223372036854775800', '{field: id, type: integer}', '9223372036854775803'],
    ['numeric', 'id + 0.000000000000000001', '{field: id, type: number}', '3.000000000000000001'],
    ['double precision', 'id / 2.0', '{field: id, type: number}', 1.5],
    ['date', `date '2024-01-01' + id`, '{field: id, type: date}', '2024-01-04'],
    [
      'timestamp',
      `timestamp '2024-01-01' + id * interval '1 microsecond'`,
      '{field: id, type: datetime}',
      '2024-01-01T00:00:00.000003Z',
    ],
    [
      'timestamptz',
      `timestamptz '2024-01-01Z' + id * interval '1 microsecond'`,
      '{field: id, type: datetime}',
      '2024-01-01T00:00:00.000003Z',
    ],
    ['text', `(ARRAY['B', 'Z', 'a', 'é', '😀'])[id]`, '{field: id, type: string}', 'a'],
  ])('is read from a cursor of %s on', async (type, value, cursor, from) => {
    await query(
      `CREATE TABLE t AS SELECT n, (${value})::${type} AS id FROM generate_series(1, 5) AS s(id), LATERAL (SELECT s.id AS n) x`,
    )
    const { run, rows } = await read('{table: t}', { more: `state: {cursor: ${cursor}}`, state: { cursor: from } })
    expect(run.error).toBeUndefined()
    expect(rows.map((row) => row['n'])).toEqual([3, 4, 5])
  })

  it('is read with binds of every type, which are never spliced', async () => {
    const { run, rows } = await read(
      `{query: "SELECT :n + 1 AS n, :who || '!' AS who, :day::date AS day, :list::int[] AS list, :none::text AS none, :who = ANY(ARRAY[:who]) AS yes LIMIT :top", params: {n: 41, who: "it's \\\\ \\"x\\" $1", day: "2024-02-29", list: [1, 2], none: null, top: 1}}`,
    )
    expect(run.error).toBeUndefined()
    expect(rows).toEqual([{ n: 42, who: `it's \\ "x" $1!`, day: '2024-02-29', list: '{1,2}', none: null, yes: true }])
  })
})
