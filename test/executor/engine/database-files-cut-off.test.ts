import { DuckDBInstance } from '@duckdb/node-api'
import Database from 'better-sqlite3'
import {
  existsSync,
  openSync,
  closeSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { BoundConnector } from '../../../src/contract/executor-protocol.ts'
import { fileConnector, runTask, sqliteConnector, temporaryFolder } from './run-task.ts'

const rows = 200_000

async function read(connector: BoundConnector) {
  const out = temporaryFolder()
  const run = await runTask(
    `etl: 1
kind: pipeline
name: read
connectors: {db: {type: ${connector.type}, access: read}, out: {type: file, access: write}}
source: {connector: db, sql: {table: t}}
target: {connector: out, file: {path: out.csv}}
`,
    { db: connector, out: fileConnector(out) },
  )
  return { run, written: existsSync(join(out, 'out.csv')) }
}

function damage(path: string, at: number, bytes: number): void {
  const file = openSync(path, 'r+')
  writeSync(file, Buffer.alloc(bytes, 0x5a), 0, bytes, at)
  closeSync(file)
}

describe('a SQLite file', () => {
  function made(): string {
    const path = join(temporaryFolder(), 'a.sqlite')
    const database = new Database(path)
    database.exec(
      `CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows}) INSERT INTO t SELECT i, 'name ' || i || hex(randomblob(20)) FROM n`,
    )
    database.close()
    return path
  }
  const page = 4096

  it('is read whole', async () => {
    expect((await read(sqliteConnector(made()))).run).toMatchObject({ status: 'success', item_count: rows })
  })

  it.each([
    ['in the middle', 0.5],
    ['near its beginning', 0.05],
    ['at its end', 0.999],
  ])('with a damaged page %s fails the run', async (_, part) => {
    const path = made()
    damage(path, Math.floor((statSync(path).size * part) / page) * page, page)
    const { run, written } = await read(sqliteConnector(path))
    expect(run.error).toMatchObject({ code: expect.stringMatching(/FILE_UNREADABLE|DATABASE_REFUSED/) as string })
    expect(written).toBe(false)
  })

  it.each([
    ['to half of it', 0.5],
    ['by a page', 1],
  ])('that is cut %s fails the run', async (_, part) => {
    const path = made()
    truncateSync(path, Math.floor((statSync(path).size * part) / page - 1) * page)
    const { run, written } = await read(sqliteConnector(path))
    expect(run.error?.message).toMatch(/malformed|disk I\/O|damaged|not a database/)
    expect(written).toBe(false)
  })
})

describe('a DuckDB file', () => {
  async function made(): Promise<string> {
    const path = join(temporaryFolder(), 'a.duckdb')
    const instance = await DuckDBInstance.create(path)
    const connection = await instance.connect()
    await connection.run(
      `CREATE TABLE t AS SELECT range AS id, 'name ' || range || md5(range::VARCHAR) AS name FROM range(${rows}); CHECKPOINT`,
    )
    connection.closeSync()
    instance.closeSync()
    return path
  }
  const connector = (path: string): BoundConnector => ({
    id: 5,
    name: 'wh',
    type: 'duckdb',
    config: { path },
    secrets: {},
  })

  it('is read whole', async () => {
    expect((await read(connector(await made()))).run).toMatchObject({ status: 'success', item_count: rows })
  })

  it.each([
    ['in the middle', 0.5],
    ['near its beginning', 0.1],
    ['near its end', 0.9],
  ])('with damaged bytes %s fails the run', async (_, part) => {
    const path = await made()
    damage(path, Math.floor(statSync(path).size * part), 5000)
    const { run, written } = await read(connector(path))
    expect(run.error).toMatchObject({ code: 'FILE_UNREADABLE' })
    expect(written).toBe(false)
  })

  it.each([0.9, 0.5, 0.01])('that is cut to %d of its size fails the run', async (part) => {
    const path = await made()
    truncateSync(path, Math.floor(statSync(path).size * part))
    const { run, written } = await read(connector(path))
    expect(run.error).toMatchObject({ code: 'FILE_UNREADABLE' })
    expect(written).toBe(false)
  })
})

describe('a Parquet file', () => {
  async function made(): Promise<string> {
    const path = join(temporaryFolder(), 'a.parquet')
    const instance = await DuckDBInstance.create()
    const connection = await instance.connect()
    await connection.run(
      `COPY (SELECT range AS id, 'name ' || range || md5(range::VARCHAR) AS name FROM range(${rows})) TO '${path}' (FORMAT parquet, ROW_GROUP_SIZE 20000)`,
    )
    connection.closeSync()
    instance.closeSync()
    return path
  }
  async function readFile(path: string) {
    const out = temporaryFolder()
    const run = await runTask(
      `etl: 1
kind: pipeline
name: read
connectors: {in: {type: file, access: read}, out: {type: file, access: write}}
source: {connector: in, files: {glob: a.parquet}}
target: {connector: out, file: {path: out.csv}}
`,
      { in: fileConnector(join(path, '..')), out: fileConnector(out) },
    )
    return { run, written: existsSync(join(out, 'out.csv')) }
  }

  it('is read whole', async () => {
    expect((await readFile(await made())).run).toMatchObject({ status: 'success', item_count: rows })
  })

  it.each([0.999, 0.5, 0.001, 0])('that is cut to %d of its size fails the run', async (part) => {
    const path = await made()
    truncateSync(path, Math.floor(statSync(path).size * part))
    const { run, written } = await readFile(path)
    expect(run.error).toMatchObject({ code: 'FILE_UNREADABLE' })
    expect(written).toBe(false)
  })

  it.each([
    ['in its last mark', (size: number) => size - 4],
    ['in the length of its footer', (size: number) => size - 8],
  ])('that is damaged %s fails the run', async (_, at) => {
    const path = await made()
    damage(path, at(statSync(path).size), 4)
    const { run, written } = await readFile(path)
    expect(run.error?.code).toMatch(/FILE_UNREADABLE|VALUE_INVALID/)
    expect(written).toBe(false)
  })

  it('whose pages are damaged fails the run', async () => {
    const whole = readFileSync(await made())
    for (const part of [0.1, 0.3, 0.5, 0.7]) {
      const path = join(temporaryFolder(), 'a.parquet')
      writeFileSync(path, whole)
      damage(path, Math.floor(whole.length * part), 100)
      expect((await readFile(path)).run.error).toMatchObject({ code: 'FILE_UNREADABLE' })
    }
  })
})
