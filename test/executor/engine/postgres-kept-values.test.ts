import { describe, expect, it } from 'vitest'
import { usePostgres } from './postgres-fixture.ts'
import { runTask, type FinishedRun } from './run-task.ts'

const postgres = usePostgres()

/** Texts, or values of SQL, into a column that is there. */
function write(values: readonly string[], mode = 'append'): Promise<FinishedRun> {
  const rows = values.map((value, at) => `(${at + 1}, ${value})`).join(', ')
  return runTask(
    `etl: 1
kind: pipeline
name: t
connectors: {db: {type: postgres, access: write}}
source: {inline: {rows: [{one: 1}]}}
steps: [{sql: ${JSON.stringify(`SELECT id, v FROM (VALUES ${rows}) AS t(id, v)`)}}]
target: {connector: db, table: t, mode: ${mode}}
`,
    { db: postgres.connector() },
  )
}

const quoted = (value: string): string => `'${value.replaceAll("'", "''")}'`
const long = 'x'.repeat(70)

const types = `CREATE TYPE pair AS (n integer, at point); CREATE TYPE span AS RANGE (subtype = double precision);
  CREATE DOMAIN floats AS double precision[]; CREATE DOMAIN code AS name`

describe('text into a column that would change it', () => {
  it.each([
    ['"char"', 'ab', 'a'],
    ['name', long, 'x'],
    ['code', long, 'x'],
    ['"char"[]', '{a,bc}', '{a}'],
    ['name[]', `{a,${long}}`, '{a}'],
    ['interval', '1.0000001 seconds', '1 second'],
    ['interval', '1e-7 seconds', '1 second'],
    ['interval[]', '{"1.0000001 seconds"}', '{"1 second"}'],
    ['double precision[]', '{0.1234567890123456789}', '{0.1,1e3,NaN,inf,NULL,-1.50}'],
    ['floats', '{0.1234567890123456789}', '{0.1}'],
    ['real[]', '{{0.123456789},{1}}', '{{0.5},{16777216}}'],
    ['point', '(0.1234567890123456789,1)', '0.1 , -1e-05'],
    ['box', '(1,4),(3.00000000000000001,2)', '(1,4),(3,2)'],
    ['circle', '<(0.1234567890123456789,1),2>', '((0.1,1),2)'],
    ['polygon', '((0,0),(1,0),(1,1.00000000000000001))', '((0,0),(1,0),(1,1))'],
    ['timestamp without time zone[]', '{"2024-01-01 00:00:00.1234567"}', '{"2024-01-01 00:00:00.123456"}'],
    ['tsrange', '["2024-01-01 00:00:00.1234567",)', '["2024-01-01 00:00:00.123456",)'],
    ['jsonb', '{"b":1,"a":1.10,"b":2}', '{"b":1,"a":[{"b":2},{"b":3}]}'],
    ['jsonb', '{"x":{"a":1,"\\u0061":2}}', '{"x":{"a":1,"b":"\\u0061"}}'],
  ])('%s refuses %s, names column and value, and keeps %s', async (type, changed, kept) => {
    await postgres.query(`${types}; CREATE TABLE t (id bigint PRIMARY KEY, v ${type})`)
    for (const mode of ['append', 'replace', 'upsert, key: [id]']) {
      const run = await write([quoted(kept), 'NULL', quoted(changed)], mode)
      expect(run.error).toMatchObject({ code: 'VALUE_INVALID', step: 'target', retryable: false })
      expect(run.error?.message).toMatch(/^Column `v` is /)
      expect(run.error?.message).toContain(changed)
      expect(run.error?.message).toContain('id = 3')
      expect(run.error?.hint).toMatch(/Add a `cast` step|A key occurs twice/)
      expect(await postgres.query('SELECT * FROM t')).toEqual([])
    }
    const run = await write([quoted(kept), 'NULL'])
    expect(run.error).toBeUndefined()
    expect(run.steps.at(-1)?.changes).toBeUndefined()
    expect(
      await postgres.query(`SELECT (v::text = ${quoted(kept)}::${type}::text)::text AS same FROM t WHERE id = 1`),
    ).toEqual([{ same: 'true' }])
  })

  it('says what the server makes of the value, and what to do', async () => {
    await postgres.query('CREATE TABLE t (id bigint, v "char"[])')
    expect((await write(["'{a,bc}'"])).error).toMatchObject({
      message: 'Column `v` is "char"[], which makes “{a,b}” of “{a,bc}” (table t, id = 1)',
      hint: 'Add a `cast` step, or widen the column of the table.',
    })
  })

  it('refuses a document whose repeated key jsonb drops, also in a table that the run makes', async () => {
    const run = await write([`'{"a":1,"a":2}'::JSON`])
    expect(run.error?.message).toBe('Column `v` is jsonb, which cannot hold {"a":1,"a":2} (table t, id = 1)')
    expect(run.error?.hint).toContain('A key occurs twice in the document')
    expect((await write([`'{"a":1,"b":{"a":2}}'::JSON`])).error).toBeUndefined()
  })
})

describe('values that a column changes by its own type are counted', () => {
  it.each([
    ['pair', '\'(1,"(0.1234567890123456789,2)")\'', '\'(1,"(0.1,2)")\'', 'read back with other numbers or words'],
    ['pair[]', '\'{"(1,\\"(0.1234567890123456789,2)\\")"}\'', "'{}'", 'read back with other numbers or words'],
    ['span', "'[0.1234567890123456789,)'", "'[0.1,2)'", 'read back with other numbers or words'],
    ['time with time zone', "'12:34:56 PM'", "'12:34:56+02'", 'without a time zone, stored as UTC'],
    ['time with time zone', "TIME '12:34:56'", 'NULL', 'without a time zone, stored as UTC'],
  ])('%s', async (type, changed, kept, change) => {
    await postgres.query(`${types}; CREATE TABLE t (id bigint PRIMARY KEY, v ${type})`)
    const run = await write([changed, kept, changed])
    expect(run.error).toBeUndefined()
    expect(run.status).toBe('success')
    expect(run.steps.at(-1)?.changes).toMatchObject([{ column: 'v', change, count: 2 }])
    expect(run.log.map(({ message }) => message).join('\n')).toContain(`Column \`v\`, 2 values: ${change}`)
  })
})

it('texts into usual columns are not read back', async () => {
  await postgres.query('CREATE TABLE t (id bigint, v inet)')
  const run = await write(["'10.0.0.1/32'"])
  expect(run.error).toBeUndefined()
  expect(run.steps.at(-1)?.changes).toBeUndefined()
})
