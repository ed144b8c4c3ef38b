import { describe, expect, it } from 'vitest'
import type { TaskPreview } from '../../../src/contract/task-preview.ts'
import type { ValueChange } from '../../../src/contract/value-change.ts'
import { runCall } from '../../../src/executor/engine/calls.ts'
import { usePostgres } from './postgres-fixture.ts'
import { runTask, temporaryFolder, type FinishedRun } from './run-task.ts'

const postgres = usePostgres()
const rows = 200_000

const task = (sql: string, mode = 'append', more = ''): string => `etl: 1
kind: pipeline
name: t
connectors: {db: {type: postgres, access: write}}
source: {inline: {rows: [{one: 1}]}}
steps: [{sql: ${JSON.stringify(sql)}}${more}]
target: {connector: db, table: t, mode: ${mode}}
`
const quoted = (value: string): string => `'${value.replaceAll("'", "''")}'`
const write = (yaml: string): Promise<FinishedRun> => runTask(yaml, { db: postgres.connector() })

async function previewOf(yaml: string): Promise<TaskPreview> {
  const connectors = { db: postgres.connector() }
  const call = await runCall(
    { kind: 'preview', yaml_content: yaml, arguments: {}, connectors, step: null, limit: 100 },
    { signal: new AbortController().signal, tempDir: temporaryFolder() },
  )
  if (call.kind !== 'preview') throw new Error(call.kind)
  return call.value
}

const inWords = (changes: readonly ValueChange[] = []): string[] =>
  changes.map(({ column, change, count }) => `${column}: ${change}, ${count}`)

const changedWords = 'read back with other numbers or words'
const inUtc = 'without a time zone, stored as UTC'
const made = `CREATE TYPE pair AS (n integer, span interval); CREATE DOMAIN days AS date; CREATE DOMAIN floats AS double precision;
  CREATE DOMAIN cents AS numeric(10,2); CREATE DOMAIN spans AS interval; CREATE DOMAIN moments AS timestamptz; CREATE DOMAIN clocks AS time;
  CREATE EXTENSION IF NOT EXISTS hstore SCHEMA public; CREATE EXTENSION IF NOT EXISTS ltree SCHEMA public;
  CREATE EXTENSION IF NOT EXISTS cube SCHEMA public; CREATE EXTENSION IF NOT EXISTS isn SCHEMA public;
  CREATE EXTENSION IF NOT EXISTS citext SCHEMA public; CREATE EXTENSION IF NOT EXISTS seg SCHEMA public`

describe('a text that a type would change is refused, in the run and in the preview', () => {
  it.each([
    ['interval', '0.3 years', '0.5 years'],
    ['interval', 'P0.3Y', 'P0.25Y3M'],
    ['interval', '1.01 decades', '0.025 decades'],
    ['interval', '0.0021 centuries', '0.0025 centuries'],
    ['interval', '0.00001 millennia', '0.00025 millennia'],
    ['interval', '0.000000001 hours', '0.12345678 hours'],
    ['interval', '0.5 microseconds', '0.5 milliseconds'],
    ['interval(3)', '1.0005 seconds', '1.5 minutes'],
    ['interval hour', '1 day 02:03', '1 day 02:00'],
    ['interval[]', '{"1 day","0.3 years"}', '{"0.5 years",NULL}'],
    ['spans', '0.3 years', '2 weeks'],
    ['days', '2024-01-01 10:00', '2024-01-01 00:00:00'],
    ['date[]', '{2024-01-01,"2024-01-01 10:00"}', '{2024-01-01,infinity}'],
    ['clocks', '2024-01-01 10:00', '10:00'],
    ['timestamp[]', '{2024-01-01 10:00+02}', '{2024-01-01 10:00}'],
    ['timestamptz[]', '{now}', '{epoch}'],
    ['tsrange', '["2024-01-01 10:00+02",)', '["2024-01-01 10:00",)'],
    ['floats', '0.1234567890123456789', '1e-3'],
    ['cents', '1.005', '1.5'],
    ['varchar(3)[]', '{"abc   "}', '{abc,NULL}'],
  ])('%s: %s, not %s', async (type, changed, kept) => {
    await postgres.query(`${made}; CREATE TABLE t (id bigint PRIMARY KEY, v ${type})`)
    const values = (list: string[]): string =>
      `SELECT id, v FROM (VALUES ${list.map((value, at) => `(${at + 1}, ${value})`).join(', ')}) AS t(id, v)`
    const bad = task(values([quoted(kept), 'NULL', quoted(changed)]))
    const run = await write(bad)
    expect(run.error).toMatchObject({ code: 'VALUE_INVALID', step: 'target', retryable: false })
    expect(run.error?.message).toMatch(/^Column `v` is .*id = 3/)
    expect(run.error?.message).toContain(changed)
    const { target, target_changes, stages } = await previewOf(bad)
    expect(target).toMatchObject({ exists: true, drift: [] })
    expect(target?.error).toMatchObject({ code: run.error?.code, message: run.error?.message, hint: run.error?.hint })
    expect(target_changes).toBeUndefined()
    expect(stages.map(({ error }) => error)).toEqual([undefined, undefined])
    expect(await postgres.query('SELECT * FROM t')).toEqual([])
    const good = task(values([quoted(kept), 'NULL']))
    expect((await previewOf(good)).target?.error).toBeUndefined()
    expect((await write(good)).error).toBeUndefined()
    expect(
      await postgres.query(`SELECT (v::text = ${quoted(kept)}::${type}::text)::text AS same FROM t WHERE id = 1`),
    ).toEqual([{ same: 'true' }])
  })
})

describe('values that a type changes are counted, in the run and in the preview', () => {
  it.each([
    ['tstzrange', '[2024-01-01,2024-02-01)', '["2024-01-01 00:00+02",2024-02-01Z)', inUtc],
    ['tstzmultirange', '{["2024-01-01 00:00Z",2024-02-01)}', '{["2024-01-01 00:00+02","2024-02-01 00:00 UTC")}', inUtc],
    ['timetz[]', '{10:00,10:00+02}', '{10:00+02,10:00Z,NULL}', inUtc],
    ['timestamptz[]', '{2024-01-01 10:00}', '{"Jan 8, 2024 10:00 PST"}', inUtc],
    ['moments', 'May 1 2024 10:00 PM', '2024-05-01T10:00:00+05:30', inUtc],
    ['timestamp[]', '{2024-01-01 10:00Z}', '{2024-01-01 10:00}', 'stored in UTC, without a time zone'],
    ['pair', '(1,"0.3 years")', '(1,"4 mons")', changedWords],
    ['hstore', 'a=>1,a=>2', 'b=>"x y", a=>1, C=>NULL', changedWords],
    ['cube', '(0.1234567890123456789, 2)', '0.1,2', changedWords],
    ['seg', '1.23456789', '1..2', changedWords],
    ['isbn13', '0-306-40615-2', '9780110002224', changedWords],
    ['macaddr8', '08:00:2b:01:02:03', '08002b:0102030405', changedWords],
    ['tsvector', 'a a', `'b' a:1,2B`, changedWords],
    ['money', '1,5', '$1,234.50', changedWords],
    ['xid', '-1', '12', changedWords],
    ['jsonb[]', `{"{\\"a\\":1,\\"a\\":2}"}`, `{"{\\"b\\": 1.0}"}`, changedWords],
    ['character(3)[]', '{a,abc}', '{abc,NULL}', 'padded with blanks to character(3)[]'],
  ])('%s: %s, not %s', async (type, changed, kept, change) => {
    await postgres.query(`${made}; SET search_path = app, public; CREATE TABLE t (id bigint, v ${type}, w ${type});
      SET search_path = app`)
    const yaml = task(
      `SELECT i AS id, CASE i % 3 WHEN 0 THEN ${quoted(changed)} WHEN 1 THEN ${quoted(kept)} END AS v, NULL::VARCHAR AS w FROM range(60) t(i)`,
    )
    const preview = await previewOf(yaml)
    expect(inWords(preview.target_changes)).toEqual([`v: ${change}, 20`])
    expect(preview.target).toMatchObject({ exists: true, drift: [] })
    expect(preview.target?.error).toBeUndefined()
    const run = await write(yaml)
    expect(run.error).toBeUndefined()
    expect(inWords(run.steps.at(-1)?.changes)).toEqual([`v: ${change}, 20`])
    expect(run.log.map(({ message }) => message).join('\n')).toContain(`Column \`v\`, 20 values: ${change}`)
  })
})

it.each(['append', 'replace', 'upsert, key: [id]'])(
  'the last of many rows tells its change, of several columns and behind a quarantine, with %s',
  async (mode) => {
    await postgres.query(`${made}; CREATE TABLE t (id bigint PRIMARY KEY, a public.hstore, b tstzrange, c interval)`)
    const last = (value: string, usual: string): string =>
      `CASE WHEN i = ${rows - 1} THEN ${quoted(value)} WHEN i % 2 = 0 THEN ${quoted(usual)} END`
    const sql = (c: string): string =>
      `SELECT CASE WHEN i = 7 THEN 'x' ELSE i::VARCHAR END AS id, ${last('a=>1,a=>2', 'a=>1')} AS a,
        ${last('[2024-01-01,)', 'empty')} AS b, ${last(c, '0.5 years')} AS c FROM range(${rows}) t(i)`
    const cast = ', {cast: {columns: {id: integer}, on_error: quarantine}}'
    const refused = await write(task(sql('0.3 years'), mode, cast))
    expect(refused.error?.message).toContain(`0.3 years`)
    expect(refused.error?.message).toContain(`id = ${rows - 1}`)
    expect(await postgres.query('SELECT * FROM t')).toEqual([])
    const run = await write(task(sql('0.25 years'), mode, cast))
    expect(run.error).toBeUndefined()
    expect(inWords(run.steps.at(-1)?.changes).toSorted()).toEqual([`a: ${changedWords}, 1`, `b: ${inUtc}, 1`])
    expect(await postgres.query(`SELECT count(*)::text AS n, max(c)::text AS longest FROM t`)).toEqual([
      { n: String(rows - 1), longest: '6 mons' },
    ])
  },
  120_000,
)

describe('a preview of texts that the server is asked about', () => {
  it('says which one the server refuses, and still counts the changes of other columns', async () => {
    await postgres.query(`${made}; CREATE TABLE t (id bigint, a public.cube, b public.hstore)`)
    const preview = await previewOf(
      task(`SELECT * FROM (VALUES (1, 'no cube', 'a=>1,a=>2'), (2, '(1)', NULL)) AS t(id, a, b)`),
    )
    expect(preview.target).toMatchObject({ exists: true, drift: [], error: { code: 'VALUE_INVALID' } })
    expect(preview.target?.error?.message).toContain('invalid input syntax for cube')
    expect(inWords(preview.target_changes)).toEqual([`b: ${changedWords}, 1`])
    expect(preview.stages.at(-1)).toMatchObject({ row_count: 2 })
  })

  it('refuses no value of a column that the task gives another type', async () => {
    await postgres.query(`CREATE TABLE t (id bigint, a numeric(10,2))`)
    const yaml = (more: string): string => task(`SELECT 1 AS id, 1.005 AS a, 'x' AS b`, `append${more}`)
    expect((await previewOf(yaml(''))).target?.error?.message).toContain('1.005')
    expect((await previewOf(yaml(', schema: {types: widen}'))).target).toMatchObject({
      exists: true,
      drift: [
        { column: 'a', outcome: 'widened' },
        { column: 'b', outcome: 'added' },
      ],
    })
    expect((await previewOf(yaml(', schema: {types: widen}'))).target?.error).toBeUndefined()
    await postgres.query('DROP TABLE t')
    expect((await previewOf(yaml(''))).target).toEqual({ table: 't', exists: false, drift: [] })
  })
})

it('texts of usual types, enums and citext are not read back', async () => {
  await postgres.query(`${made}; CREATE TYPE mood AS ENUM ('sad', 'happy'); CREATE TABLE t (id bigint, a text, b varchar(20), c uuid, d inet,
    e jsonb, f json, g public.citext, h mood, i int4range, j interval, k int[], l public.citext[], m mood[], n xml)`)
  await postgres.query(`CREATE FUNCTION no_tables() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
    IF tg_tag = 'CREATE TABLE' THEN RAISE EXCEPTION 'a table is made'; END IF; END $$;
    CREATE EVENT TRIGGER no_tables ON ddl_command_start EXECUTE FUNCTION no_tables()`)
  const run = await write(
    task(`SELECT 1 AS id, 'a' AS a, 'B' AS b, '{a0eebc99-9c0b-4ef8-bb6d6bb9bd380a11}' AS c, '10.0.0.1/32' AS d, '{"a": 1.0}' AS e, '[ 1]' AS f,
      'A' AS g, 'sad' AS h, '[1,4]' AS i, '2 weeks' AS j, '{ 1, 2}' AS k, '{A}' AS l, '{happy}' AS m, '<a/>' AS n`),
  )
  await postgres.query('ALTER TABLE t ADD z public.hstore')
  const doubted = await write(task(`SELECT 2 AS id, 'a=>1' AS z`))
  await postgres.query('DROP EVENT TRIGGER no_tables')
  expect(doubted.error?.message).toContain('a table is made')
  expect(run.error).toBeUndefined()
  expect(run.steps.at(-1)?.changes).toBeUndefined()
})
