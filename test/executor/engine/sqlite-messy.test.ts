import Database from 'better-sqlite3'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readFiles } from './read-files.ts'
import { fileConnector, runTask, sqliteConnector, temporaryFolder } from './run-task.ts'

const many = 'WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r WHERE i < 4999)'

/** Reads table `t`, or a query, into a Parquet file and that into rows. */
async function read(setup: string, source = 'table: t') {
  const path = join(temporaryFolder(), 'app.db')
  const db = new Database(path)
  db.exec(setup)
  db.close()
  const folder = temporaryFolder()
  const run = await runTask(
    `etl: 1
kind: pipeline
name: read
connectors: {db: {type: sqlite, access: read}, out: {type: file, access: write}}
source: {connector: db, sql: {${source}}}
target: {connector: out, file: {path: o.parquet}}
`,
    { db: sqliteConnector(path), out: fileConnector(folder) },
  )
  const rows = run.status === 'failed' ? [] : (await readFiles(folder, 'o.parquet')).rows
  return { run, rows, told: run.log.map(({ message }) => message) }
}

describe('text in SQLite that is not UTF-8', () => {
  it.each([
    ['UTF-8 that is cut off', "x'61c3'"],
    ['a byte that begins nothing', "x'61ff62'"],
    ['half of a surrogate pair', "x'eda080'"],
  ])('is refused with its row and column, not changed: %s', async (_, bytes) => {
    const { run } = await read(
      `CREATE TABLE t (a TEXT, b TEXT); ${many} INSERT INTO t SELECT 'fine', '\ufffd' FROM r; INSERT INTO t VALUES ('fine', CAST(${bytes} AS TEXT))`,
    )
    expect(run.error).toMatchObject({
      code: 'VALUE_INVALID',
      message: 'app, row 5,000: Column `b` holds bytes that are not UTF-8 text',
      hint: expect.stringContaining('CAST(b AS BLOB) AS b'),
      step: 'source',
    })
  })

  it('is found behind a query with a comment at its end, and read as bytes as the error advises', async () => {
    const setup = "CREATE TABLE t (a TEXT); INSERT INTO t VALUES (CAST(x'61ff62' AS TEXT))"
    const { run } = await read(setup, 'query: "SELECT a FROM t WHERE :n = 1 -- all of it", params: {n: 1}')
    expect(run.error?.message).toBe('app, row 1: Column `a` holds bytes that are not UTF-8 text')
    const { rows } = await read(setup, 'query: "SELECT CAST(a AS BLOB) AS a FROM t"')
    expect(rows).toEqual([{ a: String.raw`\x61ff62` }])
  })

  it('is not suspected where U+FFFD stands in the text itself, or the database is in UTF-16', async () => {
    for (const encoding of ['UTF-8', 'UTF-16le']) {
      const { rows } = await read(
        `PRAGMA encoding = '${encoding}'; CREATE TABLE t (a TEXT); INSERT INTO t VALUES ('a' || char(65533)), ('ä')`,
      )
      expect(rows).toEqual([{ a: 'a\ufffd' }, { a: 'ä' }])
    }
  })
})

describe('values in SQLite of a kind that their column is not declared for', () => {
  it.each([
    ['INTEGER', "'x'", 'VARCHAR', 'x'],
    ['INTEGER', '1.5', 'DOUBLE', '1.5'],
    ['INTEGER', "x'ff'", 'BLOB', String.raw`\xff`],
    ['REAL', "'x'", 'VARCHAR', 'x'],
    ['TEXT', "x'ff'", 'BLOB', String.raw`\xff`],
  ])('are reported, also in the last row: %s with %s', async (declared, value, type, example) => {
    const { run, told } = await read(
      `CREATE TABLE t (a ${declared}); ${many} INSERT INTO t SELECT i FROM r; INSERT INTO t VALUES (${value})`,
    )
    expect(run.item_count).toBe(5000)
    expect(run.steps[0]?.changes).toMatchObject([
      { column: 'a', code: 'change_read_as', params: { declared, type }, count: 1, example },
    ])
    expect(told).toContain(`Column \`a\`, 1 value: declared as ${declared}, read as ${type} (such as ${example})`)
  })

  it('are reported where nothing is declared, as in a view', async () => {
    const { rows, told } = await read("CREATE VIEW t AS SELECT 1 AS a UNION ALL SELECT 'x'")
    expect(rows).toEqual([{ a: '1' }, { a: 'x' }])
    expect(told).toContain('Column `a`, 1 value: one of several kinds (numbers, texts), read as VARCHAR')
  })

  it('are not reported where they are what the column is for', async () => {
    const { run, told } = await read(
      "CREATE TABLE t (a INTEGER, b REAL, c TEXT, d BLOB, e); INSERT INTO t VALUES (1, 2, 'x', x'ff', 1), (NULL, 2.5, NULL, NULL, 1.5)",
    )
    expect(run.steps[0]?.changes ?? []).toEqual([])
    expect(told.filter((message) => message.startsWith('Column'))).toEqual([])
  })
})
