import { DuckDBResult } from '@duckdb/node-api'
import Database from 'better-sqlite3'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { openSession, type DuckSession } from '../../../src/executor/engine/duckdb.ts'
import { fileConnector, runTask, sqliteConnector, temporaryFolder, type FinishedRun } from './run-task.ts'

const rows = 200_000
const faulty = 150_002
const csvLines = (): string[] => ['id,amount', ...Array.from({ length: rows }, (_, row) => `${row + 1},${row * 2}.5`)]
const jsonLines = (): string[] => Array.from({ length: rows }, (_, row) => `{"id":${row + 1},"amount":${row * 2}.5}`)

/** A folder with a table of three rows, which no failed run changes. */
function place(): { folder: string; database: string; content(): unknown } {
  const folder = temporaryFolder()
  const database = join(folder, 'app.db')
  const open = new Database(database)
  open.exec(
    'CREATE TABLE orders (id INTEGER PRIMARY KEY, amount REAL); INSERT INTO orders VALUES (-1, 1), (-2, 2), (-3, 3)',
  )
  open.close()
  return {
    folder,
    database,
    content() {
      const db = new Database(database, { readonly: true })
      const found = db.prepare('SELECT count(*) AS n, min(id) AS low, max(id) AS high FROM orders').get()
      db.close()
      return found
    },
  }
}
const before = { n: 3, low: -3, high: -1 }

function load(at: { folder: string; database: string }, files: string, more = ''): Promise<FinishedRun> {
  return runTask(
    `
etl: 1
kind: pipeline
name: t
connectors: {files: {type: file, access: read}, db: {type: sqlite, access: write}}
source: {connector: files, files: {${files}}}
${more}
target: {connector: db, table: orders, mode: replace}
`,
    { files: fileConnector(at.folder), db: sqliteConnector(at.database) },
  )
}

describe('a file that cannot be read to its end fails the run and leaves the table as it was', () => {
  const number = 'columns: {amount: number}'
  test.each<[what: string, files: string, write: (path: string) => void, names: RegExp]>([
    [
      'a word where a number is wanted, in row 150,002',
      `glob: a.csv, format: csv, ${number}`,
      (path) => writeFileSync(path, `${csvLines().with(faulty, `${faulty},oops`).join('\n')}\n`),
      /a\.csv, line 150003: Column `amount` holds “oops”/,
    ],
    [
      'a quote that is not closed',
      `glob: a.csv, format: csv, ${number}`,
      (path) => writeFileSync(path, `${csvLines().with(faulty, `${faulty},"1.5`).join('\n')}\n`),
      /a\.csv, line 150003: a quote opens and is not closed before the end of the file/,
    ],
    [
      'JSON Lines cut in the last line',
      'glob: a.csv, format: jsonl',
      (path) => writeFileSync(path, jsonLines().join('\n').slice(0, -5)),
      /a\.csv, line 200000: broken JSON/,
    ],
    [
      'a JSON array without its end',
      'glob: a.csv, format: json',
      (path) => writeFileSync(path, `[${jsonLines().join(',\n').slice(0, -5)}`),
      /a\.csv, record 200000: broken JSON: the file ends within it/,
    ],
  ])('%s', async (_, files, write, names) => {
    const at = place()
    write(join(at.folder, 'a.csv'))
    const run = await load(at, files)
    expect([run.status, run.error?.code, run.error?.step]).toEqual(['failed', 'FILE_UNREADABLE', 'source'])
    expect(run.error?.message).toMatch(names)
    expect(at.content()).toEqual(before)
  })

  test('whatever steps it goes through', async () => {
    const at = place()
    writeFileSync(join(at.folder, 'a.csv'), csvLines().with(faulty, `${faulty},oops`).join('\n'))
    for (const step of [
      'filter: {where: "id <> 17"}',
      'sql: {query: "SELECT id, amount FROM stream"}',
      `map: {expression: '{"id": id, "amount": amount}', columns: {id: integer, amount: number}}`,
      'expect: [{name: id, not_null: [id], on_fail: quarantine}]',
    ]) {
      const run = await load(at, `glob: a.csv, format: csv, ${number}`, `steps:\n  - ${step}`)
      expect([step, run.status, run.error?.code, run.error?.step]).toEqual([
        step,
        'failed',
        'FILE_UNREADABLE',
        'source',
      ])
      expect(at.content()).toEqual(before)
    }
  })
})

test('a DuckDB statement that fails in a late row fails its task, in and out of a transaction', async () => {
  for (const transaction of [true, false]) {
    const run = await runTask(
      `
etl: 1
kind: sql
name: t
connectors: {db: {type: duckdb, access: write}}
sql:
  connector: db
  transaction: ${transaction}
  statements:
    - CREATE TABLE a (id BIGINT)
    - SELECT CASE WHEN i = 150002 THEN error('row ' || i) ELSE i END FROM range(200000) t(i)
`,
      { db: { id: 1, name: 'dw', type: 'duckdb', config: { path: join(temporaryFolder(), 'a.duckdb') }, secrets: {} } },
    )
    expect([run.status, run.error?.code]).toEqual(['failed', 'VALUE_INVALID'])
    expect(run.error?.message).toContain('row 150002')
  }
})

describe('rows that are read out of DuckDB', () => {
  let session: DuckSession | undefined
  afterEach(async () => {
    vi.restoreAllMocks()
    await session?.close(false)
    session = undefined
  })
  const open = async (): Promise<DuckSession> => {
    session = await openSession({ tempDir: temporaryFolder(), directories: [], signal: new AbortController().signal })
    return session
  }
  const readAll = async (from: DuckSession, query: string): Promise<number> => {
    let read = 0
    for await (const chunk of from.chunks(query)) read += chunk.rowCount
    return read
  }
  /** As if the driver said nothing more after some chunks, without an error anywhere. */
  const cutAfter = (chunks: number): void => {
    const fetch = DuckDBResult.prototype.fetchChunk
    let fetched = 0
    vi.spyOn(DuckDBResult.prototype, 'fetchChunk').mockImplementation(async function (this: DuckDBResult) {
      return !this.isStreaming || fetched++ < chunks ? fetch.call(this) : null
    })
  }

  test('end with the error of the query, wherever it fails', async () => {
    const from = await open()
    for (const at of [0, 5_000, 150_002, rows - 1]) {
      const query = `SELECT CASE WHEN i = ${at} THEN error('row ' || i) ELSE i END FROM range(${rows}) t(i)`
      await expect(readAll(from, query)).rejects.toThrow(`row ${at}`)
    }
  })

  test('are counted a second time by DuckDB itself: a stream that is cut without a word is an error', async () => {
    const from = await open()
    cutAfter(3)
    await expect(readAll(from, `SELECT i FROM range(${rows}) t(i)`)).rejects.toThrow(
      'A query gave 6,144 rows, but has 200,000 rows',
    )
  })

  test('fail the run before its target is committed when they are cut without a word', async () => {
    const at = place()
    writeFileSync(join(at.folder, 'a.csv'), csvLines().join('\n'))
    cutAfter(3)
    const run = await load(at, 'glob: a.csv, format: csv')
    expect([run.status, run.error?.code, run.error?.retryable]).toEqual(['failed', 'ROWS_UNACCOUNTED', true])
    expect(at.content()).toEqual(before)
  })

  test.each([
    'SELECT * FROM a WHERE id < 0',
    'SELECT * FROM a WHERE random() < 0.5',
    'SELECT * FROM a UNION ALL SELECT * FROM a WHERE random() < 0.5',
    'SELECT id FROM a EXCEPT SELECT id * 2 FROM a',
    'WITH b AS MATERIALIZED (SELECT *, random() AS r FROM a) SELECT * FROM b WHERE r < 0.5 UNION ALL SELECT * FROM b',
    'WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 3000) SELECT * FROM r',
    'SELECT *, (SELECT max(b.id) FROM a b WHERE b.g = a.g) FROM a',
    'SELECT unnest(range(3)), id FROM a ORDER BY id DESC LIMIT 7000',
    'SELECT * FROM a QUALIFY row_number() OVER (PARTITION BY g ORDER BY id) < 100',
    'PIVOT a ON g USING count(*)',
    'SELECT * FROM a LEFT JOIN (SELECT id AS other FROM a WHERE g = 1) ON id = other',
    'SELECT * FROM a USING SAMPLE 10%',
    'VALUES (1), (2)',
  ])('are no error when they are all there: %s', async (query) => {
    const from = await open()
    await from.createTable('a', 'SELECT i AS id, i % 7 AS g FROM range(10000) t(i)')
    const read = await readAll(from, query)
    if (/random|SAMPLE/.test(query)) return
    expect([[read]]).toEqual(await from.rows(`SELECT count(*) FROM (${query})`))
  })
})
