import { describe, expect, test } from 'vitest'
import { useMariaDb } from './mariadb-fixture.ts'
import { runTask, type FinishedRun } from './run-task.ts'

const mariadb = useMariaDb()

/** As many characters as MySQL keeps of a name. */
const most = 'é'.repeat(64)

function write(table: string, column: string, target = 'mode: replace'): Promise<FinishedRun> {
  return runTask(
    `
etl: 1
kind: pipeline
name: t
connectors: {b: {type: mysql, access: write}}
source: {inline: {rows: [{id: 1, "${column}": new}]}}
target: {connector: b, table: "${table}", ${target}}
`,
    { b: mariadb.connector() },
  )
}

describe('A name that MySQL does not allow', () => {
  const names: [string, string][] = [
    [`${most}x`, `\`${most}x\` has 65 characters: MySQL allows 64 in a name`],
    ['a😀', '`a😀` contains 😀, which MySQL does not allow in a name'],
  ]

  test.each(names)('is refused as that of a table, before anything is written: %s', async (name, message) => {
    expect((await write(name, 'v')).error).toMatchObject({ code: 'TABLE_NOT_FOUND', message })
    expect(await mariadb.query('SHOW TABLES')).toEqual([])
  })

  test.each(names)('is refused as that of a column: %s', async (name, message) => {
    expect((await write('t', name)).error).toMatchObject({ code: 'SCHEMA_MISMATCH', message })
    expect(await mariadb.query('SHOW TABLES')).toEqual([])
    await mariadb.query('CREATE TABLE t (id integer)')
    expect((await write('t', name, 'mode: append')).error).toMatchObject({ code: 'SCHEMA_MISMATCH', message })
    expect(await mariadb.query('SELECT * FROM t')).toEqual([])
  })

  test.each(names)(
    'is refused where rows are read from, and as that of a table made from a query: %s',
    async (name, message) => {
      const b = mariadb.connector()
      const read = await runTask(
        `
etl: 1
kind: pipeline
name: t
connectors: {b: {type: mysql, access: read_write}}
source: {connector: b, sql: {table: "${name}"}}
target: {connector: b, table: t}
`,
        { b },
      )
      expect(read.error).toMatchObject({ code: 'TABLE_NOT_FOUND', message })
      const made = await runTask(
        `
etl: 1
kind: sql
name: t
connectors: {b: {type: mysql, access: write}}
sql: {connector: b, create_as: "${name}", query: SELECT 1 AS id}
`,
        { b },
      )
      expect(made.error).toMatchObject({ code: 'TABLE_NOT_FOUND', message })
    },
  )
})

test('A name as long as MySQL allows is written again and again', async () => {
  for (const target of ['mode: replace', 'mode: append', 'mode: replace'])
    expect((await write(most, most, target)).error ?? null).toBeNull()
  expect(await mariadb.query(`SELECT * FROM \`${most}\``)).toEqual([{ id: 1, [most]: 'new' }])
})
