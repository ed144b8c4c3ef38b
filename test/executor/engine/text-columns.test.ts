import Database from 'better-sqlite3'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { BoundConnector } from '../../../src/contract/executor-protocol.ts'
import { duckFile } from './duckdb-fixture.ts'
import { useMariaDb } from './mariadb-fixture.ts'
import { usePostgres } from './postgres-fixture.ts'
import { folderWith } from './read-files.ts'
import { fileConnector, runTask, sqliteConnector, temporaryFolder, type FinishedRun } from './run-task.ts'

const csv = 'id,v,n\n1,1e3,1\n2,2.50,2\n3,,3\n4,10,4\n'
const written = ['1e3', '2.50', null, '10']

interface Load {
  files?: string
  file?: string
  source?: string
  steps?: string
  target?: string
}

function load(
  content: string,
  bound: BoundConnector,
  { file = 'a.csv', source = '', steps = '[]', target = '' }: Load = {},
) {
  return runTask(
    `etl: 1
kind: pipeline
name: load
connectors: {files: {type: file, access: read}, db: {type: ${bound.type}, access: write}}
source: {connector: files, files: {glob: ${file}${source}}}
steps: ${steps}
target: {connector: db, table: t, mode: append${target}}
`,
    { files: fileConnector(folderWith({ [file]: content })), db: bound },
  )
}

/** What is in the table after a run, by its columns. */
async function intoSqlite(content: string, table: string, more: Load = {}): Promise<FinishedRun & { rows: unknown[] }> {
  const path = join(temporaryFolder(), 'app.db')
  const made = new Database(path)
  made.exec(table)
  made.close()
  const run = await load(content, sqliteConnector(path), more)
  const db = new Database(path, { readonly: true })
  const rows = db.prepare('SELECT * FROM t ORDER BY 1').all()
  db.close()
  return { ...run, rows }
}

const plain = 'CREATE TABLE t (id INTEGER, v TEXT, n INTEGER)'
const values = (rows: readonly unknown[]): unknown[] => rows.map((row) => (row as { v: unknown }).v) // a row of t
const warned = (run: FinishedRun): string[] =>
  run.log.filter(({ level }) => level === 'warn').map(({ message }) => message)

describe('values of a file that go into a column of text that is there', () => {
  const postgres = usePostgres()
  const mariadb = useMariaDb()

  it('arrive as the file has them in every database', async () => {
    await postgres.query('CREATE TABLE t (id int, v text, n int)')
    expect((await load(csv, postgres.connector())).error).toBeUndefined()
    expect(values(await postgres.query('SELECT v FROM t ORDER BY id'))).toEqual(written)

    await mariadb.query('CREATE TABLE t (id int, v varchar(20), n int)')
    expect((await load(csv, mariadb.connector())).error).toBeUndefined()
    expect(values(await mariadb.query('SELECT v FROM t ORDER BY id'))).toEqual(written)

    const duck = duckFile()
    await duck.sql('CREATE TABLE t (id INTEGER, v VARCHAR, n INTEGER)')
    expect((await load(csv, duck.bound)).error).toBeUndefined()
    expect((await duck.sql('SELECT v FROM t ORDER BY id')).flat()).toEqual(written)

    const { rows, error } = await intoSqlite(csv, plain)
    expect([error, values(rows)]).toEqual([undefined, written])
  })

  it.each([
    ['times', 'id,v\n1,10:00\n2,11:30\n', ['10:00', '11:30']],
    ['days', 'id,v\n1,2024/01/31\n2,2024/02/01\n', ['2024/01/31', '2024/02/01']],
    [
      'moments',
      'id,v\n1,2024-01-31T10:00:00Z\n2,2024-02-01T00:00:00Z\n',
      ['2024-01-31T10:00:00Z', '2024-02-01T00:00:00Z'],
    ],
    ['words for true', 'id,v\n1,TRUE\n2,False\n', ['TRUE', 'False']],
    ['blanks', 'id,v\n1, 5 \n2,6\n', [' 5 ', '6']],
    ['decimals', 'id,v\n1,12345678901234567891.10\n2,1.5\n', ['12345678901234567891.10', '1.5']],
  ])('keep the form of %s', async (_, content, expected) => {
    const { rows } = await intoSqlite(content, 'CREATE TABLE t (id INTEGER, v TEXT)')
    expect(values(rows)).toEqual(expected)
  })

  it.each([
    ['times', '{"id":1,"v":"10:00"}\n{"id":2,"v":"11:30"}\n', ['10:00', '11:30']],
    ['numbers', '{"id":1,"v":1e3}\n{"id":2,"v":2.50}\n', ['1e3', '2.50']],
    ['long numbers', '{"id":1,"v":12345678901234567891.10}\n{"id":2,"v":1.5}\n', ['12345678901234567891.10', '1.5']],
    ['identifiers', '{"id":1,"v":"7D444840-9DC0-11D1-B245-5FFDCE74FAD2"}\n', ['7D444840-9DC0-11D1-B245-5FFDCE74FAD2']],
  ])('keep the form of %s in JSON Lines', async (_, content, expected) => {
    const { rows } = await intoSqlite(content, 'CREATE TABLE t (id INTEGER, v TEXT)', { file: 'a.jsonl' })
    expect(values(rows)).toEqual(expected)
  })

  it('arrive under another name, and past steps that look at other columns', async () => {
    const steps = '[{filter: n > 1}, {rename: {w: v}}, {derive: {twice: n * 2}}]'
    const table = 'CREATE TABLE t (id INTEGER, v TEXT, n INTEGER, twice INTEGER)'
    const { rows, error } = await intoSqlite(csv.replace('id,v,n', 'id,w,n'), table, { steps })
    expect([error, values(rows)]).toEqual([undefined, written.slice(1)])
  })

  it('are rejected by their line where a row has too many of them', async () => {
    const { rows, rejects } = await intoSqlite(`${csv}5,6,7,8\n`, plain, { source: ', on_error: quarantine' })
    expect(values(rows)).toEqual(written)
    expect(rejects.map(({ row }) => row)).toEqual([{ line: 6, text: '5,6,7,8' }])
  })

  it('are numbers for a step that looks at them, which is told', async () => {
    const run = await intoSqlite(csv, plain, { steps: '[{filter: v > 5}]' })
    expect(values(run.rows)).toEqual(['1000.0', '10.0'])
    expect(warned(run)).toEqual([
      'Column `v` was detected as DOUBLE and is written to a text column in the form of DOUBLE. To keep the text of the file, declare the column as `string` in the source.',
    ])
  })

  it('have the type that the task declares', async () => {
    const run = await intoSqlite(csv, plain, { source: ', columns: {v: number}' })
    expect([values(run.rows), warned(run)]).toEqual([['1000.0', '2.5', null, '10.0'], []])
  })

  it('stay numbers where the column holds numbers, and in a table that the run makes', async () => {
    const numbers = await intoSqlite(csv, 'CREATE TABLE t (id INTEGER, v REAL, n INTEGER)')
    expect(values(numbers.rows)).toEqual([1000, 2.5, null, 10])
    const made = await intoSqlite(csv, 'CREATE TABLE other (id INTEGER)')
    expect(values(made.rows)).toEqual([1000, 2.5, null, 10])
  })

  it('stay numbers where a second column takes the same values as numbers', async () => {
    const table = 'CREATE TABLE t (id INTEGER, v TEXT, w REAL)'
    const run = await intoSqlite(csv, table, { steps: '[{rename: {v: w}}, {drop: [n]}]' })
    expect([run.error, run.rows[0]]).toEqual([undefined, { id: 1, v: null, w: 1000 }])
  })
})
