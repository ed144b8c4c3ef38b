import { describe, expect, test } from 'vitest'
import { usePostgres } from './postgres-fixture.ts'
import { runTask, type FinishedRun } from './run-task.ts'

const postgres = usePostgres()

/** As many bytes as PostgreSQL keeps of a name. */
const most = 't'.repeat(63)

function write(table: string, column: string, target = 'mode: replace'): Promise<FinishedRun> {
  return runTask(
    `
etl: 1
kind: pipeline
name: t
connectors: {b: {type: postgres, access: write}}
source: {inline: {rows: [{id: 1, "${column}": new}]}}
target: {connector: b, table: "${table}", ${target}}
`,
    { b: postgres.connector(1) },
  )
}

describe('A name that PostgreSQL would cut off', () => {
  test('is refused as that of a table, so that another one with the same beginning keeps its rows', async () => {
    await postgres.query(`CREATE TABLE ${most} AS SELECT 0 AS id, 'old' AS v`)
    const run = await write(`${most}B`, 'v')
    expect(run.error).toMatchObject({ code: 'TABLE_NOT_FOUND' })
    expect(run.error?.message).toContain(`\`${most}B\` has 64 bytes: PostgreSQL would cut it off after 63`)
    expect(await postgres.query(`SELECT * FROM ${most}`)).toEqual([{ id: 0, v: 'old' }])
  })

  test.each(['a new table', 'a table that lacks the column'])('is refused as that of a column of %s', async (where) => {
    if (where !== 'a new table') await postgres.query('CREATE TABLE t (id integer)')
    const run = await write('t', 'ä'.repeat(32), 'mode: append')
    expect(run.error).toMatchObject({ code: 'SCHEMA_MISMATCH' })
    expect(run.error?.message).toContain('has 64 bytes')
  })

  test('is refused where rows are read from', async () => {
    await postgres.query(`CREATE TABLE ${most} AS SELECT 0 AS id, 'old' AS v`)
    const run = await runTask(
      `
etl: 1
kind: pipeline
name: t
connectors: {a: {type: postgres, access: read}, b: {type: postgres, access: write}}
source: {connector: a, sql: {table: ${most}B}}
target: {connector: b, table: t}
`,
      { a: postgres.connector(1), b: postgres.connector(2) },
    )
    expect(run.error).toMatchObject({ code: 'TABLE_NOT_FOUND' })
  })

  test('is refused as that of a table made from a query', async () => {
    await postgres.query(`CREATE TABLE ${most} AS SELECT 0 AS id, 'old' AS v`)
    const run = await runTask(
      `
etl: 1
kind: sql
name: t
connectors: {b: {type: postgres, access: write}}
sql: {connector: b, create_as: ${most}B, query: SELECT 1 AS id}
`,
      { b: postgres.connector(1) },
    )
    expect(run.error).toMatchObject({ code: 'TABLE_NOT_FOUND' })
    expect(await postgres.query(`SELECT * FROM ${most}`)).toEqual([{ id: 0, v: 'old' }])
  })
})

test('A name as long as PostgreSQL keeps it is written again and again', async () => {
  for (const target of ['mode: replace', 'mode: append', 'mode: replace'])
    expect((await write(most, 'ä'.repeat(31), target)).error ?? null).toBeNull()
  expect(await postgres.query(`SELECT * FROM ${most}`)).toEqual([{ id: '1', ['ä'.repeat(31)]: 'new' }])
})
